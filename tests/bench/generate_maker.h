/* generate_maker: what the parts of generate share. */
#ifndef LOADLINE_TESTS_BENCH_GENERATE_MAKER_H
#define LOADLINE_TESTS_BENCH_GENERATE_MAKER_H

#include "codec/jw.h"
#include "generate.h"

#define GENERATE_NOW INT64_C(1793232000000)

enum { PODS_A_NODE = 30, PODS_AN_APP = 5, SERVICE_VARIABLES = 34, VARIABLES = 46 };

/* One object at a time is made in the arena and handed to the sink. */
struct maker {
    struct arena *arena;
    struct jw w;
    struct sink sink;
    uint64_t random;
    struct generate what;
};

/* One application: what its Deployment, ReplicaSet and Pods have in common. */
struct app {
    unsigned index;
    struct str name, namespace, hash, image, set_uid;
    int64_t created;
};

void maker_seed(struct maker *m, unsigned kind, unsigned index);
unsigned maker_pick(struct maker *m, unsigned n);
struct str maker_hex(struct maker *m, unsigned n);
struct str maker_suffix(struct maker *m, unsigned n);
struct str maker_uid(struct maker *m);
struct app maker_app(struct maker *m, unsigned index);
/* The name of a pod, and of its ReplicaSet. The pod's random numbers begin behind it. */
struct str maker_pod(struct maker *m, unsigned index, struct app *app, struct str *set);

/* The name of the environment variable of that number. */
struct str maker_variable(struct maker *m, unsigned i);

void put_time(struct jw *w, const char *key, int64_t ms);
void begin(struct jw *w, const char *key);
void begin_list(struct jw *w, const char *key);
/* Many short members in one call, as "name=value name=value": text. */
void put_pairs(struct jw *w, const char *pairs);

/* Everything of metadata but what comes after the namespace; it stays open. */
void put_metadata(struct maker *m, const struct app *app, struct str name, int64_t created);
void put_labels(struct jw *w, const struct app *app, bool hash);
/* A managedFields entry, as the API server keeps them of a pod. */
void put_manager(struct maker *m, const char *manager, int64_t when);
void put_pod_spec(struct maker *m, const struct app *app, struct str node);
void put_conditions(struct jw *w, const char *types, int64_t since, bool bad);
void put_pod(struct maker *m, unsigned index);

#endif
