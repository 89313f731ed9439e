/* store: the objects of a cluster, redacted, as they are going to be pushed.
 *
 * Objects stand in pages. A page is a list of one kind,
 * `{"kind":"PodList","apiVersion":"v1","items":[...]}`, of some 64 KiB, and a gzip member of its
 * own. The body of a push is all pages one after another: gzip allows that, and the server reads
 * lists that follow one another. So a page in which nothing has changed is packed once, however
 * often it is pushed, and 10,000 pods take a few megabytes.
 *
 * What is replaced or removed leaves a gap in its page; before a push pages with gaps are written
 * anew.
 */
#ifndef LOADLINE_AGENT_STORE_H
#define LOADLINE_AGENT_STORE_H

#include "agent/memory.h"
#include "codec/sha256.h"

enum { STORE_LISTS_MAX = 64 };

struct store;
struct store_list; /* the objects of one kind */

struct store *store_new(void);
void store_free(struct store *store);

/* kind: "Pod". quiet: what changes in it is pushed, but no reason to push. Stays until the store
 * goes. NULL: there are STORE_LISTS_MAX. */
struct store_list *store_add_list(struct store *store, struct str kind, bool quiet);
/* What it is a list of from now on: "apps/v1". Objects of another version go. */
void store_set_version(struct store_list *list, struct str api_version);
/* What stands before its items. */
struct str store_front(const struct store_list *list);

/* Puts an object in the place of one of the same name. text: clean_object(). */
void store_put(struct store_list *list, struct str namespace, struct str name, struct str version,
               struct str text);
/* Is the object there already in this version? Then it is as if it were put again. */
bool store_keep(struct store_list *list, struct str namespace, struct str name, struct str version);
void store_remove(struct store_list *list, struct str namespace, struct str name);

/* The cluster is about to tell all objects of the list; it has told them: what was not put in
 * between is gone. */
void store_begin(struct store_list *list);
void store_settle(struct store_list *list);
/* There is nothing to know about it any more. */
void store_clear(struct store_list *list);

size_t store_count(const struct store_list *list);
size_t store_bytes(const struct store *store); /* of memory, about */

/* Counts changes of lists that are not quiet. */
uint64_t store_changes(const struct store *store);

/* From now on each object that goes is told, after it has gone; NULL: no more. */
void store_tell_gone(struct store *store,
                     void (*tell)(void *context, struct str kind, struct str namespace,
                                  struct str name),
                     void *context);

/* ---- its objects, one by one ---- */

struct store_object {
    struct str namespace, name;
    const unsigned char *digest; /* SHA256 bytes: reader/document_index.h */
};

/* Of the list: valid until it changes. */
struct str store_kind(const struct store_list *list);
struct str store_api_version(const struct store_list *list);
/* Tells of each object, in any order. */
void store_each(const struct store_list *list,
                void (*tell)(void *context, const struct store_object *object), void *context);
/* Puts the text of those that are wanted, with commas between them. Returns how many. */
size_t store_put_wanted(struct store_list *list,
                        bool (*wants)(void *context, const struct store_object *object),
                        void *context, struct bytes *out);

/* ---- all of it ---- */

/* Puts the list as gzip members, one or more: of an empty one an empty list. */
void store_pack(struct store_list *list, struct bytes *out);

#endif
