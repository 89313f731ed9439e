/* The snapshots of real clusters in ../shared/snapshots (LOADLINE_SHARED), when they are there: the
 * model has as many objects of each kind as json-c finds in the same bytes, the redacted copy says
 * the same again, and the properties of the score hold, whatever happens to them (mutations.h). */
#include "codec/inflate.h"
#include "kube/kinds.h"
#include "properties.h"
#include "reading.h"
#include "report/report.h"
#include "trials.h"
#include "warm.h"

#include <dirent.h>
#include <json-c/json.h>
#include <setjmp.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <cmocka.h>

static struct str contents(struct arena *arena, const char *path)
{
    FILE *file = fopen(path, "rb");
    struct buf gzip = buf_init(arena, SIZE_MAX), json = buf_init(arena, SIZE_MAX);
    char *room;
    size_t n = 1;
    assert_non_null(file);
    while (n > 0 && (room = buf_reserve(&gzip, 65536)) != NULL) {
        n = fread(room, 1, 65536, file);
        buf_commit(&gzip, n);
    }
    fclose(file);
    struct str bytes = buf_str(&gzip);
    struct inflate *in = inflate_open(source_of(&bytes), UINT64_MAX);
    struct source source = inflate_source(in);
    ptrdiff_t got = 1;
    while (got > 0 && (room = buf_reserve(&json, 65536)) != NULL) {
        got = source.read(source.context, room, 65536);
        buf_commit(&json, got > 0 ? (size_t)got : 0);
    }
    assert_int_equal(inflate_error(in), INFLATE_OK);
    inflate_free(in);
    return buf_str(&json);
}

static struct str member(struct json_object *object, const char *name)
{
    struct json_object *value = NULL;
    json_object_object_get_ex(object, name, &value);
    return str_of(json_object_get_string(value));
}

/* Each object once: by kind, namespace and name. */
static void count(struct json_object *list, uint32_t counts[KIND_COUNT])
{
    struct json_object *items = NULL, *metadata = NULL, *seen = json_object_new_object();
    assert_true(json_object_object_get_ex(list, "items", &items));
    for (size_t i = 0; i < json_object_array_length(items); i++) {
        struct json_object *item = json_object_array_get_idx(items, i);
        struct str kind_text = member(item, "kind");
        enum kind kind = kind_find(kind_text, member(item, "apiVersion"));
        char id[1024];
        if (kind == KIND_NONE)
            continue;
        assert_true(json_object_object_get_ex(item, "metadata", &metadata));
        struct str namespace = member(metadata, "namespace"), name = member(metadata, "name");
        snprintf(id, sizeof id, "%d/%" STR_FMT "/%" STR_FMT, (int)kind, STR_ARG(namespace),
                 STR_ARG(name));
        counts[kind] += !json_object_object_get_ex(seen, id, NULL);
        json_object_object_add(seen, id, NULL);
    }
    json_object_put(seen);
}

static bool put(void *context, struct str bytes)
{
    buf_put(context, bytes);
    return true;
}

static struct str report(struct reading *reading)
{
    struct score_policy policy = score_policy_default();
    struct buf out = buf_init(reading->arena, SIZE_MAX);
    int64_t time = clock_parse(STR("2026-03-17T12:00:00Z"));
    struct sink sink = {put, &out};
    report_json(reading->arena, score(reading->arena, reading->cluster, &policy, time),
                (struct report_terms){.time = TIME_NONE}, NULL, sink);
    return buf_str(&out);
}

