/* jr_reader: what the parts of jr share. Nobody else includes it but jr's tests.
 *
 * Bytes come from the source into the window, tokens from there into the list index.at, from which
 * the reader takes one after another. Places in the list and in the window are relative to the
 * window's start and change when it is filled; offsets are of the input and do not.
 */
#ifndef LOADLINE_CODEC_JR_READER_H
#define LOADLINE_CODEC_JR_READER_H

#include "base/buf.h"
#include "codec/jr_index.h"

enum {
    JR_SENTINELS = 2,
    JR_DEPTH_MAX = 64,
    JR_NUMBER_MAX = 1024,
    JR_WINDOW_MIN = 96, /* a block, what its checks look at, and room to read */
    JR_PATH_MAX = 1024, /* bytes of the keys that lead to the current level */
    JR_KEY_SHORT = 32   /* bytes that may be read from where any key begins */
};

/* What is left to read of the current value. After an error it is not looked at any more. */
enum jr_pending { JR_PENDING_NONE, JR_PENDING_STRING, JR_PENDING_CONTAINER, JR_PENDING_ERROR };

/* Level n is inside of n containers; its path bytes are the key under which it was found. */
struct jr_level {
    uint64_t count; /* elements returned so far, of an array */
    uint32_t path_from, path_to;
};

/* Where the reader is: all that jr_rewind must bring back besides the bytes. */
struct jr_place {
    unsigned depth;
    uint64_t objects; /* one bit a level, lowest the current one: is it an object? */
    bool fresh;       /* nothing of this level was returned yet */
    uint64_t value;   /* offset of the current value */
    struct jr_level levels[JR_DEPTH_MAX + 1];
    char path[JR_PATH_MAX];
};

struct jr {
    /* Tokens not yet taken. Behind the last there are JR_SENTINELS more, which point to a NUL. */
    const uint32_t *next, *last;
    char *window;
    uint64_t base; /* offset of the window's first byte */

    enum jr_type type; /* of the current value, JR_END when there is none */
    enum jr_pending pending;
    bool escapes;   /* strings that began in the list as it is now may have escapes */
    uint64_t after; /* offset behind the last value that was read to its end */
    struct str key, text;
    struct jr_limits limits;
    struct jr_error error;

    size_t cap, end, indexed; /* of the window: its size, bytes read, bytes looked for tokens */
    size_t batch_from;        /* place of the first byte that was looked at for this list */
    uint64_t batch;           /* tells one filling of the list from another */
    size_t hold;              /* from here the window must stay whole, SIZE_MAX: nothing */
    uint64_t kept;            /* offset from which it stays whole, as far as that is at most ... */
    size_t kept_max;          /* ... so many bytes; 0: nothing */
    bool final;               /* nothing comes after `end` ... */
    enum jr_code final_code;  /* ... because of this; JR_OK: the input ended */
    const char *final_text;
    struct arena *arena;
    struct source source;
    enum jr_kernel kernel;
    struct buf key_copy, text_copy;

    struct sink tap;
    bool muted;      /* the tap does not see what is consumed */
    uint64_t tapped; /* offset up to which the tap has seen everything */
    bool at_end;     /* JR_END of the top level was returned */

    bool marked, mark_lost;
    const uint32_t *mark_next;
    uint64_t mark_batch;
    struct buf mark_key;

    struct jr_place at, mark;
    struct jr_index index;
};

#define JR_RARE(condition) __builtin_expect((condition), 0)

/* jr_open with a window of that size (JR_WINDOW_MIN at least) and a kernel: for tests. */
struct jr *jr_open_sized(struct arena *arena, struct source source, struct jr_limits limits,
                         size_t window, enum jr_kernel kernel);

/* Reports an error, once; later ones are dropped. Always false. */
bool jr_fail(struct jr *r, enum jr_code code, uint64_t offset, const char *text);
/* Reports that the next token is wrong, with what is missing; or that the input ended before it. */
bool jr_fail_token(struct jr *r, const char *text);
/* Reports that the next token opens a level too many. */
bool jr_fail_depth(struct jr *r);

/* With an empty list: looks for tokens once, or reads once. False when there is nothing to come. */
bool jr_step(struct jr *r);
/* With an empty list: more tokens. False when there are none to come. */
bool jr_more(struct jr *r);
/* Forgets the tokens from a value's first byte on, so that they are found again. */
void jr_reindex(struct jr *r, size_t from);
/* Keeps the key where no reading can move it. */
void jr_keep_key(struct jr *r);
/* Puts blanks behind the window's end. */
void jr_blank_end(struct jr *r);
/* Lets the tap see everything before an offset in the window. */
bool jr_flush(struct jr *r, uint64_t offset);

/* The first byte of the next token; 0 when there is none. */
static inline char jr_peek(struct jr *r)
{
    char c = r->window[*r->next];
    if (JR_RARE(c == 0) && jr_more(r))
        c = r->window[*r->next];
    return c;
}

/* Makes the value that the next token begins the current one. */
enum jr_type jr_value(struct jr *r);
/* Takes the scalar that is next and checks it: its type, and its text in r->text. */
enum jr_type jr_scalar(struct jr *r);
/* Decodes the escapes of a string that is known to be right; to may be at `from` or before it.
 * Returns the decoded length. */
size_t jr_unescape(char *to, struct str from);

/* Reads on until the level `until` (below the current one) is reached: checks everything, returns
 * nothing. */
bool jr_skip_to(struct jr *r, unsigned until);
/* Reads the current value to its end, and sets r->after. */
bool jr_finish(struct jr *r);
/* Offset behind the closing quote of the current string, all of which was looked at. */
uint64_t jr_string_end(const struct jr *r);

#endif
