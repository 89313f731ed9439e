/* change: one change to a cluster, made object by object: they are found by what an inventory says,
 * and edited as JSON (json-c). Where JSON is given as text, ' stands for ", and @120 for the time
 * 120 seconds before the snapshot's.
 */
#ifndef LOADLINE_TESTS_CHANGE_H
#define LOADLINE_TESTS_CHANGE_H

#include "base/clock.h"
#include "objects.h"

#include <json-c/json.h>

/* What is found of an object without reading it again. */
struct entry {
    struct str kind, api_version, namespace, name;
    struct str owner_kind, owner_name; /* its controller, or first owner */
    struct str node;                   /* of a Pod */
    bool ended;                        /* a Pod that has, or is being deleted */
    bool found;                        /* a check of what runs complains: set by inventory_note() */
    bool faulty;                       /* any check does */
};

struct inventory {
    struct entry *entries;
    uint32_t n;
};

struct ledger;
/* Sets `found` and `faulty` of each. */
void inventory_note(struct inventory *inventory, const struct ledger *ledger);

enum { NOT_THERE = UINT32_MAX };

struct change {
    struct arena *arena;
    const struct inventory *inventory;
    struct objects objects; /* an array of its own; those taken away are empty */
    int64_t time;           /* of the snapshot */
    uint64_t seed;
    struct str object; /* the first one that was picked */
    const void *what;  /* the mutation's argument */
};

/* Where json-c finds something else than objects with names, the running test fails. */
struct inventory *inventory_of(struct arena *arena, const struct objects *objects);
struct change change_begin(struct arena *arena, const struct inventory *inventory,
                           const struct objects *objects, int64_t time, uint64_t seed);

typedef bool fits_function(struct change *change, uint32_t at);
/* One of those of the kind ("" for any) that fit (NULL: all do), by a throw; or NOT_THERE. */
uint32_t change_pick(struct change *change, const char *kind, fits_function *fits);
uint32_t change_find(const struct change *change, struct str kind, struct str namespace,
                     struct str name);
bool change_is_kind(const struct change *change, uint32_t at, const char *kind);

/* The object as a tree; change_close() puts it back, changed, and frees it. */
struct json_object *change_open(const struct change *change, uint32_t at);
void change_close(struct change *change, uint32_t at, struct json_object *tree);
/* The same, not put back. */
void change_leave(struct json_object *tree);
void change_remove(struct change *change, uint32_t at);
void change_remove_kind(struct change *change, const char *kind);
void change_add(struct change *change, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* ---- trees ---- */

/* "status.conditions": NULL when it is not there. */
struct json_object *tree_find(struct json_object *tree, const char *path);
/* Of an array; of anything else 0. */
size_t tree_length(struct json_object *tree);
struct str tree_text(struct json_object *tree, const char *path);
int64_t tree_number(struct json_object *tree, const char *path, int64_t otherwise);
/* Makes what is missing on the way. json NULL takes the member away; "a.b[]" adds to a list. */
void tree_set(struct change *change, struct json_object *tree, const char *path, const char *json);
void tree_set_number(struct json_object *tree, const char *path, int64_t number);
/* Of status.conditions. "" when it is not there. */
struct str tree_condition(struct json_object *tree, const char *type);
void tree_set_condition(struct change *change, struct json_object *tree, const char *type,
                        const char *status, unsigned seconds_ago, const char *reason);

#endif