static void compare(const char *path)
{
    struct arena *arena = arena_new((size_t)1 << 30);
    struct str text = contents(arena, path);
    uint32_t expected[KIND_COUNT] = {0};
    struct json_tokener *tokener = json_tokener_new_ex(SNAPSHOT_DEPTH_MAX);
    struct json_object *list = json_tokener_parse_ex(tokener, text.p, (int)text.n);
    assert_int_equal(json_tokener_get_error(tokener), json_tokener_success);
    count(list, expected);
    json_object_put(list);
    json_tokener_free(tokener);

    struct reading reading = reading_of(text, READING_REDACT, 0);
    assert_non_null(reading.cluster);
    for (enum kind kind = KIND_NONE + 1; kind < KIND_COUNT; kind++)
        if (reading.cluster->counts[kind] != expected[kind])
            fail_msg("%s: %u %s, json-c finds %u", path, reading.cluster->counts[kind],
                     kind_name(kind).p, expected[kind]);
    /* A redacting reader reads every byte; a plain one jumps over what it read before
     * (repeat_cache.h). */
    struct reading plain = reading_of(text, READING_PLAIN, 0);
    assert_non_null(plain.cluster);
    struct str plain_report = report(&plain), report_of_all = report(&reading);
    if (!str_eq(plain_report, report_of_all))
        fail_msg("%s: redaction changes the judgement", path);
    reading_close(&plain);
    struct reading again = reading_of(reading.redacted, READING_FIND, 0);
    if (!again.cluster)
        fail_msg("%s: code %d reading what was redacted", path, (int)again.error.code);
    assert_memory_equal(again.cluster->counts, expected, sizeof expected);
    assert_located(&again, again.document);
    reading_close(&again);
    reading_close(&reading);
    arena_free(arena);
}

static DIR *open_snapshots(char *directory, size_t cap)
{
    const char *shared = getenv("LOADLINE_SHARED");
    snprintf(directory, cap, "%s/snapshots", shared ? shared : "../shared");
    return opendir(directory);
}

/* Under a sanitizer a large file takes half a minute each time: it is read and redacted, and no
 * more. */
#ifdef __SANITIZE_ADDRESS__
enum { QUICK_BYTES = 1 << 20, STRIDE_OF_LARGE = 12, STRIDE_OF_SMALL = 8 };
#else
enum { QUICK_BYTES = INT32_MAX, STRIDE_OF_LARGE = 12, STRIDE_OF_SMALL = 1 };
#endif

/* Of those that have no more bytes, compressed as they are. */
static void each_snapshot(off_t largest, void (*test)(const char *path))
{
    struct stat file;
    char directory[1024], path[2048];
    DIR *files = open_snapshots(directory, sizeof directory);
    assert_non_null(files);
    for (struct dirent *entry; (entry = readdir(files)) != NULL;) {
        if (!str_has_suffix(str_of(entry->d_name), STR(".json.gz")))
            continue;
        snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
        assert_int_equal(stat(path, &file), 0);
        if (file.st_size <= largest)
            test(path);
    }
    closedir(files);
}

static void they_are_read_as_they_are(void **state)
{
    (void)state;
    each_snapshot(INT32_MAX, compare);
}

/* The latest time that the snapshot tells of: kubectl's was a moment later. */
static int64_t newest_time(struct str text)
{
    static const char *const keys[] = {"creationTimestamp", "lastTransitionTime", "lastUpdateTime",
                                       "lastHeartbeatTime", "renewTime",          "lastTimestamp",
                                       "startedAt",         "finishedAt"};
    int64_t newest = TIME_NONE;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        size_t n = strlen(keys[i]);
        struct str rest = text;
        for (const char *at; (at = memmem(rest.p, rest.n, keys[i], n)) != NULL;) {
            struct str value, behind = str_sub(rest, (size_t)(at - rest.p) + n + 1, rest.n);
            rest = behind;
            str_cut(behind, '"', NULL, &behind);
            str_cut(str_sub(behind, 0, CLOCK_TEXT_SIZE), '"', &value, NULL);
            int64_t time = clock_parse(value);
            newest = time > newest ? time : newest;
        }
    }
    return newest;
}

static struct specimen specimen_of(struct arena *arena, const char *path)
{
    struct str text = contents(arena, path);
    return (struct specimen){path, objects_of(arena, text), newest_time(text)};
}

enum { LARGE = 4 << 20 };

static uint64_t bytes_of(const struct specimen *specimen)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < specimen->objects.n; i++)
        bytes += specimen->objects.items[i].n;
    return bytes;
}

