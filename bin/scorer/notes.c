#include "notes.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "kube/selector.h"
#include "score/completeness.h"

struct noting {
    const struct reading *reading;
    const struct options *options;
    const id_list *baseline;
    struct table namespaces; /* struct namespace, by name */
};

/* ---- owners ---- */

static struct table index_namespaces(struct arena *arena, const struct cluster *cluster)
{
    struct table table = table_init(arena, cluster->namespaces.n);
    for (uint32_t i = 0; i < cluster->namespaces.n; i++) {
        const struct namespace *namespace = cluster->namespaces.items[i];
        table_add(&table, str_hash(0, namespace->object.meta.name), namespace);
    }
    return table;
}

static struct str owner_of(const struct noting *noting, const struct risk *risk)
{
    struct str key = noting->options->owner_label, owner = {NULL, 0};
    const struct namespace *namespace;
    if (risk->object)
        owner = pair_value(risk->object->meta.labels, key);
    if (owner.n)
        return owner;
    TABLE_EACH (namespace, &noting->namespaces, str_hash(0, risk->namespace))
        if (str_eq(namespace->object.meta.name, risk->namespace))
            return pair_value(namespace->object.meta.labels, key);
    return owner;
}

/* ---- filters ---- */

static bool matches(const struct filter *filter, const struct risk *risk, struct arena *arena,
                    struct str owner)
{
    struct str subject = filter->of == FILTER_CHECK       ? str_of(risk->check->id)
                         : filter->of == FILTER_NAMESPACE ? risk->namespace
                                                          : owner;
    return fnmatch(filter->pattern, arena_str(arena, str_or_empty(subject)).p, 0) == 0;
}

/* Of the filters that include, one of each kind that there is must match. */
static bool is_hidden(const struct noting *noting, const struct risk *risk, struct str owner)
{
    bool asked[FILTER_COUNT] = {false}, included[FILTER_COUNT] = {false}, hidden = false;
    const struct filter *filter;
    LIST_EACH (filter, noting->options->filters) {
        bool match = matches(filter, risk, noting->reading->arena, owner);
        hidden |= filter->exclude && match;
        asked[filter->of] |= !filter->exclude;
        included[filter->of] |= !filter->exclude && match;
    }
    for (int i = 0; i < FILTER_COUNT; i++)
        hidden |= asked[i] && !included[i];
    return hidden;
}

/* ---- all of it ---- */

static bool is_in_baseline(const struct noting *noting, const struct risk *risk)
{
    uint64_t id;
    return noting->baseline && risk_id_parse(str_of(risk->id), &id) &&
           known_has(noting->baseline, id);
}

static struct report_note note_of(const struct noting *noting, const struct risk *risk)
{
    struct report_note note = {.owner = owner_of(noting, risk)};
    struct place place;
    note.hidden = noting->options->filters.n && is_hidden(noting, risk, note.owner);
    note.is_new = !is_in_baseline(noting, risk);
    if (reading_find(noting->reading, risk->object, &place)) {
        note.file = place.file;
        note.line = place.line;
    }
    return note;
}

struct report_extras notes_make(const struct reading *reading, const struct options *options,
                                const struct ledger *ledger, const id_list *baseline)
{
    struct noting noting = {.reading = reading, .options = options, .baseline = baseline};
    struct report_note *notes = ARENA_ARRAY(reading->arena, ledger->risks.n, struct report_note);
    uint32_t known = 0;
    noting.namespaces = index_namespaces(reading->arena, reading->cluster);
    for (uint32_t i = 0; i < ledger->risks.n; i++) {
        notes[i] = note_of(&noting, &ledger->risks.items[i]);
        known += !notes[i].is_new;
    }
    return (struct report_extras){.notes = notes,
                                  .has_baseline = baseline != NULL,
                                  .gone = baseline ? baseline->n - known : 0,
                                  .by_namespace = options->by_namespace,
                                  .by_owner = options->by_owner};
}

bool notes_fail(const struct reading *reading, const struct options *options,
                const struct ledger *ledger, const struct report_extras *extras)
{
    bool of_manifests = completeness_of_manifests(reading->cluster);
    for (uint32_t i = 0; i < ledger->risks.n; i++) {
        const struct risk *risk = &ledger->risks.items[i];
        bool lacks_status = of_manifests && risk->check == &checks[CHECK_insufficient_evidence];
        bool counts = (!extras->has_baseline || extras->notes[i].is_new) && !lacks_status;
        if (counts && !extras->notes[i].hidden && !risk->exempt &&
            risk->severity <= options->fail_on)
            return true;
    }
    return false;
}

static void tell_told(struct arena *arena, const char *what, const struct told_time *told)
{
    char text[CLOCK_TEXT_SIZE];
    const struct object *object = told->object;
    struct str namespace = object->meta.namespace;
    struct str name =
        arena_printf(arena, "%" STR_FMT " %" STR_FMT "%s%" STR_FMT, STR_ARG(object->kind_name),
                     STR_ARG(namespace), namespace.n ? "/" : "", STR_ARG(object->meta.name));
    fprintf(stderr, "%s: %" STR_FMT ", told by %" STR_FMT "\n", what,
            STR_ARG(clock_format_short(told->time, text)), STR_ARG(report_plain(arena, name)));
}

void notes_tell_time(struct arena *arena, struct report_terms terms,
                     const struct cluster_look *look)
{
    if (strcmp(terms.time_source, "snapshot") != 0)
        return;
    tell_told(arena, "time of the snapshot", &look->at);
    if (terms.later_left_out)
        tell_told(arena, "later, so not of the same look", &look->newest);
}

void notes_tell_unused(const struct options *options, const struct ledger *ledger)
{
    const struct exemption *exemption;
    LIST_EACH (exemption, options->policy.exemptions) {
        bool used = false;
        for (uint32_t i = 0; !used && i < ledger->risks.n; i++)
            used = ledger->risks.items[i].exemption == exemption;
        if (!used)
            fprintf(stderr, "%s: the exemption of %s (%" STR_FMT ") has no use\n",
                    options->exemption_file, exemption->check->id, STR_ARG(exemption->reason));
    }
}
