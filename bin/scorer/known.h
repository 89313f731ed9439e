/* known: files about the risks: a former report, what has been accepted, and what was deployed. */
#ifndef LOADLINE_BIN_KNOWN_H
#define LOADLINE_BIN_KNOWN_H

#include "score/policy.h"

enum { KNOWN_EXEMPTIONS_MAX = 10000, KNOWN_RISKS_MAX = 10000000, KNOWN_DEPLOYS_MAX = 100000 };

/* The ids of risks, as numbers, sorted. */
typedef LIST(uint64_t) id_list;

/* Of a report that --format json wrote. False after a complaint on stderr. */
bool known_baseline(struct arena *arena, const char *path, id_list *ids);
/* Is it one of them? */
bool known_has(const id_list *ids, uint64_t id);

/* {"exemptions": [{check, namespace?, workload?, reason, owner, expires}]}, JSON or YAML. False
 * after a complaint on stderr. */
bool known_exemptions(struct arena *arena, const char *path, exemption_list *list);

/* What GET /api/deploys has answered, page behind page. Sorted; what checks do not read is left
 * out. False after a complaint on stderr. */
bool known_deploys(struct arena *arena, const char *path, deployed_list *list);

#endif
