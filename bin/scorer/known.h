/* known: files about the risks: a former report, and what has been accepted. */
#ifndef LOADLINE_BIN_KNOWN_H
#define LOADLINE_BIN_KNOWN_H

#include "score/policy.h"

enum { KNOWN_EXEMPTIONS_MAX = 10000, KNOWN_RISKS_MAX = 10000000 };

/* The ids of risks, as numbers, sorted. */
typedef LIST(uint64_t) id_list;

/* Of a report that --format json wrote. False after a complaint on stderr. */
bool known_baseline(struct arena *arena, const char *path, id_list *ids);
/* Is it one of them? */
bool known_has(const id_list *ids, uint64_t id);

/* {"exemptions": [{check, namespace?, workload?, reason, owner, expires}]}, JSON or YAML. False
 * after a complaint on stderr. */
bool known_exemptions(struct arena *arena, const char *path, exemption_list *list);

#endif
