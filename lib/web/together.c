#include "web/together.h"

#include <time.h>

#include "base/log.h"
#include "web/ahead.h"
#include "web/serving.h"

/* A request that has more memory is the last one. */
enum { PARKED_BYTES = 4 << 20, AHEAD_BYTES = 4 << 20 };
/* After so many together, who was answered asks again at once, as a rule: a few moments bring more
 * of them, whose keys and clusters are then read at once. */
enum { MANY = TOGETHER_MAX * 3 / 4, MOMENTS = 2, MOMENT_NS = 60 * 1000 };

struct place {
    struct serving serving;
    struct arena *arena; /* of the first place it is that of the app */
    bool taken;
    void *request; /* of the transport */
    int64_t taken_at;
    int64_t spent;   /* with the database, until it was left */
    int64_t left_at; /* what it has to be stored */
};

struct together {
    const struct app *app;
    int64_t patience_ms; /* of the first that waits */
    struct arena *ahead; /* what was read for them */
    struct place places[TOGETHER_MAX];
    struct place *unstored[TOGETHER_MAX]; /* in the order in which they came */
    size_t n;
    struct place *begun[TOGETHER_MAX]; /* they are to be served, from `next` on; likewise */
    size_t begun_n, next;
    size_t last;  /* so many were served before these */
    bool settled; /* for one that takes long: the loop then looks after what else there is */
};

struct together *together_new(const struct app *app, int64_t patience_ms)
{
    struct together *together = calloc(1, sizeof *together);
    if (!together)
        return NULL;
    together->app = app;
    together->patience_ms = patience_ms;
    together->places[0].arena = app->arena;
    together->ahead = arena_new(AHEAD_BYTES);
    if (!together->ahead) {
        free(together);
        return NULL;
    }
    return together;
}

void together_free(struct together *together)
{
    for (size_t i = 1; together && i < TOGETHER_MAX; i++)
        arena_free(together->places[i].arena);
    if (together)
        arena_free(together->ahead);
    free(together);
}

/* ---- storing ---- */

struct storing {
    struct db *db;
    struct arena *arena; /* that is guarded */
    struct request *requests[TOGETHER_MAX];
    size_t n;
    enum error error;
};

static bool are_alike(const struct request *one, const struct request *other)
{
    return one->left.keep == other->left.keep &&
           str_eq(one->identity.tenant, other->identity.tenant);
}

/* Those that are like the one at that place; none when they have had their turn. */
static size_t gather(const struct storing *s, size_t at, struct request **alike)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++) {
        if (!are_alike(s->requests[i], s->requests[at]))
            continue;
        if (i < at)
            return 0;
        alike[n++] = s->requests[i];
    }
    return n;
}

/* Each function gets all that one tenant's requests have left to it. */
static enum error keep(struct db *db, void *arg)
{
    const struct storing *s = arg;
    struct request *alike[TOGETHER_MAX];
    enum error e = ERR_OK;
    for (size_t i = 0; !e && i < s->n; i++) {
        size_t n = gather(s, i, alike);
        if (n == 0)
            continue;
        db_set_tenant(db, alike[0]->identity.tenant);
        e = alike[0]->left.keep(db, s->arena, alike, n);
    }
    return e;
}

static void transact(void *arg)
{
    struct storing *s = arg;
    s->error = db_transact(s->db, keep, s);
}

/* spent: of the time that they may take with the database. */
static enum error store(struct db *db, struct place *const *places, size_t n, int64_t spent)
{
    struct storing s = {.db = db, .arena = places[0]->arena, .n = n, .error = ERR_OUT_OF_MEMORY};
    for (size_t i = 0; i < n; i++)
        s.requests[i] = &places[i]->serving.r;
    db_go_on(db, spent);
    arena_guard(s.arena, transact, &s);
    db_reset(db);
    return s.error;
}

static int64_t spent_by(const struct place *place)
{
    return place->spent + clock_monotonic() - place->left_at;
}

/* Whether it is nobody's fault but of one of them, who is not known. */
static bool may_be_of_one(enum error e)
{
    return e != ERR_OK && e != ERR_COMMIT_UNKNOWN && e != ERR_DATABASE_UNAVAILABLE;
}

static void finish(struct place *place, enum error e)
{
    struct serving *s = &place->serving;
    struct http_transport *transport = s->transport;
    s->error = e;
    if (e)
        http_response_init(s->r.arena, &s->r.response);
    else if (s->r.left.kept)
        s->r.left.kept(s->r.left.what);
    if (transport->take_up)
        transport->take_up(transport->context, place->request);
    log_request(str_of(s->r.id));
    serving_end(s);
    place->taken = false;
}

