/* admission: what stands between a request and its handler, always in this order: match (404),
 * method (405 + Allow), too many that wait (503 + Retry-After), credential (401 +
 * WWW-Authenticate), scope or role (403), room for what takes long (503 + Retry-After), rate limit
 * (429 + Retry-After), body (411, 413, short).
 */
#ifndef LOADLINE_WEB_ADMISSION_H
#define LOADLINE_WEB_ADMISSION_H

#include "web/route.h"

/* ERR_OK: r->route, r->identity and the body are set, and the database is bound to the tenant. */
enum error admission_pass(struct request *r, struct route_table table);

#endif
