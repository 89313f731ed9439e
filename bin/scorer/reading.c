#include "reading.h"

#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "complaint.h"
#include "reader/snapshot_reader.h"
#include "report/report.h"

enum { EXPECTED = 256 };
enum { QUIET_MS = 1000, SHOW_MS = 200 };

/* ---- progress ---- */

static void show_progress(struct reading *reading)
{
    int64_t now = clock_monotonic();
    if (now - reading->started < QUIET_MS || now - reading->shown < SHOW_MS ||
        !isatty(STDERR_FILENO))
        return;
    reading->shown = now;
    fprintf(stderr, "\r%llu MB read", (unsigned long long)(input_bytes(reading->input) >> 20));
}

static ptrdiff_t read_shown(void *context, char *dst, size_t cap)
{
    struct reading *reading = context;
    struct source source = input_source(reading->input);
    ptrdiff_t n = source.read(source.context, dst, cap);
    if (n > 0)
        show_progress(reading);
    return n;
}

/* ---- where objects stand ---- */

struct located {
    enum kind kind;
    struct str namespace, name;
    uint64_t from;
};

static uint64_t hash_of(enum kind kind, struct str namespace, struct str name)
{
    uint64_t hash = str_hash(0, namespace);
    return str_hash(hash, name) + (uint64_t)kind;
}

static struct located *find(const struct table *table, enum kind kind, struct str namespace,
                            struct str name)
{
    struct located *located;
    TABLE_EACH (located, table, hash_of(kind, namespace, name))
        if (located->kind == kind && str_eq(located->namespace, namespace) &&
            str_eq(located->name, name))
            break;
    return located;
}

static void note(void *context, const struct snapshot_object *object)
{
    struct reading *reading = context;
    input_count(reading->input, object);
    misfits_name(&reading->misfits, object);
    if (object->kind == KIND_NONE || !object->name.n)
        return;
    struct located *located =
        find(&reading->located, object->kind, object->namespace, object->name);
    if (!located) {
        located = ARENA_NEW(reading->arena, struct located);
        *located = (struct located){object->kind, object->namespace, object->name, 0};
        table_add(&reading->located, hash_of(object->kind, object->namespace, object->name),
                  located);
    }
    located->from = object->from;
}

static void note_misfit(void *context, const struct snapshot_misfit *misfit)
{
    struct reading *reading = context;
    misfits_add(&reading->misfits, misfit);
}

/* Fewer than none: the checks take it for none. */
static void note_negative_replicas(struct reading *reading)
{
    struct workload **workload;
    LIST_EACH (workload, reading->cluster->workloads) {
        const struct object *object = &(*workload)->object;
        if ((*workload)->replicas >= 0 || (*workload)->replicas == NUMBER_ABSENT)
            continue;
        struct located *located =
            find(&reading->located, object->kind, object->meta.namespace, object->meta.name);
        if (located)
            misfits_add_to(&reading->misfits, object, located->from,
                           "spec.replicas is below 0; it counts as 0");
    }
}

bool reading_find(const struct reading *reading, const struct object *object, struct place *place)
{
    const struct located *located =
        object && object->kind != KIND_NONE
            ? find(&reading->located, object->kind, object->meta.namespace, object->meta.name)
            : NULL;
    if (located)
        *place = places_find_object(input_places(reading->input), located->from);
    return located != NULL;
}

/* ---- complaints ---- */

static void complain_of_json(const struct reading *reading, const struct jr_error *error)
{
    struct place place = places_find(input_places(reading->input), error->offset);
    struct str text = arena_printf(reading->arena, "%s (at %" STR_FMT ")", error->text,
                                   STR_ARG(error->path.n ? error->path : STR("the top")));
    if (place.behind)
        text = STR("the file ends in the middle of a value");
    complain_at(reading->arena, place, text);
}

