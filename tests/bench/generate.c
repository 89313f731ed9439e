#include "generate.h"

#include <stdlib.h>

#include "codec/deflate.h"
#include "generate_maker.h"

enum { OBJECT_MAX = 4 << 20 };

static void put_deployment(struct maker *m, unsigned index)
{
    struct jw *w = &m->w;
    struct app app = maker_app(m, index);
    jw_object(w);
    put_pairs(w, "apiVersion=apps/v1 kind=Deployment");
    put_metadata(m, &app, app.name, app.created);
    JW_INT(w, "generation", 3);
    JW_STR(w, "uid", maker_uid(m));
    jw_object_end(w);
    begin(w, "spec");
    JW_INT(w, "progressDeadlineSeconds", 600);
    JW_INT(w, "replicas", PODS_AN_APP);
    begin(w, "selector");
    begin(w, "matchLabels");
    JW_STR(w, "app.kubernetes.io/name", app.name);
    jw_object_end(w);
    jw_object_end(w);
    begin(w, "template");
    begin(w, "metadata");
    put_labels(w, &app, false);
    jw_object_end(w);
    put_pod_spec(m, &app, (struct str){NULL, 0});
    jw_object_end(w);
    jw_object_end(w);
    begin(w, "status");
    JW_INT(w, "availableReplicas", PODS_AN_APP);
    put_conditions(w, "Available Progressing", app.created, false);
    JW_INT(w, "observedGeneration", 3);
    JW_INT(w, "readyReplicas", PODS_AN_APP);
    JW_INT(w, "replicas", PODS_AN_APP);
    JW_INT(w, "updatedReplicas", PODS_AN_APP);
    jw_object_end(w);
    jw_object_end(w);
}

static void put_node(struct maker *m, unsigned index)
{
    struct jw *w = &m->w;
    maker_seed(m, 3, index);
    struct str name = arena_printf(m->arena, "node-%u", index);
    jw_object(w);
    put_pairs(w, "apiVersion=v1 kind=Node");
    begin(w, "metadata");
    put_time(w, "creationTimestamp", GENERATE_NOW - (int64_t)index * 3600 * 1000);
    begin(w, "labels");
    put_pairs(w, "kubernetes.io/arch=amd64 kubernetes.io/os=linux "
                 "node.kubernetes.io/instance-type=m6i.2xlarge "
                 "topology.kubernetes.io/region=eu-central-1");
    JW_STR(w, "kubernetes.io/hostname", name);
    jw_object_end(w);
    JW_STR(w, "name", name);
    JW_STR(w, "uid", maker_uid(m));
    jw_object_end(w);
    begin(w, "status");
    begin(w, "allocatable");
    put_pairs(w, "cpu=7910m memory=30Gi pods=58");
    jw_object_end(w);
    put_conditions(w, "Ready", GENERATE_NOW - (int64_t)index * 3600 * 1000, false);
    jw_object_end(w);
    jw_object_end(w);
}

/* Where a pretty printer is in compact JSON. */
struct indent {
    struct buf *out;
    int level;
    bool in_string, escaped;
};

static void new_line(struct indent *to)
{
    static const char BLANKS[] = "                                                               ";
    buf_putc(to->out, '\n');
    buf_put(to->out, str_sub((struct str){BLANKS, sizeof BLANKS - 1}, 0, (size_t)to->level * 4));
}

static void indent_byte(struct indent *to, char c, char before, char after)
{
    bool empty = (c == '{' && after == '}') || (c == '[' && after == ']');
    bool close = c == '}' || c == ']', was_empty = before == '{' || before == '[';
    to->level -= close;
    if (close && !was_empty)
        new_line(to);
    buf_putc(to->out, c);
    to->level += c == '{' || c == '[';
    if (c == ':')
        buf_putc(to->out, ' ');
    else if (c == ',' || ((c == '{' || c == '[') && !empty))
        new_line(to);
}

/* As kubectl prints: four blanks a level. `level` is that of the object in its list. */
static struct str indent(struct arena *arena, struct str json, int level)
{
    struct buf out = buf_init(arena, OBJECT_MAX);
    struct indent to = {.out = &out, .level = level};
    for (size_t i = 0; i < json.n; i++) {
        char c = json.p[i];
        if (to.in_string || c == '"')
            buf_putc(&out, c);
        else
            indent_byte(&to, c, i ? json.p[i - 1] : 0, i + 1 < json.n ? json.p[i + 1] : 0);
        if (c == '"' && !to.escaped)
            to.in_string = !to.in_string;
        to.escaped = to.in_string && c == '\\' && !to.escaped;
    }
    return buf_str(&out);
}

