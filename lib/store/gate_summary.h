/* gate_summary: what the deployment gate needs to know of a cluster. Made at ingest and stored
 * ready, so that an answer costs one read.
 */
#ifndef LOADLINE_STORE_GATE_SUMMARY_H
#define LOADLINE_STORE_GATE_SUMMARY_H

#include "db/db.h"
#include "gate/gate.h"
#include "gate/workload_state.h"
#include "score/score.h"
#include "store/risk_content.h"

enum {
    GATE_SUMMARY_RISKS_MAX = 100,
    GATE_SUMMARY_EXEMPT_MAX = 20, /* places among these for what is exempt */
    GATE_SUMMARY_REASONS_MAX = 3
};

/* Lines, each ended by a newline. */
struct gate_summary {
    struct str reasons; /* see ledger_reasons(), at most GATE_SUMMARY_REASONS_MAX about outages */
    struct str risks; /* JSON objects, at most GATE_SUMMARY_RISKS_MAX: the costliest, those that are
                         exempt and would cost most, others */
    int64_t risks_hash;   /* of these lines */
    bool risks_kept;      /* a decision has kept them already; set by gate_summary_fetch() */
    int64_t hash;         /* the cluster's gate_summary_hash, see gate_summary_name(); likewise */
    struct str workloads; /* see gate/workload_state.h; the last line, "!StatefulSet Job": kinds
                             that the snapshot does not show */
    struct str api_use;   /* see api_use_text.h; absent: it was stored before there was any */
    struct str scope;     /* see gate/scope.h; absent: what is stored is not of this summary */
};

/* What a cluster's row has of its summary: the upper bits are those of gate_summary_hash(), and the
 * lower ones count the changes. So what was there twice, with something else in between, has two
 * names: its risks were first seen at other times. stored: that of now. The same again when nothing
 * has changed. */
int64_t gate_summary_name(int64_t stored, int64_t hash);

/* NULL when there is none. */
enum error gate_summary_fetch(struct db *db, struct arena *arena, struct str cluster,
                              struct gate_summary **summary);
/* hashes: of all risks of the same moment, see risk_replace(). */
enum error gate_summary_put(struct db *db, struct arena *arena, struct str cluster,
                            const struct gate_summary *summary, const struct risk_hashes *hashes);

/* The texts of a summary in one, but for that about scope. Absent without memory. */
struct str gate_summary_pack(struct arena *arena, const struct gate_summary *summary);
/* Sets the texts. False when these are no such bytes. */
bool gate_summary_unpack(struct arena *arena, struct str packed, struct gate_summary *summary);

/* Which risks of a ledger a summary has, and how many. What costs something comes first, and leaves
 * room for what is exempt. What costs nothing because something else pays fills the rest. */
uint32_t gate_summary_risks(struct arena *arena, const struct ledger *ledger,
                            uint32_t order[GATE_SUMMARY_RISKS_MAX]);

/* The lines of a judged cluster. kept: the ledger as it is kept, see fold.h; first_seen: one a risk
 * of that. */
struct gate_summary gate_summary_of(struct arena *arena, const struct cluster *cluster,
                                    const struct ledger *ledger, const struct ledger *kept,
                                    const int64_t *first_seen, struct str api_use,
                                    struct str scope);
/* Changes when any risk, workload or API version in use changes, or what leans on what. states: of
 * workload_states(); links: of scope_hash(). */
int64_t gate_summary_hash(struct arena *arena, const struct cluster *cluster,
                          const struct workload_state *states, const struct ledger *ledger,
                          struct str api_use, uint64_t links);

/* The workload that `resource` names: "deployment/api", "deploy/api", "deployments/api", or "api"
 * alone for the first workload of that name. Such a one is hidden where Deployments, StatefulSets
 * or DaemonSets are. *found is set when it is found. */
enum gate_target_state gate_summary_find(const struct gate_summary *summary, struct str namespace,
                                         struct str resource, struct workload_state *found);

/* The line of that workload (gate/workload_state.h), by which a later snapshot is asked what became
 * of a change to it; of one that is not there yet only who it is. Absent when `resource` names no
 * workload, or the snapshot does not show its kind or its template. */
struct str gate_summary_target(struct arena *arena, const struct gate_summary *summary,
                               struct str namespace, struct str resource);

#endif
