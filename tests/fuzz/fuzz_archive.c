/* Any bytes as a file that loadline-score is given: tar, zip, gzip, YAML, JSON, logs between. It is
 * read or refused, and every byte of what was read stands somewhere. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "offline/input.h"
#include "reader/snapshot_reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { CEILING = 128 << 20 };

struct
try {
    struct arena *arena;
    struct input *input;
    struct snapshot_error error;
    struct cluster *cluster;
};

static void must(bool good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "fuzz_archive: %s\n", what);
    abort();
}

static void count(void *context, const struct snapshot_object *object)
{
    input_count(context, object);
}

static void note_misfit(void *context, const struct snapshot_misfit *misfit)
{
    (void)context;
    if (!misfit->field.n || !*misfit->is || !*misfit->wanted)
        abort();
}

static void read_input(void *context)
{
    struct try *try = context;
    struct snapshot_visitor told = {count, note_misfit, try->input};
    struct snapshot_origins origins = input_origins(try->input);
    struct snapshot_options options = {.told = &told, .origins = &origins};
    try->cluster = snapshot_read(try->arena, input_source(try->input), &options, &try->error);
}

static void check(const struct try *try)
{
    const struct places *places = input_places(try->input);
    const struct input_error *error = input_error(try->input);
    for (uint64_t at = 0; at <= places->lines.offset; at += 1 + at / 16) {
        struct place place = places_find(places, at);
        must(place.line >= 1 && place.line <= places->lines.count + 1, "a line that is not there");
    }
    must((try->cluster != NULL) == (try->error.code == SNAPSHOT_OK), "no error and no cluster");
    must(!error->text.p || !try->cluster, "an error is passed over");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const name = "input";
    struct str bytes = {(const char *)data, size};
    struct try try = {.arena = arena_new(CEILING),
                      .input = input_open_stream(&name, source_of(&bytes))};
    if (arena_guard(try.arena, read_input, &try))
        check(&try);
    input_close(try.input);
    arena_free(try.arena);
    return 0;
}
