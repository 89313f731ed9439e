#include "jr_dump.h"

#include <string.h>

#include "codec/jw.h"

const struct jr_limits JR_WIDE = {
    .depth = 64, .key = 1 << 16, .string = 1 << 20, .mark = 1 << 20, .total = 1 << 30};

bool jr_has_kernel(enum jr_kernel kernel)
{
    return kernel <= jr_kernel_best();
}

struct pieces {
    struct str text;
    size_t size;
};

static ptrdiff_t read_piece(void *context, char *dst, size_t cap)
{
    struct pieces *pieces = context;
    struct str piece = str_sub(pieces->text, 0, pieces->size < cap ? pieces->size : cap);
    if (piece.n)
        memcpy(dst, piece.p, piece.n);
    pieces->text = str_sub(pieces->text, piece.n, pieces->text.n);
    return (ptrdiff_t)piece.n;
}

static bool put(void *context, struct str bytes)
{
    buf_put(context, bytes);
    return true;
}

enum { KNOWN = 8 };

/* A container that was read, and what came out. */
struct known {
    struct str text, json;
    unsigned depth;
};

/* Levels that are read the same way from the outside in; the depth of JSON bounds the recursion. */
struct dumper {
    struct arena *arena;
    struct jr *r;
    struct jw w;
    enum jr_way way;
    struct str text;       /* all of it ... */
    struct pieces *pieces; /* ... and what the source has not given yet */
    struct buf *tapped;
    struct known known[KNOWN];
    unsigned knows;
};

static void dump_value(struct dumper *d, enum jr_type type);

static void dump_level(struct dumper *d)
{
    for (enum jr_type type; (type = jr_next(d->r)) > JR_END;) {
        struct str key = jr_key(d->r);
        if (key.p)
            jw_key(&d->w, key);
        if (d->way == JR_WAY_REWIND) {
            jr_mark(d->r);
            if (jr_next(d->r) > JR_END)
                jr_next(d->r);
            if (!jr_rewind(d->r))
                return;
        }
        dump_value(d, type);
        if (d->way == JR_WAY_LEAVE && jr_depth(d->r) > 0) {
            jr_leave(d->r);
            return;
        }
    }
}

static void dump_container(struct dumper *d, enum jr_type type)
{
    if (type == JR_OBJECT)
        jw_object(&d->w);
    else
        jw_array(&d->w);
    jr_enter(d->r);
    dump_level(d);
    if (type == JR_OBJECT)
        jw_object_end(&d->w);
    else
        jw_array_end(&d->w);
}

static bool comes_next(struct dumper *d, struct str text)
{
    struct str ahead = d->way == JR_WAY_UNREAD ? str_sub(d->text, jr_offset(d->r), d->text.n)
                                               : jr_ahead(d->r, text.n);
    return str_has_prefix(ahead, text);
}

static void jump_over(struct dumper *d, struct str text)
{
    if (d->way == JR_WAY_JUMP) {
        jr_jump(d->r, text.n, NULL);
        return;
    }
    size_t n = jr_jump_unread(d->r, text.n);
    d->pieces->text = str_sub(d->pieces->text, n, d->pieces->text.n);
    buf_put(d->tapped, text);
}

static bool jump(struct dumper *d)
{
    for (unsigned i = 0; i < KNOWN; i++) {
        const struct known *known = &d->known[i];
        if (known->text.n == 0 || known->depth < jr_depth(d->r) || !comes_next(d, known->text))
            continue;
        jump_over(d, known->text);
        jw_raw(&d->w, known->json);
        return true;
    }
    return false;
}

static void jump_or_learn(struct dumper *d, enum jr_type type)
{
    if (jump(d))
        return;
    uint64_t from = jr_offset(d->r);
    size_t out = d->w.out->n + d->w.comma;
    dump_container(d, type);
    struct str text = jr_behind(d->r, from);
    if (jr_error(d->r)->code == JR_OK && text.p)
        d->known[d->knows++ % KNOWN] = (struct known){
            arena_str(d->arena, text),
            arena_str(d->arena, str_sub(buf_str(d->w.out), out, SIZE_MAX)), jr_depth(d->r)};
}

static void dump_value(struct dumper *d, enum jr_type type)
{
    if (d->way == JR_WAY_REPLACE && type == JR_STRING && jr_text(d->r).p) {
        jr_replace(d->r, STR("\"*\""));
        jw_str(&d->w, STR("*"));
    } else if (type == JR_OBJECT || type == JR_ARRAY) {
        if (d->way == JR_WAY_JUMP || d->way == JR_WAY_UNREAD)
            jump_or_learn(d, type);
        else
            dump_container(d, type);
    } else if (type == JR_STRING) {
        jw_str(&d->w, jr_text(d->r));
    } else if (type > JR_END) {
        jw_raw(&d->w, jr_text(d->r));
    }
}

struct jr_dump jr_dump(struct arena *arena, struct str text, struct jr_setting setting)
{
    struct pieces pieces = {text, setting.piece};
    struct source source = {read_piece, &pieces};
    struct buf out = buf_init(arena, SIZE_MAX), tapped = buf_init(arena, SIZE_MAX);
    struct dumper d = {
        .arena = arena, .way = setting.way, .text = text, .pieces = &pieces, .tapped = &tapped};
    d.r = jr_open_sized(arena, source, setting.limits, setting.window, setting.kernel);
    jr_tap(d.r, (struct sink){put, &tapped});
    jw_init(&d.w, &out);
    if (setting.way == JR_WAY_SKIP)
        while (jr_next(d.r) > JR_END)
            ;
    else
        dump_level(&d);
    return (struct jr_dump){buf_str(&out), buf_str(&tapped), *jr_error(d.r)};
}
