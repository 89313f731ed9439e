#include "reader/item.h"
#include "reader/remember.h"
#include "reader/remembering.h"

/* ---- contents ---- */

uint64_t remember_content(void)
{
    static uint64_t last;
    return ++last;
}

/* How many commas it has; SIZE_MAX when there is anything else but blanks. */
static size_t count_commas(struct str text)
{
    size_t n = 0;
    for (size_t i = 0; i < text.n; i++)
        if (text.p[i] == ',')
            n++;
        else if (!memchr(" \n\r\t", text.p[i], 4))
            return SIZE_MAX;
    return n;
}

uint64_t remember_lead(struct object_memory *memory, struct str text)
{
    if (!text.n || text.n > TEXT_LEAD_MAX || count_commas(text) == SIZE_MAX)
        return 0;
    for (uint32_t i = 0; i < memory->leads_n; i++)
        if (str_eq((struct str){memory->leads[i].bytes, memory->leads[i].n}, text))
            return memory->leads[i].content;
    if (memory->leads_n == REMEMBERED_LEADS)
        return 0;
    struct remembered_lead *lead = &memory->leads[memory->leads_n++];
    lead->content = remember_content();
    lead->n = text.n;
    memcpy(lead->bytes, text.p, text.n);
    return lead->content;
}

/* ---- objects ---- */

void remember_take(struct reader *reader, const struct remembered *item)
{
    struct remember *remember = reader->remember;
    item_keep(reader, item->kind, item->object);
    reader->newest->content = item->content;
    item_note(reader, item->kind);
    LIST_ADD(remember->arena, remember->now, item);
    remember->next++;
    remember->known++;
}

/* Is it the k-th object that is expected, and nothing but a comma before it? */
static bool is_next(const struct reader *reader, uint32_t k, struct text_part *part,
                    struct str *before)
{
    const struct part_source *parts = reader->parts;
    const struct remember *remember = reader->remember;
    struct object_memory *memory = remember->memory;
    const struct remembered *item = &memory->items[remember->next + k];
    struct str lead;
    if (!parts->ahead(parts->context, k + 1, part, &lead) || !item->object || item->edits_n ||
        part->content != item->content || jr_depth(reader->decoder.jr) > item->depth ||
        !content_hash_eq(&item->setting, &remember->setting.hash))
        return false;
    if (k && str_eq(lead, *before)) {
        part->lead = reader->places.items[reader->places.n - 1].lead;
    } else if (lead.n && count_commas(lead) == 1) {
        part->lead = remember_lead(memory, lead);
        *before = lead;
    }
    return part->lead != 0;
}

/* Adds the places of those that are next; how many they are. */
static uint32_t find_run(struct reader *reader, uint64_t at)
{
    const struct remember *remember = reader->remember;
    struct text_part part;
    struct str lead = {NULL, 0};
    uint32_t n = 0;
    for (; remember->next + n < remember->memory->n && is_next(reader, n, &part, &lead); n++) {
        part.offset = at + lead.n;
        at = part.offset + part.length;
        LIST_ADD(reader->decoder.arena, reader->places, part);
    }
    return n;
}

void remember_run(struct reader *reader)
{
    struct remember *remember = reader->remember;
    struct jr *jr = reader->decoder.jr;
    text_part_list *places = &reader->places;
    if (!remember->left_out || !reader->wants_places || !scrub_may_pass_run(reader->scrub))
        return;
    uint64_t from = scrub_taken(reader->scrub);
    uint32_t first = places->n, n = find_run(reader, from);
    const struct text_part *last = n ? &places->items[places->n - 1] : NULL;
    if (!last || !jr_leave_out(jr, (size_t)(last->offset + last->length - from), n)) {
        places->n = first;
        return;
    }
    struct text_run run = {.parts = places->items + first,
                           .n = n,
                           .from = from,
                           .text = reader->parts->skip_run(reader->parts->context, n)};
    scrub_pass_run(reader->scrub, &run);
    for (uint32_t i = 0; i < n; i++)
        remember_take(reader, &remember->memory->items[remember->next]);
    remember->behind = jr_offset(jr);
}
