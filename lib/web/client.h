/* client: who asks, as an address. REMOTE_ADDR, and behind `trusted_proxies` what they say in
 * X-Forwarded-For, read from its end: an entry counts only while it was a trusted proxy that wrote
 * it, so that nobody outside can put an address there.
 */
#ifndef LOADLINE_WEB_CLIENT_H
#define LOADLINE_WEB_CLIENT_H

#include "web/request.h"

/* Sets r->client and r->client_range. */
void client_find(struct request *r);

#endif
