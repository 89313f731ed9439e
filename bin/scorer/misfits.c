#include "misfits.h"

#include <stdio.h>

#include "complaint.h"
#include "kube/kinds.h"

enum { KEPT_MAX = 10000, SHOWN = 20 };

struct misfit {
    uint64_t at;
    struct str object, text;
};

/* text: valid as long as the list */
static void add(struct misfits *misfits, uint64_t at, struct str text)
{
    struct misfit misfit = {.at = at, .text = text};
    if (misfits->list.n < KEPT_MAX)
        LIST_ADD(misfits->arena, misfits->list, misfit);
    else
        misfits->more++;
}

void misfits_add(struct misfits *misfits, const struct snapshot_misfit *misfit)
{
    struct str text =
        arena_printf(misfits->arena, "%" STR_FMT " is %s, where %s belongs; it counts as left out",
                     STR_ARG(misfit->field), misfit->is, misfit->wanted);
    add(misfits, misfit->at, text);
}

/* What is created by kubectl create may have metadata.generateName in its place. */
static bool lacks_name(const struct snapshot_object *object)
{
    return !object->name.n && !str_has(object->text, STR("\"generateName\""));
}

static struct str title_of(struct arena *arena, enum kind kind, struct str namespace,
                           struct str name)
{
    return arena_printf(arena, "%" STR_FMT "%s%" STR_FMT "%s%" STR_FMT, STR_ARG(kind_name(kind)),
                        namespace.n || name.n ? " " : "", STR_ARG(namespace),
                        namespace.n && name.n ? "/" : "", STR_ARG(name));
}

void misfits_name(struct misfits *misfits, const struct snapshot_object *object)
{
    uint32_t kept = misfits->named;
    if (object->kind != KIND_NONE && misfits->list.n == kept && lacks_name(object))
        add(misfits, object->from, STR("metadata.name is missing"));
    if (misfits->list.n == kept)
        return;
    struct str title = title_of(misfits->arena, object->kind, object->namespace, object->name);
    for (uint32_t i = kept; i < misfits->list.n; i++) {
        struct misfit *misfit = &misfits->list.items[i];
        misfit->object = title;
        if (misfit->at >= object->from && object->kind != KIND_NONE)
            misfits->list.items[kept++] = *misfit;
    }
    misfits->list.n = misfits->named = kept;
}

void misfits_add_to(struct misfits *misfits, const struct object *object, uint64_t from,
                    const char *text)
{
    uint32_t n = misfits->list.n;
    const struct object_meta *meta = &object->meta;
    add(misfits, from, str_of(text));
    if (misfits->list.n == n)
        return;
    misfits->list.items[n].object =
        title_of(misfits->arena, object->kind, meta->namespace, meta->name);
    misfits->named++;
}

static void tell(const struct misfits *misfits, const struct places *places,
                 const struct misfit *misfit)
{
    struct str text = arena_printf(misfits->arena, "%" STR_FMT ": %" STR_FMT,
                                   STR_ARG(misfit->object), STR_ARG(misfit->text));
    complain_at(misfits->arena, places_find_object(places, misfit->at), text);
}

void misfits_tell(const struct misfits *misfits, const struct places *places, bool verbose)
{
    uint32_t n = misfits->named, shown = verbose || n <= SHOWN ? n : SHOWN;
    uint32_t more = n - shown + misfits->more;
    for (uint32_t i = 0; i < shown; i++)
        tell(misfits, places, &misfits->list.items[i]);
    if (more)
        fprintf(stderr, "loadline-score: %u more value%s like that%s\n", more, more == 1 ? "" : "s",
                verbose ? "" : "; --verbose names them");
}
