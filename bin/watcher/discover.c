#include "discover.h"

#include "agent/api.h"
#include "base/log.h"
#include "pause.h"

enum {
    ANSWER_MAX = 8 * 1024 * 1024,
    KEPT_ROOM = 64 * 1024,
    ANSWER_MOST_MS = 30 * 1000,
    PAUSE_MOST_MS = 30 * 1000,
    HURRY_MS = 5 * 1000, /* at the soonest after the last time */
    URL_MAX = 1024
};

/* What is known of a kind in a round. */
struct finding {
    struct str api_version; /* absent: not found yet */
    bool can_watch;
    bool unsure; /* one of its groups could not be asked */
};

/* One round: the groups, then their versions one after another. */
struct round {
    struct arena *arena;
    api_group_list groups;
    uint32_t group;
    unsigned version;
    struct finding *findings;
};

struct discover {
    struct api_source *source;
    struct watch *const *watches;
    size_t n;
    struct transfer *transfer;
    struct bytes answer;
    struct round round;
    bool asks_groups, done;
    int64_t again_ms, due, ended;
    unsigned failures;
    bool refused;
};

struct discover *discover_new(struct api_source *source, struct watch *const *watches, size_t n,
                              int64_t again_ms)
{
    struct discover *discover = MEMORY_NEW(struct discover);
    *discover =
        (struct discover){.source = source, .watches = watches, .n = n, .again_ms = again_ms};
    return discover;
}

static void end_round(struct discover *discover)
{
    arena_free(discover->round.arena);
    discover->round = (struct round){.arena = NULL};
    bytes_clear(&discover->answer, KEPT_ROOM);
}

void discover_free(struct discover *discover)
{
    if (!discover)
        return;
    transfer_stop(discover->source->transfers, discover->transfer);
    end_round(discover);
    bytes_free(&discover->answer);
    free(discover);
}

bool discover_is_done(const struct discover *discover)
{
    return discover->done;
}

unsigned discover_failures(const struct discover *discover)
{
    return discover->failures;
}

bool discover_is_refused(const struct discover *discover)
{
    return discover->failures && discover->refused;
}

/* ---- requests ---- */

static bool take_bytes(void *context, int status, struct str bytes)
{
    struct discover *discover = context;
    (void)status;
    if (discover->answer.n + bytes.n > ANSWER_MAX)
        return false;
    bytes_put(&discover->answer, bytes);
    return true;
}

static void end_groups(void *context, const struct transfer_result *result);
static void end_resources(void *context, const struct transfer_result *result);

static bool ask(struct discover *discover, const char *path)
{
    char url[URL_MAX];
    snprintf(url, sizeof url, "%s%s", discover->source->access->server, path);
    struct transfer_request request = {.access = discover->source->access,
                                       .url = url,
                                       .headers = {"Accept: application/json"},
                                       .limit_ms = ANSWER_MOST_MS,
                                       .take = take_bytes,
                                       .done = discover->asks_groups ? end_groups : end_resources,
                                       .context = discover};
    discover->answer.n = 0;
    discover->transfer = transfer_start(discover->source->transfers, &request);
    return discover->transfer != NULL;
}

static void fail(struct discover *discover, const struct transfer_result *result)
{
    discover->failures++;
    discover->refused = result->untrusted || result->status == 401 || result->status == 403;
    discover->source->counts.errors++;
    if (discover->failures == 1 || discover->failures % 10 == 0)
        log_error(
            "the API server does not tell what it serves server=%s status=%d error=%s answer=%s",
            transfer_shown(str_of(discover->source->access->server)), result->status,
            log_quote(str_of(result->error)),
            log_quote(str_sub(bytes_str(&discover->answer), 0, 300)));
    discover->due =
        clock_monotonic() + pause_ms(discover->failures, PAUSE_MOST_MS, result->retry_after_ms);
    end_round(discover);
}

/* ---- the round ---- */

static const struct api_group *group_now(const struct discover *discover)
{
    const struct round *round = &discover->round;
    return round->group < round->groups.n ? &round->groups.items[round->group] : NULL;
}

static bool is_wanted(const struct discover *discover, const struct api_group *group)
{
    for (size_t i = 0; i < discover->n; i++)
        if (!discover->round.findings[i].api_version.p &&
            watched_has_group(watch_kind(discover->watches[i]), group->name))
            return true;
    return false;
}

