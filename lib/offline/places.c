#include "offline/places.h"

void places_init(struct places *places, struct arena *arena)
{
    *places = (struct places){.arena = arena};
    lines_init(&places->lines, arena);
}

static struct place_file *last_file(const struct places *places)
{
    return &places->files.items[places->files.n - 1];
}

struct place_file *places_add(struct places *places, struct str name)
{
    struct place_file file = {.name = arena_str(places->arena, name), .to = UINT64_MAX};
    LIST_ADD(places->arena, places->files, file);
    return last_file(places);
}

void places_begin(struct places *places)
{
    struct place_file *file = last_file(places);
    file->from = places->lines.offset;
    file->line = places->lines.count;
    LIST_ADD(places->arena, places->read, places->files.n - 1);
}

void places_end(struct places *places)
{
    last_file(places)->to = places->lines.offset;
}

struct place_file *places_file(const struct places *places, uint64_t offset)
{
    uint32_t at = 0;
    LIST_LOWER_BOUND(places->read, at, places->files.items[places->read.items[at]].from <= offset);
    return places->read.n ? &places->files.items[places->read.items[at ? at - 1 : 0]] : NULL;
}

static struct place place_in(const struct places *places, const struct place_file *file,
                             uint64_t offset)
{
    uint64_t start;
    if (!file)
        return (struct place){.line = 1};
    bool behind = offset > file->to;
    uint64_t line = lines_find(&places->lines, behind ? file->to : offset, &start);
    start = start > file->from ? start : file->from;
    return (struct place){.file = file->name,
                          .line = line - file->line + 1,
                          .column = file->converted || behind ? 0 : offset - start + 1,
                          .behind = behind};
}

struct place places_find(const struct places *places, uint64_t offset)
{
    const struct place_file *file = places_file(places, offset);
    if (file && offset > 0 && file->from == offset)
        file = places_file(places, offset - 1);
    return place_in(places, file, offset);
}

struct place places_find_object(const struct places *places, uint64_t from)
{
    return place_in(places, places_file(places, from), from);
}
