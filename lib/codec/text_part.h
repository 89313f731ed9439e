/* text_part: a part of a text, such as an object of a snapshot, and whether this process has met
 * its bytes before. */
#ifndef LOADLINE_CODEC_TEXT_PART_H
#define LOADLINE_CODEC_TEXT_PART_H

#include "base/list.h"
#include "base/str.h"

enum { TEXT_LEAD_MAX = 32 };

struct text_part {
    uint64_t offset, length;
    /* The same number, other than 0: the same bytes, here or in a text that this process had
     * before. 0: nobody has compared them. Two numbers may stand for equal bytes. */
    uint64_t content;
    /* The same of what stands between the part before and this one: at most TEXT_LEAD_MAX bytes,
     * else 0. */
    uint64_t lead;
};

/* In the order of the text. None stands within another. */
typedef LIST(struct text_part) text_part_list;

/* A text of n bytes that need not be made before somebody looks at them. bytes: some of them, valid
 * until others are asked for. lasts: they may be asked for later, too, as long as the arena of who
 * asks is not reset; else only during the call that the view is given to. */
struct text_view {
    size_t n;
    bool lasts;
    struct str (*bytes)(void *context, size_t from, size_t n);
    void *context;
};

/* Of a text that is there; it must live as long as the view. */
struct text_view text_view_of(struct str *text);

static inline struct str text_view_bytes(const struct text_view *view, size_t from, size_t n)
{
    return view->bytes(view->context, from, n);
}

static inline struct str text_view_all(const struct text_view *view)
{
    return view->bytes(view->context, 0, view->n);
}

/* Parts that follow one another, each with a content and a lead, and what stands before each. */
struct text_run {
    const struct text_part *parts;
    uint32_t n;            /* of the parts, at least one */
    uint64_t from;         /* the offset of what stands before the first one ... */
    struct text_view text; /* ... where the text of all of it begins. It lasts */
};

/* Takes a part of which the content is known, all of it, between pieces that another sink takes.
 * False: it is refused. put_run: the same of a run; NULL: it takes them one by one. */
struct part_sink {
    bool (*put)(void *context, const struct text_view *text, uint64_t content, uint64_t lead);
    bool (*put_run)(void *context, const struct text_run *run);
    void *context;
};

/* What a source of bytes knows of the parts of its text, so that its reader can do without their
 * bytes. find: the part that begins at this offset, which grows from call to call, as a view that
 * lasts; false: the content of none is known there. skip: leaves out the next n bytes, the rest of
 * a part. Such a source ends what it gives at once behind the first byte of a part.
 *
 * ahead: how long the k-th part is (1: the next) behind the one that find() told of last, what its
 * content is, and what stands before it; false: the content is not known. skip_run: leaves out the
 * next n of them, when all of that one was left out; their text, with what stands before each. */
struct part_source {
    bool (*find)(void *context, uint64_t offset, struct text_view *text, uint64_t *content);
    void (*skip)(void *context, size_t n);
    bool (*ahead)(void *context, uint32_t k, struct text_part *part, struct str *lead);
    struct text_view (*skip_run)(void *context, uint32_t n);
    void *context;
};

#endif