/* name: of what was given, when it is one thing. */
static void complain_of_nothing(const struct reading *reading, struct str name,
                                const struct snapshot_error *error)
{
    struct buf text = buf_init(reading->arena, SIZE_MAX);
    const struct places *places = input_places(reading->input);
    bool named = places->files.n && !places->files.items[0].found;
    if (error->empty && named) {
        buf_put(&text, STR("it is empty: what was to print it has printed nothing"));
    } else if (error->status.p) {
        buf_printf(&text,
                   "no Kubernetes object in it but a Status, in which the API server refuses: "
                   "%" STR_FMT,
                   STR_ARG(error->status));
    } else if (error->unread.n) {
        buf_put(&text, STR("no object of a kind that a check reads in it, but "));
        report_unread_words(&text, error->unread);
    } else {
        buf_put(&text, STR("no Kubernetes object in it"));
    }
    complain_at(reading->arena, (struct place){.file = name}, buf_str(&text));
}

static void complain(const struct reading *reading, const struct snapshot_error *error,
                     struct str name)
{
    const struct input_error *input = input_error(reading->input);
    struct place place = {.file = input->file, .line = input->line, .column = input->column};
    if (input->text.p)
        complain_at(reading->arena, place, input->text);
    else if (error->code == SNAPSHOT_E_NO_OBJECTS)
        complain_of_nothing(reading, name, error);
    else
        complain_of_json(reading, &error->json);
}

/* ---- what was read ---- */

static struct str plural(uint32_t n)
{
    return n == 1 ? STR("") : STR("s");
}

void reading_tell(const struct reading *reading, bool verbose)
{
    const struct places *places = input_places(reading->input);
    const struct place_file *file;
    uint32_t objects = 0, files = 0, passed = 0, found = 0;
    misfits_tell(&reading->misfits, places, verbose);
    LIST_EACH (file, places->files) {
        objects += file->objects;
        files += file->objects > 0;
        passed += file->objects == 0;
        found += file->found;
        if (verbose && file->found && !file->objects)
            fprintf(stderr, "passed over: %" STR_FMT ": %s\n",
                    STR_ARG(report_plain(reading->arena, file->name)),
                    file->passed ? file->passed : "no Kubernetes object in it");
    }
    if (!found)
        return;
    fprintf(stderr, "read %u object%" STR_FMT " in %u file%" STR_FMT, objects,
            STR_ARG(plural(objects)), files, STR_ARG(plural(files)));
    if (passed)
        fprintf(stderr, "; %u file%" STR_FMT " without Kubernetes objects %s passed over%s", passed,
                STR_ARG(plural(passed)), passed == 1 ? "was" : "were",
                verbose ? "" : "; --verbose names them");
    fputc('\n', stderr);
}

bool reading_run(struct reading *reading, struct arena *arena, const char *const *names, size_t n)
{
    reading->arena = arena;
    reading->misfits.arena = arena;
    reading->started = clock_monotonic();
    reading->located = table_init(arena, EXPECTED);
    reading->input = input_open(names, n);
    if (!reading->input) {
        fputs("loadline-score: no memory left\n", stderr);
        return false;
    }
    struct snapshot_error error = {0};
    struct snapshot_visitor told = {note, note_misfit, reading};
    struct snapshot_origins origins = input_origins(reading->input);
    /* Who scores their own files may wait for them: about a second, and more for what is large. */
    static const struct effort_limits limits = {.steps_least = 10 * EFFORT_STEPS_LEAST};
    struct snapshot_options options = {.total_max = UINT64_MAX,
                                       .told = &told,
                                       .origins = &origins,
                                       .effort_limits = &limits,
                                       .effort = &reading->effort};
    reading->cluster = snapshot_read(arena, (struct source){read_shown, reading}, &options, &error);
    if (reading->shown)
        fputs("\r\033[K", stderr);
    if (!reading->cluster)
        complain(reading, &error, n == 1 ? str_of(names[0]) : STR("what is given"));
    else
        note_negative_replicas(reading);
    return reading->cluster != NULL;
}
