/* notes: what is known of the risks of a ledger beside it (report/extras.h). */
#ifndef LOADLINE_BIN_NOTES_H
#define LOADLINE_BIN_NOTES_H

#include "kube/cluster_time.h"
#include "known.h"
#include "options.h"
#include "reading.h"
#include "report/extras.h"
#include "report/report.h"

/* baseline: NULL without one. In the reading's arena. */
struct report_extras notes_make(const struct reading *reading, const struct options *options,
                                const struct ledger *ledger, const id_list *baseline);
/* Is a shown risk as bad as options->fail_on, and new, when there is a baseline? That manifests
 * show nothing that runs is none. */
bool notes_fail(const struct reading *reading, const struct options *options,
                const struct ledger *ledger, const struct report_extras *extras);
/* Names the object whose time was taken, and the latest that was not, on stderr; nothing when the
 * time is not of the snapshot. arena: for scratch. */
void notes_tell_time(struct arena *arena, struct report_terms terms,
                     const struct cluster_look *look);
/* Names exemptions that no finding needs, on stderr. */
void notes_tell_unused(const struct options *options, const struct ledger *ledger);

#endif
