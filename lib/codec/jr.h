/* jr: a streaming, strict JSON pull reader.
 *
 * Reads RFC 8259 from a refillable window: no document is ever held whole. Strict everywhere, also
 * in what is skipped: UTF-8, escapes, surrogate pairs, numbers, literals, control characters. Top
 * level values may follow one another; an empty input has none. Of equal keys all are returned. The
 * error reported is the first one in the input, in whatever pieces that comes.
 *
 *     enum jr_type type = jr_next(r);             // the first value
 *     if (type == JR_OBJECT) {
 *         jr_enter(r);
 *         while ((type = jr_next(r)) > JR_END)    // each member; unread containers are skipped
 *             if (str_eq(jr_key(r), STR("name")) && type == JR_STRING)
 *                 use(jr_text(r));
 *     }                                           // JR_END left the object again
 *     if (jr_error(r)->code) ...                  // errors stick: every later jr_next is JR_ERROR
 */
#ifndef LOADLINE_CODEC_JR_H
#define LOADLINE_CODEC_JR_H

#include "base/arena.h"
#include "codec/source.h"

/* Keys and strings that are skipped are not limited. Both limits are at most 256 MiB. */
struct jr_limits {
    unsigned depth; /* nesting, at most 64; of what is skipped, too */
    size_t key;     /* bytes of one decoded key */
    size_t string;  /* bytes of one decoded string */
    size_t mark;    /* bytes that jr_mark may hold */
    uint64_t total; /* bytes of input */
};

enum jr_type {
    JR_ERROR = -1,
    JR_END = 0,
    JR_OBJECT,
    JR_ARRAY,
    JR_STRING,
    JR_NUMBER,
    JR_TRUE,
    JR_FALSE,
    JR_NULL
};

enum jr_code {
    JR_OK,
    JR_E_SOURCE,    /* the source failed */
    JR_E_TRUNCATED, /* the input ended inside a value */
    JR_E_SYNTAX,    /* not JSON */
    JR_E_UTF8,      /* not UTF-8, or a lone surrogate escape */
    JR_E_DEPTH,
    JR_E_KEY,    /* a key over the limit */
    JR_E_STRING, /* a string over the limit, or a number of more than 1,024 characters */
    JR_E_TOTAL   /* more input than allowed */
};

struct jr_error {
    enum jr_code code;
    uint64_t offset;  /* of the byte at fault, from 0 */
    struct str path;  /* JSON pointer (RFC 6901) of the value it was in, or after: as far as it was
                         entered, its keys cut after 1 KiB */
    const char *text; /* a sentence for a person, static */
};

struct jr;

/* A reader in the arena. Its window (128 KiB) and everything it returns are arena memory. */
struct jr *jr_open(struct arena *arena, struct source source, struct jr_limits limits);
/* Begins anew with another source, as if just opened with the same limits: for many small documents
 * in the memory of one reader. */
void jr_restart(struct jr *r, struct source source);
/* Overwrites the bytes it holds, for documents with secrets in them; nothing is to be read any
 * more. Longer ones than its window, and texts that were asked for, leave copies elsewhere. */
void jr_wipe(struct jr *r);

/* The next value of the current level: the next member in an object (its key first), the next
 * element in an array, the next top-level value outside. A container returned before and not
 * entered is skipped. JR_END when the level is at its end: the reader is then back in the level
 * above; at top level, the end of the input (white space only between and after top-level values).
 */
enum jr_type jr_next(struct jr *r);
/* The same, for who expects to jump over it (below): an object behind which one has jumped before
 * is found without a look at what is in it. */
enum jr_type jr_next_known(struct jr *r);
/* Goes into the object or array that jr_next just returned. */
void jr_enter(struct jr *r);
/* Skips what is left of the current level and goes to the one above. False on error. */
bool jr_leave(struct jr *r);
/* Depth of the current level: 0 at top level. */
unsigned jr_depth(const struct jr *r);

/* The decoded key of the current member; absent outside objects. Valid until the next value is
 * asked for, a container is entered, or jr_leave, jr_rewind or jr_replace; writable by nobody. */
struct str jr_key(const struct jr *r);
/* The decoded text of the current string; of a number, true, false and null the characters as they
 * stand; of containers absent. Reading it is what decodes: a string that nobody asks for costs only
 * its check. Absent, with an error, when it is too long. Same lifetime as jr_key, which stays. */
struct str jr_text(struct jr *r);

/* Offset of the first byte of the current value; after JR_END, of the first byte behind it. */
uint64_t jr_offset(const struct jr *r);

/* For who knows the bytes of a container from having read the same ones before, whole and at this
 * depth or a deeper one. The current value's bytes as far as they are at hand, read ahead or not:
 * at least n of them when there are that many and it is a container not yet entered; what the
 * window still holds of the bytes consumed since an offset, absent when that is too long ago; and:
 * the current value is n bytes long and right, goes behind it. `instead`, when not NULL, is what
 * the tap sees in its place. All slices are valid until the next call that reads. */
struct str jr_ahead(struct jr *r, size_t n);
struct str jr_behind(const struct jr *r, uint64_t from);
void jr_jump(struct jr *r, size_t n, const struct str *instead);
/* The same as jr_jump() with nothing in its place, but the bytes need not be at hand. Not under a
 * mark. Returns how many of them the source must leave out before anything else is read. */
size_t jr_jump_unread(struct jr *r, size_t n);
/* Behind such a jump, when the source gave nothing since: the next n bytes are `count` more
 * elements of the array, each behind a comma, and right; goes behind them. The source must leave
 * them out. False: they must be read one by one, and nothing has happened. */
bool jr_leave_out(struct jr *r, size_t n, uint32_t count);

/* Where the current value stands, from the level `depth` on: "spec.containers[0].image",
 * "metadata.labels[app.kubernetes.io/name]", as far as errors tell places. In the arena. */
struct str jr_field(struct jr *r, unsigned depth);

/* The bytes from the current value on stay for jr_behind(), as long as they are at most `max`, and
 * until this is asked for again. */
void jr_keep(struct jr *r, size_t max);

/* Remembers the place just before the current value (which jr_next returned and nobody entered), so
 * that jr_rewind can come back to it: the value is then current again, as if jr_next had just
 * returned it. The window grows to hold the bytes between, at most limits.mark; when more were
 * consumed since, jr_rewind returns false and reading goes on where it is. One mark at a time;
 * jr_rewind, jr_unmark or jr_replace ends it. */
void jr_mark(struct jr *r);
bool jr_rewind(struct jr *r);
void jr_unmark(struct jr *r);
bool jr_is_marked(const struct jr *r);

/* A tap, set before the first jr_next, sees every byte that the reader has consumed, in order, in
 * pieces: what a byte filter needs. Bytes under a mark are held back until it ends. At JR_END of
 * the top level everything has been put out. When the sink refuses, the reader reports JR_E_SOURCE.
 */
void jr_tap(struct jr *r, struct sink tap);
/* Skips the current value, whole, whatever is in it and whether or not its text was read, and lets
 * the tap see `instead` in its place. False on error. Without a tap it only skips. */
bool jr_replace(struct jr *r, struct str instead);
/* How many bytes before jr_offset() the tap has yet to see. Nothing must be marked. */
size_t jr_untapped(const struct jr *r);

/* What went wrong; its code is JR_OK as long as nothing did. */
const struct jr_error *jr_error(struct jr *r);

#endif
