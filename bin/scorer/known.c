#include "known.h"

#include <stdio.h>

#include "codec/jr.h"
#include "offline/input.h"
#include "report/report.h"
#include "score/result.h"

enum { DEPTH_MAX = 16, TEXT_MAX = 4096 };

/* A file of ours that is being read. */
struct file {
    struct arena *arena;
    const char *path;
    struct input *input;
    struct jr *jr;
    bool failed;
};

static void complain(struct file *file, uint64_t offset, const char *text)
{
    const struct input_error *error = input_error(file->input);
    struct place place = places_find(input_places(file->input), offset);
    uint64_t line = error->text.p ? error->line : place.line;
    if (file->failed)
        return;
    file->failed = true;
    text = error->text.p ? error->text.p : text;
    if (line)
        fprintf(stderr, "loadline-score: %s:%llu: %s\n", file->path, (unsigned long long)line,
                text);
    else
        fprintf(stderr, "loadline-score: %s: %s\n", file->path, text);
}

static bool open_file(struct file *file, struct arena *arena, const char *const *path)
{
    struct jr_limits limits = {.depth = DEPTH_MAX,
                               .key = TEXT_MAX,
                               .string = TEXT_MAX,
                               .mark = TEXT_MAX,
                               .total = UINT64_MAX};
    *file = (struct file){.arena = arena, .path = *path, .input = input_open(path, 1)};
    if (!file->input) {
        fputs("loadline-score: no memory left\n", stderr);
        return false;
    }
    file->jr = jr_open(arena, input_source(file->input), limits);
    return true;
}

/* Complains of what the reader stopped at. */
static bool close_file(struct file *file)
{
    const struct jr_error *error = jr_error(file->jr);
    if (error->code != JR_OK)
        complain(file, error->offset, error->text);
    input_close(file->input);
    return !file->failed;
}

/* What a file is: an object with a list of objects in it. */
struct wanted {
    struct str list;   /* its name */
    const char *alone; /* to say of another member; NULL: there are others, which are not read */
    const char *item;  /* to say of what is no object in the list */
    void (*read)(struct file *file, void *context); /* an object in it */
};

static void read_items(struct file *file, const struct wanted *wanted, void *context)
{
    enum jr_type type;
    jr_enter(file->jr);
    while (!file->failed && (type = jr_next(file->jr)) > JR_END)
        if (type == JR_OBJECT)
            wanted->read(file, context);
        else
            complain(file, jr_offset(file->jr), wanted->item);
}

/* Says whether there was such a list. Complains of what is behind the object. */
static bool read_list(struct file *file, const struct wanted *wanted, void *context)
{
    struct jr *jr = file->jr;
    enum jr_type type;
    bool found = false;
    if (jr_next(jr) != JR_OBJECT)
        return false;
    jr_enter(jr);
    while (!file->failed && (type = jr_next(jr)) > JR_END)
        if (type == JR_ARRAY && str_eq(jr_key(jr), wanted->list)) {
            found = true;
            read_items(file, wanted, context);
        } else if (wanted->alone) {
            complain(file, jr_offset(jr), wanted->alone);
        }
    while (!file->failed && (type = jr_next(jr)) > JR_END)
        if (type != JR_NULL) /* an empty document of YAML */
            complain(file, jr_offset(jr), "a second document, which would not be read");
    return found;
}

/* ---- the baseline ---- */