static struct str version_now(const struct discover *discover)
{
    const struct api_group *group = group_now(discover);
    struct str version = group->versions[discover->round.version];
    if (str_eq(group->name, STR("core")))
        return version;
    return arena_printf(discover->round.arena, "%" STR_FMT "/%" STR_FMT, STR_ARG(group->name),
                        STR_ARG(version));
}

static void apply(struct discover *discover)
{
    int64_t now = clock_monotonic();
    for (size_t i = 0; i < discover->n; i++) {
        const struct finding *finding = &discover->round.findings[i];
        if (finding->api_version.p)
            watch_serve(discover->watches[i], finding->api_version, finding->can_watch, now);
        else if (!finding->unsure)
            watch_end(discover->watches[i]);
    }
    discover->done = true;
    discover->failures = 0;
    discover->ended = now;
    discover->due = now + pause_between(discover->again_ms * 3 / 4, discover->again_ms);
    end_round(discover);
}

/* Asks for the next version that may have something; or that was the last one. */
static void go_on(struct discover *discover)
{
    struct round *round = &discover->round;
    const struct api_group *group;
    while ((group = group_now(discover)) != NULL) {
        if (round->version < group->versions_n && is_wanted(discover, group)) {
            struct str version = version_now(discover);
            bool core = str_eq(group->name, STR("core"));
            struct str path = arena_printf(round->arena, "%s/%" STR_FMT, core ? "/api" : "/apis",
                                           STR_ARG(version));
            if (!ask(discover, path.p))
                fail(discover, &(struct transfer_result){.error = "no request can be made"});
            return;
        }
        round->version = 0;
        round->group++;
    }
    apply(discover);
}

static void note_resource(struct discover *discover, const struct api_resource *resource)
{
    const struct api_group *group = group_now(discover);
    for (size_t i = 0; i < discover->n; i++) {
        const struct watched *kind = watch_kind(discover->watches[i]);
        struct finding *finding = &discover->round.findings[i];
        if (!finding->api_version.p && resource->list && str_eq(resource->name, kind->resource) &&
            str_eq(resource->kind, kind_name(kind->kind)) && watched_has_group(kind, group->name)) {
            finding->api_version = version_now(discover);
            finding->can_watch = resource->watch;
        }
    }
}

/* A group may be served by a program of its own, which is away: what is known of its kinds stays.
 */
static void note_unsure(struct discover *discover)
{
    const struct api_group *group = group_now(discover);
    discover->source->counts.errors++;
    for (size_t i = 0; i < discover->n; i++)
        if (watched_has_group(watch_kind(discover->watches[i]), group->name))
            discover->round.findings[i].unsure = true;
}

static void end_resources(void *context, const struct transfer_result *result)
{
    struct discover *discover = context;
    api_resource_list resources = {0};
    discover->transfer = NULL;
    if (result->status == 200 && result->whole &&
        api_read_resources(discover->round.arena, bytes_str(&discover->answer), &resources))
        for (uint32_t i = 0; i < resources.n; i++)
            note_resource(discover, &resources.items[i]);
    else if (str_eq(group_now(discover)->name, STR("core"))) {
        fail(discover, result);
        return;
    } else if (result->status != 404)
        note_unsure(discover);
    discover->round.version++;
    go_on(discover);
}

static void end_groups(void *context, const struct transfer_result *result)
{
    struct discover *discover = context;
    struct round *round = &discover->round;
    struct api_group core = {STR("core"), {STR("v1")}, 1};
    discover->transfer = NULL;
    discover->asks_groups = false;
    LIST_ADD(round->arena, round->groups, core);
    if (result->status == 200 && result->whole &&
        api_read_groups(round->arena, bytes_str(&discover->answer), &round->groups))
        go_on(discover);
    else
        fail(discover, result);
}

void discover_tick(struct discover *discover, int64_t now)
{
    struct round *round = &discover->round;
    if (discover->source->discover && discover->due > discover->ended + HURRY_MS)
        discover->due = discover->ended + HURRY_MS;
    if (round->arena || now < discover->due)
        return;
    discover->source->discover = false;
    round->arena = arena_new(SIZE_MAX / 2);
    if (!round->arena)
        memory_exhausted();
    round->findings = ARENA_ARRAY(round->arena, discover->n, struct finding);
    discover->asks_groups = true;
    if (!ask(discover, "/apis"))
        fail(discover, &(struct transfer_result){.error = "the account's token cannot be read"});
}
