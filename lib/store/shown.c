#include "store/shown.h"

#include "base/buf.h"
#include "kube/kinds.h"

enum { TEXT_MAX = 4000 };

struct memory {
    uint64_t kinds;
    int64_t missed[KIND_COUNT]; /* since when; TIME_NONE: the latest snapshot has it */
};

/* Is the word a kind that is still remembered? */
static bool read_word(struct str word, int64_t time, enum kind *kind, int64_t *missed)
{
    struct str name, since;
    *missed = TIME_NONE;
    bool is_missed = str_cut(word, '=', &name, &since);
    *kind = kind_find(name, (struct str){0});
    if (*kind == KIND_NONE || !is_missed)
        return *kind != KIND_NONE;
    return str_to_i64(since, missed) && *missed >= 0 && time - *missed < SHOWN_KEPT_MS;
}

static struct memory read_memory(struct str kept, int64_t time)
{
    struct memory memory = {0};
    struct str word;
    enum kind kind;
    int64_t missed;
    while (str_next_word(&kept, &word)) {
        if (!read_word(word, time, &kind, &missed))
            continue;
        memory.kinds |= (uint64_t)1 << kind;
        memory.missed[kind] = missed;
    }
    return memory;
}

uint64_t shown_before(struct str kept, int64_t time)
{
    return read_memory(kept, time).kinds;
}

struct str shown_after(struct arena *arena, struct str kept, uint64_t kinds, int64_t time)
{
    struct memory memory = read_memory(kept, time);
    struct buf out = buf_init(arena, TEXT_MAX);
    for (enum kind kind = KIND_NONE + 1; kind < KIND_COUNT; kind++) {
        bool held = kinds >> kind & 1;
        if (!held && !(memory.kinds >> kind & 1))
            continue;
        buf_put(&out, out.n ? STR(" ") : STR(""));
        buf_put(&out, kind_name(kind));
        if (!held)
            buf_printf(&out, "=%lld",
                       (long long)(memory.missed[kind] == TIME_NONE ? time : memory.missed[kind]));
    }
    assert(!out.full);
    return out.n ? buf_str(&out) : STR("");
}
