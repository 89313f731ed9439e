/* webhook_url: what a tenant may name as the address of a channel, and what is shown of it.
 *
 * This refuses early what could never be posted to, so that people hear of it when they type it.
 * What a name resolves to is known, and judged, only when the connection is made (deliver/post.h).
 */
#ifndef LOADLINE_SERVICE_WEBHOOK_URL_H
#define LOADLINE_SERVICE_WEBHOOK_URL_H

#include "base/arena.h"

enum { WEBHOOK_URL_MAX = 2048, WEBHOOK_URL_SHOWN_MAX = 8 + 255 + 6 + 4 };

struct webhook_policy {
    bool allow_http;
    struct str allow; /* ranges of addresses that are not public and allowed all the same */
};

/* NULL when the URL is good: http(s), a host, no user name, and when the host is an address or
 * localhost, one that may be posted to. Otherwise what is wrong, as the end of a sentence: "must
 * begin with https://". */
const char *webhook_url_problem(struct str url, const struct webhook_policy *policy);

/* "https://hooks.example.com/...": scheme, host and port of a good URL. The rest is as good as a
 * password. */
struct str webhook_url_masked(struct arena *arena, struct str url);
/* The host of a good URL; an IPv6 address without its brackets. */
struct str webhook_url_host(struct str url);

#endif
