#include "web/client.h"

#include "base/ip.h"

enum { RANGE_BITS_V6 = 64 }; /* what one customer of a provider gets at least (RFC 6177) */

/* 192.0.2.1:4711 and [2001:db8::1]:4711, as some proxies write, without the port. */
static struct str without_port(struct str address)
{
    struct str host, port;
    if (address.n && address.p[0] == '[') {
        str_cut(str_sub(address, 1, address.n), ']', &host, NULL);
        return host;
    }
    bool cut = str_cut(address, ':', &host, &port);
    return cut && !str_has(port, STR(":")) ? host : address;
}

/* Takes the last entry of the chain; a comma too many makes none. False when nothing is left. */
static bool take_last(struct str *chain, struct str *entry)
{
    *entry = (struct str){0};
    while (chain->n && entry->n == 0) {
        if (!str_cut_last(*chain, ',', chain, entry)) {
            *entry = *chain;
            *chain = (struct str){0};
        }
        *entry = without_port(str_trim(*entry));
    }
    return entry->n > 0;
}

/* The nearest address that is not a trusted proxy's. A proxy that says something else than an
 * address is itself the client. */
static struct ip nearest(const struct request *r, struct ip ip)
{
    struct str proxies = str_of(r->conf->trusted_proxies.s), entry;
    struct str chain = http_header(&r->http, "X_FORWARDED_FOR");
    while (ip_in_ranges(&ip, proxies) && take_last(&chain, &entry))
        if (!ip_parse(entry, &ip))
            break;
    return ip;
}

void client_find(struct request *r)
{
    char text[IP_TEXT_SIZE];
    struct ip ip;
    r->client = r->client_range = r->http.address;
    if (!ip_parse(r->http.address, &ip))
        return;
    ip = nearest(r, ip);
    r->client = arena_str(r->arena, ip_format(&ip, text));
    r->client_range = r->client;
    if (!ip_is_v4(&ip)) {
        memset(ip.bytes + RANGE_BITS_V6 / 8, 0, sizeof ip.bytes - RANGE_BITS_V6 / 8);
        r->client_range =
            arena_printf(r->arena, "%" STR_FMT "/%d", STR_ARG(ip_format(&ip, text)), RANGE_BITS_V6);
    }
}