static int by_number(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void read_risk(struct file *file, void *context)
{
    id_list *ids = context;
    struct jr *jr = file->jr;
    enum jr_type type;
    uint64_t id;
    jr_enter(jr);
    while ((type = jr_next(jr)) > JR_END)
        if (type == JR_STRING && str_eq(jr_key(jr), STR("id")) && risk_id_parse(jr_text(jr), &id))
            LIST_ADD(file->arena, *ids, id);
    if (ids->n > KNOWN_RISKS_MAX)
        complain(file, jr_offset(jr), "more than 10 million risks");
}

#define NO_REPORT "this is no report of loadline-score --format json"

bool known_baseline(struct arena *arena, const char *path, id_list *ids)
{
    static const struct wanted wanted = {STR("risks"), NULL, NO_REPORT, read_risk};
    struct file file;
    if (!open_file(&file, arena, &path))
        return false;
    if (!read_list(&file, &wanted, ids) && jr_error(file.jr)->code == JR_OK)
        complain(&file, 0, NO_REPORT);
    LIST_SORT(*ids, by_number);
    return close_file(&file);
}

bool known_has(const id_list *ids, uint64_t id)
{
    return ids->n && LIST_FIND(*ids, &id, by_number);
}

/* ---- exemptions ---- */

static void take_member(struct file *file, struct exemption *exemption)
{
    struct jr *jr = file->jr;
    struct str text = arena_str(file->arena, jr_text(jr)), key = jr_key(jr);
    uint64_t offset = jr_offset(jr);
    if (str_eq(key, STR("check"))) {
        exemption->check = check_find(text);
        if (!exemption->check)
            complain(file, offset, "there is no such check; --list-checks names them");
    } else if (str_eq(key, STR("namespace"))) {
        exemption->namespace = text;
        if (!text.n)
            complain(file, offset, "namespace must not be empty; leave it out for all");
    } else if (str_eq(key, STR("workload"))) {
        exemption->workload = exemption_resource(file->arena, text);
        if (!exemption->workload.p)
            complain(file, offset,
                     "workload must be a kind and a name, as deployment/api, or a name; leave it "
                     "out for all");
    } else if (str_eq(key, STR("reason"))) {
        exemption->reason = str_trim(text);
    } else if (str_eq(key, STR("owner"))) {
        exemption->owner = str_trim(text);
    } else if (str_eq(key, STR("expires"))) {
        exemption->expires = exemption_end(text);
        if (exemption->expires == TIME_NONE)
            complain(file, offset, "expires must be a day or a time, as 2027-03-31");
    } else {
        complain(file, offset,
                 "an exemption has check, namespace, workload, reason, owner and "
                 "expires, and nothing else");
    }
}

static void read_exemption(struct file *file, void *context)
{
    exemption_list *list = context;
    struct exemption exemption = {.expires = TIME_NONE};
    uint64_t offset = jr_offset(file->jr);
    enum jr_type type;
    jr_enter(file->jr);
    while (!file->failed && (type = jr_next(file->jr)) > JR_END)
        if (type == JR_STRING)
            take_member(file, &exemption);
        else
            complain(file, jr_offset(file->jr),
                     "the members of an exemption are texts: quote this one");
    if (!exemption.check || !exemption.reason.n || !exemption.owner.n ||
        exemption.expires == TIME_NONE)
        complain(file, offset, "an exemption must have check, reason, owner and expires");
    else if (list->n == KNOWN_EXEMPTIONS_MAX)
        complain(file, offset, "more than 10000 exemptions");
    else
        LIST_ADD(file->arena, *list, exemption);
}

#define NO_EXEMPTIONS "it wants a list of exemptions: exemptions: [{check: ...}]"

bool known_exemptions(struct arena *arena, const char *path, exemption_list *list)
{
    static const struct wanted wanted = {STR("exemptions"), NO_EXEMPTIONS ", and nothing else",
                                         "an exemption is an object: {check: ...}", read_exemption};
    struct file file;
    if (!open_file(&file, arena, &path))
        return false;
    if (!read_list(&file, &wanted, list) && jr_error(file.jr)->code == JR_OK)
        complain(&file, 0, NO_EXEMPTIONS);
    return close_file(&file);
}

/* ---- deploys ---- */

static void add_words(struct file *file, struct buf *words)
{
    enum jr_type type;
    jr_enter(file->jr);
    while ((type = jr_next(file->jr)) > JR_END)
        if (type == JR_STRING)
            buf_printf(words, "%" STR_FMT " ", STR_ARG(jr_text(file->jr)));
}

/* "deployment/api" */
static bool take_resource(struct file *file, struct str text, struct deployed *deployed)
{
    struct str word, name;
    if (!str_cut(text, '/', &word, &name))
        return false;
    deployed->kind = kind_of_workload(word);
    deployed->name = arena_str(file->arena, name);
    return deployed->kind != KIND_NONE && name.n;
}

static void read_deploy(struct file *file, deployed_list *list)
{
    struct deployed deployed = {.at = TIME_NONE};
    struct str event = {0};
    struct buf changes = buf_init(file->arena, TEXT_MAX);
    uint64_t offset = jr_offset(file->jr);
    bool named = false;
    enum jr_type type;
    jr_enter(file->jr);
    while ((type = jr_next(file->jr)) > JR_END) {
        struct str key = jr_key(file->jr);
        if (type == JR_ARRAY && str_eq(key, STR("changes")))
            add_words(file, &changes);
        if (type != JR_STRING)
            continue;
        if (str_eq(key, STR("at")))
            deployed.at = clock_parse(jr_text(file->jr));
        else if (str_eq(key, STR("event")))
            event = arena_str(file->arena, jr_text(file->jr));
        else if (str_eq(key, STR("namespace")))
            deployed.namespace = arena_str(file->arena, jr_text(file->jr));
        else if (str_eq(key, STR("resource")))
            named = take_resource(file, jr_text(file->jr), &deployed);
    }
    if (jr_error(file->jr)->code != JR_OK)
        return;
    if (deployed.at == TIME_NONE || !event.n || !deployed.namespace.p || !named)
        complain(file, offset, "a deploy must have at, namespace, resource and event");
    else if (list->n == KNOWN_DEPLOYS_MAX)
        complain(file, offset, "more than 100000 deploys");
    else if (deployed_take(event, buf_str(&changes), &deployed))
        LIST_ADD(file->arena, *list, deployed);
}

bool known_deploys(struct arena *arena, const char *path, deployed_list *list)
{
    struct file file;
    enum jr_type type;
    if (!open_file(&file, arena, &path))
        return false;
    while (!file.failed && (type = jr_next(file.jr)) > JR_END) {
        if (type != JR_ARRAY) {
            complain(&file, jr_offset(file.jr), "it wants the list that GET /api/deploys answers");
            break;
        }
        jr_enter(file.jr);
        while (!file.failed && (type = jr_next(file.jr)) > JR_END)
            if (type == JR_OBJECT)
                read_deploy(&file, list);
            else
                complain(&file, jr_offset(file.jr), "a deploy is an object");
    }
    deployed_sort(list);
    return close_file(&file);
}
