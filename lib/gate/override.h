/* override: somebody takes it on themselves that what the gate would stop goes ahead, for a reason
 * and a time. The decision stays what it is. Pure.
 */
#ifndef LOADLINE_GATE_OVERRIDE_H
#define LOADLINE_GATE_OVERRIDE_H

#include "codec/jw.h"
#include "kube/meta.h"

struct override {
    struct str id;
    struct str namespace; /* empty: all of the cluster */
    struct str reason, by;
    int64_t created, until;
};
typedef LIST(struct override) override_list;

/* The one that holds at `now` for a change to these namespaces; of several the one that lasts
 * longest. NULL: none. One of a namespace holds for what is in this namespace alone: a namespace
 * that is empty or absent, and no namespace at all, stand for the cluster as a whole. */
const struct override *override_for(const override_list *overrides, const str_list *namespaces,
                                    int64_t now);
/* As an object of answers: who, why, where, until when. */
void override_write(struct jw *w, const struct override *override);

#endif