static void settle(struct together *together)
{
    struct db *db = together->app->db;
    size_t n = together->n;
    if (n == 0)
        return;
    enum error e = store(db, together->unstored, n, spent_by(together->unstored[0]));
    bool alone = n > 1 && may_be_of_one(e);
    together->n = 0;
    for (size_t i = 0; i < n; i++) {
        struct place *place = together->unstored[i];
        finish(place, alone ? store(db, &place, 1, place->spent) : e);
    }
}

/* ---- serving ---- */

static struct place *take_place(struct together *together)
{
    size_t i = 0;
    while (together->places[i].taken)
        i++;
    struct place *place = &together->places[i];
    if (!place->arena)
        place->arena = arena_new((size_t)together->app->conf->memory_limit_mib << 20);
    place->taken = place->arena;
    return place->taken ? place : NULL;
}

static void begin(struct together *together, struct http_transport *transport, struct place *place)
{
    place->taken_at = clock_monotonic();
    serving_begin(&place->serving, together->app, place->arena, transport, together);
    place->request = transport->current ? transport->current(transport->context) : NULL;
    together->begun[together->begun_n++] = place;
}

static void serve_one(struct together *together, struct place *place)
{
    struct serving *s = &place->serving;
    struct http_transport *transport = s->transport;
    if (place->request && transport->current(transport->context) != place->request)
        transport->take_up(transport->context, place->request);
    db_go_on(together->app->db, clock_monotonic() - place->taken_at);
    serving_work(s);
    place->spent = db_spent(together->app->db);
    place->left_at = clock_monotonic();
    db_reset(together->app->db);
    if (s->error || !s->r.left.keep) {
        serving_end(s);
        place->taken = false;
        return;
    }
    together->unstored[together->n++] = place;
}

static void read_ahead(struct together *together)
{
    struct request *requests[TOGETHER_MAX];
    for (size_t i = 0; i < together->begun_n; i++)
        requests[i] = &together->begun[i]->serving.r;
    ahead_read(together->app->db, together->ahead, requests, together->begun_n);
}

/* Has one of those that wait as much memory, or the first waited as long, as it may? */
static bool is_due(const struct together *together)
{
    const struct place *last = together->n ? together->unstored[together->n - 1] : NULL;
    return last && (together->n == TOGETHER_MAX || arena_used(last->arena) > PARKED_BYTES ||
                    clock_monotonic() - together->unstored[0]->left_at >= together->patience_ms);
}

static void serve_begun(struct together *together)
{
    while (together->next < together->begun_n) {
        serve_one(together, together->begun[together->next++]);
        if (is_due(together))
            settle(together);
    }
    together->next = together->begun_n = 0;
}

void together_settle(struct request *r)
{
    struct together *together = r->together;
    db_rest(r->db);
    if (!together || (together->n == 0 && together->next == together->begun_n))
        return;
    struct http_transport *transport = r->http.transport;
    void *request = transport->current(transport->context);
    int64_t spent = db_spent(r->db);
    together->settled = true;
    serve_begun(together);
    settle(together);
    transport->take_up(transport->context, request);
    log_request(str_of(r->id));
    db_go_on(r->db, spent);
    db_set_tenant(r->db, r->identity.tenant);
}

/* Only what is read ahead gains by being taken with others before it is served. */
static bool may_begin(const struct together *together)
{
    const struct request *last = &together->begun[together->begun_n - 1]->serving.r;
    return last->ahead.noted && !last->ahead.is_push &&
           together->n + together->begun_n < TOGETHER_MAX;
}

static bool may_wait(const struct together *together)
{
    return together->n && !is_due(together) && !together->settled;
}

/* For another request that waits; NULL: none does. */
static struct place *take_another(struct together *together, struct http_transport *transport)
{
    struct place *place = transport->another ? take_place(together) : NULL;
    if (!place || transport->another(transport->context))
        return place;
    place->taken = false;
    return NULL;
}

/* As above. With many who ask it waits for one, before anything is done for those that it has. */
static struct place *await_another(struct together *together, struct http_transport *transport,
                                   int *moments)
{
    struct place *place = take_another(together, transport);
    bool many = together->n == 0 && together->last >= MANY;
    while (!place && many && *moments < MOMENTS) {
        nanosleep(&(struct timespec){.tv_nsec = MOMENT_NS}, NULL);
        *moments += 1;
        place = take_another(together, transport);
    }
    return place;
}

void together_serve(struct together *together, struct http_transport *transport)
{
    struct place *place = take_place(together);
    size_t served = 0;
    int moments = 0;
    together->settled = false;
    while (place) {
        begin(together, transport, place);
        place = may_begin(together) ? await_another(together, transport, &moments) : NULL;
        if (place)
            continue;
        served += together->begun_n;
        read_ahead(together);
        serve_begun(together);
        place = may_wait(together) ? take_another(together, transport) : NULL;
    }
    together->last = served;
    settle(together);
    db_rest(together->app->db);
    arena_reset(together->ahead);
}