/* ---- the order of a list: that of the API server's keys ---- */

static struct str node_key(struct maker *m, unsigned index)
{
    return arena_printf(m->arena, "node-%u", index);
}

static struct str key_of(struct maker *m, const struct app *app, struct str name)
{
    return arena_printf(m->arena, "%" STR_FMT "/%" STR_FMT, STR_ARG(app->namespace), STR_ARG(name));
}

static struct str deployment_key(struct maker *m, unsigned index)
{
    struct app app = maker_app(m, index);
    return key_of(m, &app, app.name);
}

static struct str pod_key(struct maker *m, unsigned index)
{
    struct app app;
    struct str set, name = maker_pod(m, index, &app, &set);
    return key_of(m, &app, name);
}

struct kind_made {
    void (*make)(struct maker *m, unsigned index);
    struct str (*key)(struct maker *m, unsigned index);
    unsigned n;
};

struct placed {
    struct str key;
    unsigned index;
};

static int by_key(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;
    return str_cmp(x->key, y->key);
}

static struct placed *place(struct maker *m, struct arena *keys, const struct kind_made *kind)
{
    struct placed *placed = ARENA_ARRAY(keys, kind->n, struct placed);
    for (unsigned i = 0; i < kind->n; i++) {
        placed[i] = (struct placed){arena_str(keys, kind->key(m, i)), i};
        arena_reset(m->arena);
    }
    qsort(placed, kind->n, sizeof *placed, by_key);
    return placed;
}

/* ---- all of it ---- */

/* Makes one object and puts it into the list. */
static bool put_object(struct maker *m, const struct kind_made *kind, unsigned index, bool first)
{
    struct buf out = buf_init(m->arena, OBJECT_MAX);
    jw_init(&m->w, &out);
    kind->make(m, index);
    struct str json = buf_str(&out), comma = m->what.pretty ? STR(",\n        ") : STR(",");
    if (m->what.pretty)
        json = indent(m->arena, json, 2);
    bool taken =
        (first || m->sink.put(m->sink.context, comma)) && m->sink.put(m->sink.context, json);
    arena_reset(m->arena);
    return taken;
}

bool generate_snapshot(struct generate what, struct sink sink)
{
    struct maker m = {.arena = arena_new(64 << 20), .sink = sink, .what = what};
    struct str head = what.pretty
                          ? STR("{\n    \"apiVersion\": \"v1\",\n    \"items\": [\n        ")
                          : STR("{\"apiVersion\":\"v1\",\"items\":[");
    struct str tail =
        what.pretty ? STR("\n    ],\n    \"kind\": \"List\"\n}\n") : STR("],\"kind\":\"List\"}\n");
    struct arena *keys = arena_new(64 << 20);
    if (!m.arena || !keys)
        abort();
    const struct kind_made kinds[] = {{put_node, node_key, what.pods / PODS_A_NODE + 1},
                                      {put_deployment, deployment_key, what.pods / PODS_AN_APP},
                                      {put_pod, pod_key, what.pods}};
    bool taken = sink.put(sink.context, head);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        const struct placed *placed = place(&m, keys, &kinds[k]);
        for (unsigned i = 0; taken && i < kinds[k].n; i++)
            taken = put_object(&m, &kinds[k], placed[i].index, k == 0 && i == 0);
    }
    arena_free(keys);
    arena_free(m.arena);
    return taken && sink.put(sink.context, tail);
}

static bool put_buf(void *context, struct str bytes)
{
    buf_put(context, bytes);
    return !((struct buf *)context)->full;
}

static bool put_deflate(void *context, struct str bytes)
{
    return deflate_put(context, bytes);
}

struct str generate_gzip(struct arena *arena, struct generate what)
{
    struct buf out = buf_init(arena, SIZE_MAX);
    struct deflate *gzip = deflate_open((struct sink){put_buf, &out}, 6);
    if (!gzip || !generate_snapshot(what, (struct sink){put_deflate, gzip}) ||
        !deflate_finish(gzip))
        abort();
    deflate_free(gzip);
    return buf_str(&out);
}