static void assert_properties(const char *path)
{
    struct arena *arena = arena_new((size_t)2 << 30);
    struct specimen specimen = specimen_of(arena, path);
    assert_sums(&specimen);
    assert_rounded_down(&specimen);
    assert_mending_helps(&specimen);
    assert_order_is_nothing(&specimen);
    assert_form_is_nothing(&specimen);
    assert_extended_is_joined(&specimen);
    assert_memory_never_raises(&specimen);
    assert_doubling_changes_little(&specimen);
    arena_free(arena);
}

static void properties_of_the_score(void **state)
{
    (void)state;
    each_snapshot(QUICK_BYTES, assert_properties);
}

/* ---- what is remembered of the push before ---- */

/* One object of a hundred becomes another version, goes, comes twice, or stands elsewhere. */
static void change_some(struct arena *arena, struct objects *objects, uint64_t *seed)
{
    for (uint32_t n = objects->n / 100 + 1; n > 0; n--) {
        uint32_t at = objects_throw(seed, objects->n), other = objects_throw(seed, objects->n);
        struct str *text = &objects->items[at], was = *text;
        char *version = NULL;
        switch (objects_throw(seed, 8)) {
        case 0:
            *text = (struct str){NULL, 0};
            break;
        case 1:
            objects_add(arena, objects, was);
            break;
        case 2:
            *text = objects->items[other];
            objects->items[other] = was;
            break;
        default:
            *text = arena_str(arena, was);
            version = memmem(text->p, text->n, "\"resourceVersion\"", 17);
            while (version && *version && (*version < '0' || *version > '9'))
                version++;
            if (version && *version)
                *version = (char)('1' + objects_throw(seed, 9));
        }
    }
}

static void push_again(const char *path)
{
    enum { PUSHES = 5 };
    struct arena *arena = arena_new((size_t)4 << 30);
    struct specimen specimen = specimen_of(arena, path);
    struct warm *warm = warm_new((size_t)256 << 20);
    uint64_t seed = trials_seed();
    for (unsigned push = 0; push < PUSHES; push++) {
        const char *what = warm_push(warm, objects_list(arena, &specimen.objects), WARM_REDACT, 0);
        if (what)
            fail_msg("%s, push %u: %s", path, push, what);
        change_some(arena, &specimen.objects, &seed);
    }
    struct object_memory_use use = warm_use(warm);
    if (use.known < use.read)
        fail_msg("%s: %llu objects are known, and %llu read", path, (unsigned long long)use.known,
                 (unsigned long long)use.read);
    warm_free(warm);
    arena_free(arena);
}

static void pushed_again(void **state)
{
    (void)state;
    each_snapshot(QUICK_BYTES, push_again);
}

/* ---- mutations ---- */

static unsigned wrong;

/* Of the largest only some rows; they take a tenth of a second each. */
static void try_mutations(const char *path)
{
    enum { SEEDS_A_ROUND = 40 };
    struct arena *arena = arena_new((size_t)2 << 30);
    struct specimen specimen = specimen_of(arena, path);
    uint64_t first = trials_seed(), bytes = bytes_of(&specimen);
    unsigned rounds = 1 + trials_rounds(0) / SEEDS_A_ROUND;
    for (uint64_t seed = first; seed < first + rounds; seed++)
        for (int table = 0; table < MUTATION_TABLES; table++)
            wrong += trials_of(&specimen, mutation_tables[table], seed, 1,
                               bytes > LARGE ? STRIDE_OF_LARGE : STRIDE_OF_SMALL);
    arena_free(arena);
}

static void mutations(void **state)
{
    (void)state;
    wrong = 0;
    each_snapshot(QUICK_BYTES, try_mutations);
    if (wrong)
        fail_msg("%u go the wrong way", wrong);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_are_read_as_they_are),
        cmocka_unit_test(properties_of_the_score),
        cmocka_unit_test(pushed_again),
        cmocka_unit_test(mutations),
    };
    char directory[1024];
    DIR *files = open_snapshots(directory, sizeof directory);
    if (!files) {
        printf("1..0 # SKIP there is no %s\n", directory);
        return 0;
    }
    closedir(files);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
