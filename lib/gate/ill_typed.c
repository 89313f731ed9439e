#include "gate/ill_typed.h"

#include "base/buf.h"
#include "kube/kinds.h"
#include "reader/snapshot_reader.h"

enum { FIELD_SHOWN_MAX = 253 };

struct looking {
    const struct proposal *proposal;
    const uint64_t *begins;        /* where each object begins in what is read */
    const struct proposed *object; /* with the first such value; NULL: there is none */
    struct snapshot_misfit first;
    uint32_t n;
};

static void pass_over(void *context, const struct snapshot_object *object)
{
    (void)context;
    (void)object;
}

static const struct proposed *object_at(const struct looking *looking, uint64_t offset)
{
    uint32_t i = looking->proposal->objects.n;
    while (i > 0 && looking->begins[i - 1] > offset)
        i--;
    return i > 0 ? &looking->proposal->objects.items[i - 1] : NULL;
}

static void note(void *context, const struct snapshot_misfit *misfit)
{
    struct looking *looking = context;
    const struct proposed *object = object_at(looking, misfit->at);
    if (!object || object->kind == KIND_NONE || looking->n++)
        return;
    looking->object = object;
    looking->first = *misfit;
}

static struct str sentence(struct arena *arena, const struct looking *looking, const char *is,
                           const char *wanted, const char *end)
{
    const struct proposed *object = looking->object;
    struct str field = str_utf8_prefix(looking->first.field, FIELD_SHOWN_MAX);
    return arena_printf(
        arena, "%" STR_FMT " %" STR_FMT "%s%" STR_FMT " will be refused: %" STR_FMT " is %s%s%s%s",
        STR_ARG(object->kind_name), STR_ARG(object->name), object->namespace.n ? " in " : "",
        STR_ARG(object->namespace), STR_ARG(field), is, is[0] ? ", where " : "not ", wanted, end);
}

/* Of a text that is no number it is not told what it says: it may be a secret. */
static struct str in_words(struct arena *arena, const struct looking *looking)
{
    const struct snapshot_misfit *first = &looking->first;
    bool is_text = first->is[0] == '"';
    struct str begin = sentence(arena, looking, is_text ? "" : first->is, first->wanted,
                                is_text ? "" : " belongs");
    if (looking->n == 1)
        return arena_printf(arena, "%" STR_FMT ". It counts as left out.", STR_ARG(begin));
    return arena_printf(arena, "%" STR_FMT "; %u more value%s like that. They count as left out.",
                        STR_ARG(begin), looking->n - 1, looking->n == 2 ? " is" : "s are");
}

struct rollout_finding ill_typed_of(struct arena *arena, const struct proposal *proposal,
                                    const struct effort_limits *limits, struct effort **effort)
{
    uint32_t n = proposal->objects.n;
    uint64_t *begins = ARENA_ARRAY(arena, n, uint64_t);
    struct looking looking = {.proposal = proposal, .begins = begins};
    const struct snapshot_visitor visitor = {pass_over, note, &looking};
    const struct snapshot_options options = {
        .effort_limits = limits, .effort = effort, .told = &visitor};
    struct buf text = buf_init(arena, SIZE_MAX / 4);
    struct snapshot_error error;
    for (uint32_t i = 0; i < n; i++) {
        begins[i] = text.n;
        buf_put(&text, proposal->objects.items[i].text);
        buf_putc(&text, '\n');
    }
    struct str document = buf_str(&text);
    snapshot_read(arena, source_of(&document), &options, &error);
    if (looking.n == 0)
        return (struct rollout_finding){0};
    const struct proposed *object = looking.object;
    return (struct rollout_finding){.message = in_words(arena, &looking),
                                    .namespace = object->namespace,
                                    .resource =
                                        kind_resource(arena, object->kind_name, object->name)};
}
