/* input: files, directories and archives as one stream of JSON, and where in them a byte of that
 * stream stands.
 *
 * Read are JSON and YAML, gzip of them, tar and zip (and gzip of these). What stands in a directory
 * or an archive is taken by its name (.json, .yaml, .yml, and .gz behind that) in the order of
 * names; links are not followed; logs, hidden files and archives in there are passed over.
 * What is named is taken by its content.
 *
 * Memory follows the number of files and lines, not their size.
 */
#ifndef LOADLINE_OFFLINE_INPUT_H
#define LOADLINE_OFFLINE_INPUT_H

#include "codec/source.h"
#include "offline/places.h"
#include "reader/snapshot_object.h"

enum { INPUT_FILES_MAX = 100000 }; /* of a directory or an archive, what is passed over included */
#define INPUT_INFLATED_MAX (UINT64_C(4) << 30) /* bytes of what was compressed */

struct input;

struct input_error {
    struct str file;
    uint64_t line, column; /* from 1; line 0: it concerns the whole file; column 0: not known */
    struct str text;       /* absent: nothing went wrong */
};

/* names: what to read, "-" for standard input; they must outlive it. NULL without memory. */
struct input *input_open(const char *const *names, size_t n);
/* The same of a stream, as if it were a file of that name. */
struct input *input_open_stream(const char *const *name, struct source from);
void input_close(struct input *input);

/* All of it. */
struct source input_source(struct input *input);
/* Why that failed. */
const struct input_error *input_error(const struct input *input);
/* Bytes read so far of what was named, as they stand there. */
uint64_t input_bytes(const struct input *input);

/* For who reads the stream: what to expect of a document, and to be told of each object. */
struct snapshot_origins input_origins(struct input *input);
void input_count(struct input *input, const struct snapshot_object *object);

/* The files, as far as the stream was read. */
const struct places *input_places(const struct input *input);

#endif
