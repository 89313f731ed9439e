#include "codec/jr_reader.h"

/* One step of a JSON pointer: ~ and / in keys are written ~0 and ~1. */
static void put_key(struct buf *path, struct str key)
{
    buf_putc(path, '/');
    for (size_t i = 0; i < key.n; i++) {
        if (key.p[i] == '~')
            buf_put(path, STR("~0"));
        else if (key.p[i] == '/')
            buf_put(path, STR("~1"));
        else
            buf_putc(path, key.p[i]);
    }
}

/* What leads from a level to what is current in it. An object's key is absent before the first. */
struct step {
    bool object;
    struct str key;
    uint64_t count; /* of an array: elements so far */
};

static struct step step_of(const struct jr *r, unsigned level)
{
    const struct jr_place *at = &r->at;
    struct step step = {.object = at->objects >> (at->depth - level) & 1,
                        .key = r->key,
                        .count = at->levels[level].count};
    if (level < at->depth) {
        const struct jr_level *next = &at->levels[level + 1];
        step.key = (struct str){at->path + next->path_from, next->path_to - next->path_from};
    }
    return step;
}

static struct str path_of(struct jr *r)
{
    struct buf path = buf_init(r->arena, SIZE_MAX);
    for (unsigned level = 1; level <= r->at.depth; level++) {
        struct step step = step_of(r, level);
        if (!step.object && step.count > 0)
            buf_printf(&path, "/%llu", (unsigned long long)(step.count - 1));
        else if (step.object && step.key.p)
            put_key(&path, step.key);
    }
    return path.p ? buf_str(&path) : STR("");
}

struct str jr_field(struct jr *r, unsigned depth)
{
    struct buf field = buf_init(r->arena, SIZE_MAX);
    for (unsigned level = depth + 1; level <= r->at.depth; level++) {
        struct step step = step_of(r, level);
        if (!step.object)
            buf_printf(&field, "[%llu]", (unsigned long long)(step.count - 1));
        else if (memchr(step.key.p, '.', step.key.n))
            buf_printf(&field, "[%" STR_FMT "]", STR_ARG(step.key));
        else
            buf_printf(&field, "%s%" STR_FMT, field.n ? "." : "", STR_ARG(step.key));
    }
    return field.p ? buf_str(&field) : STR("");
}

bool jr_fail(struct jr *r, enum jr_code code, uint64_t offset, const char *text)
{
    r->pending = JR_PENDING_ERROR;
    r->text.p = NULL;
    if (r->error.code == JR_OK)
        r->error = (struct jr_error){code, offset, path_of(r), text};
    return false;
}

bool jr_fail_token(struct jr *r, const char *text)
{
    if (r->next != r->last)
        return jr_fail(r, JR_E_SYNTAX, r->base + *r->next, text);
    if (r->final_code != JR_OK)
        return jr_fail(r, r->final_code, r->base + r->end, r->final_text);
    return jr_fail(r, JR_E_TRUNCATED, r->base + r->end, "the input ends inside a value");
}

bool jr_fail_depth(struct jr *r)
{
    return jr_fail(r, JR_E_DEPTH, r->base + *r->next, "nested too deep");
}

const struct jr_error *jr_error(struct jr *r)
{
    return &r->error;
}
