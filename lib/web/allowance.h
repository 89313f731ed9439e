/* allowance: how often a person, or a key, may do what leaves something behind: rows, entries in
 * the audit trail. It is generous, and there so that neither one member nor one key that has leaked
 * fills tables and disk. Two limits hold (change_limit of persons, gate_limit of keys):
 *
 *   of the person or the key   the limit
 *   of their tenant            ALLOWANCE_OF_TENANT times as much: keys and members can be made
 *
 * Counts are in the database (store/rate.h), so all workers and hosts share them. Of questions to
 * the gate a worker counts one part in ALLOWANCE_PARTS of the limit by itself and then adds it at
 * once, so most questions cost no statement. Each worker may let such a part too much in. Once a
 * limit is reached a worker refuses without asking.
 */
#ifndef LOADLINE_WEB_ALLOWANCE_H
#define LOADLINE_WEB_ALLOWANCE_H

#include "web/route.h"

enum { ALLOWANCE_OF_TENANT = 10, ALLOWANCE_PARTS = 1000 };

/* One more, of class CHANGE or GATE. The caller is known. RATE_LIMITED, with Retry-After: it is one
 * too many. */
enum error allowance_take(struct request *r, enum rate_class class);

#endif
