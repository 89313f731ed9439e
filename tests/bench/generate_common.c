#include "generate_maker.h"

#include "base/clock.h"

static const char *const APPS[] = {"checkout",  "cart",     "catalogue", "payments",  "search",
                                   "recommend", "frontend", "inventory", "shipping",  "mailer",
                                   "ledger",    "profiles", "gateway",   "analytics", "sessions"};
static const char *const VARIABLE[] = {"DATABASE_HOST", "CACHE_ADDRESS", "HTTP_TIMEOUT",
                                       "LOG_FORMAT",    "TRACE_RATIO",   "QUEUE_URL",
                                       "FEATURE_FLAGS", "POOL_SIZE",     "REGION"};

unsigned maker_pick(struct maker *m, unsigned n)
{
    m->random ^= m->random << 13;
    m->random ^= m->random >> 7;
    m->random ^= m->random << 17;
    return (unsigned)(m->random >> 33) % n;
}

void maker_seed(struct maker *m, unsigned kind, unsigned index)
{
    m->random = (((uint64_t)kind << 32) + index + 1) * UINT64_C(0x9E3779B97F4A7C15);
}

static struct str letters(struct maker *m, const char *alphabet, unsigned count, unsigned n)
{
    char *text = arena_bytes(m->arena, n);
    for (unsigned i = 0; i < n; i++)
        text[i] = alphabet[maker_pick(m, count)];
    return (struct str){text, n};
}

struct str maker_hex(struct maker *m, unsigned n)
{
    return letters(m, "0123456789abcdef", 16, n);
}

struct str maker_suffix(struct maker *m, unsigned n)
{
    return letters(m, "bcdfghjklmnpqrstvwxz2456789", 27, n);
}

struct str maker_uid(struct maker *m)
{
    return arena_printf(m->arena, "%" STR_FMT "-%" STR_FMT "-4%" STR_FMT "-a%" STR_FMT "-%" STR_FMT,
                        STR_ARG(maker_hex(m, 8)), STR_ARG(maker_hex(m, 4)),
                        STR_ARG(maker_hex(m, 3)), STR_ARG(maker_hex(m, 3)),
                        STR_ARG(maker_hex(m, 12)));
}

void put_time(struct jw *w, const char *key, int64_t ms)
{
    char text[CLOCK_TEXT_SIZE];
    jw_key(w, str_of(key));
    jw_str(w, clock_format_short(ms - ms % 1000, text));
}

void begin(struct jw *w, const char *key)
{
    jw_key(w, str_of(key));
    jw_object(w);
}

void begin_list(struct jw *w, const char *key)
{
    jw_key(w, str_of(key));
    jw_array(w);
}

void put_pairs(struct jw *w, const char *pairs)
{
    struct str rest = str_of(pairs), pair, key, value;
    while (rest.p && rest.n) {
        str_cut(rest, ' ', &pair, &rest);
        str_cut(pair, '=', &key, &value);
        jw_key(w, key);
        jw_str(w, value);
    }
}

struct app maker_app(struct maker *m, unsigned index)
{
    struct arena *arena = m->arena;
    const char *base = APPS[index % (sizeof APPS / sizeof APPS[0])];
    struct app app = {.index = index};
    app.name = arena_printf(arena, "%s-%u", base, index);
    app.namespace = arena_printf(arena, "team-%u", index % 12);
    maker_seed(m, 1, index); /* the same whenever it is made */
    app.hash = maker_suffix(m, 10);
    app.image = arena_printf(arena, "registry.example.com/%s:1.%u.%u", base, index % 9, index % 31);
    app.created = GENERATE_NOW - (int64_t)maker_pick(m, 90 * 24) * 3600 * 1000;
    app.set_uid = maker_uid(m);
    return app;
}

void put_labels(struct jw *w, const struct app *app, bool hash)
{
    begin(w, "labels");
    JW_STR(w, "app.kubernetes.io/name", app->name);
    JW_STR(w, "app.kubernetes.io/part-of", app->namespace);
    put_pairs(w, "app.kubernetes.io/managed-by=Helm environment=production tier=backend");
    if (hash)
        JW_STR(w, "pod-template-hash", app->hash);
    jw_object_end(w);
}

struct str maker_variable(struct maker *m, unsigned i)
{
    return arena_printf(m->arena, "%s_%u", VARIABLE[i % (sizeof VARIABLE / sizeof VARIABLE[0])], i);
}

void put_metadata(struct maker *m, const struct app *app, struct str name, int64_t created)
{
    struct jw *w = &m->w;
    begin(w, "metadata");
    begin(w, "annotations");
    JW_STR(w, "checksum/config", maker_hex(m, 64));
    JW_STR(w, "cni.projectcalico.org/containerID", maker_hex(m, 64));
    JW_STR(w, "cni.projectcalico.org/podIP",
           arena_printf(m->arena, "10.%u.%u.%u/32", maker_pick(m, 64), maker_pick(m, 256),
                        maker_pick(m, 256)));
    put_pairs(w, "prometheus.io/port=8080 prometheus.io/scrape=true");
    jw_object_end(w);
    put_time(w, "creationTimestamp", created);
    put_labels(w, app, true);
    if (m->what.pretty) {
        begin_list(w, "managedFields");
        put_manager(m, "kube-controller-manager", created);
        jw_array_end(w);
    }
    JW_STR(w, "name", name);
    JW_STR(w, "namespace", app->namespace);
}
