#include "base/ip.h"

#include <arpa/inet.h>
#include <netinet/in.h>

enum { TEXT_MAX = INET6_ADDRSTRLEN, BITS = 128, MAPPED_BITS = 96 };

/* Global unicast (2000::/3) is public but for these, IPv4 but for those. */
#define GLOBAL_UNICAST "2000::/3"
#define NOT_PUBLIC_V6  "2001::/23 2001:db8::/32 2002::/16 3fff::/20"
#define NOT_PUBLIC_V4                                                                              \
    "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 "    \
    "192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 "     \
    "224.0.0.0/4 240.0.0.0/4"
/* What cloud machines are served from a public address: Azure's own. */
#define CLOUD_V4 "168.63.129.16"
#define MAPPED   "::ffff:0:0/96"
#define NAT64    "64:ff9b::/96" /* RFC 6052 section 2.1 */

static struct ip mapped(const void *v4)
{
    struct ip ip = {{[10] = 0xff, [11] = 0xff}};
    memcpy(ip.bytes + 12, v4, 4);
    return ip;
}

bool ip_parse(struct str text, struct ip *ip)
{
    char cstr[TEXT_MAX] = "";
    unsigned char v4[4];
    if (text.n >= sizeof cstr || (text.n && memchr(text.p, '\0', text.n)))
        return false;
    memcpy(cstr, text.p ? text.p : "", text.n);
    if (inet_pton(AF_INET, cstr, v4) == 1) {
        *ip = mapped(v4);
        return true;
    }
    return inet_pton(AF_INET6, cstr, ip->bytes) == 1;
}

bool ip_of_sockaddr(const struct sockaddr *address, struct ip *ip)
{
    if (address->sa_family == AF_INET) {
        struct sockaddr_in v4;
        memcpy(&v4, address, sizeof v4);
        *ip = mapped(&v4.sin_addr);
        return true;
    }
    if (address->sa_family != AF_INET6)
        return false;
    struct sockaddr_in6 v6;
    memcpy(&v6, address, sizeof v6);
    memcpy(ip->bytes, &v6.sin6_addr, sizeof ip->bytes);
    return true;
}

bool ip_is_v4(const struct ip *ip)
{
    struct ip same = mapped(ip->bytes + 12);
    return memcmp(ip, &same, sizeof same) == 0;
}

struct str ip_format(const struct ip *ip, char out[IP_TEXT_SIZE])
{
    bool is_v4 = ip_is_v4(ip);
    return str_of(
        inet_ntop(is_v4 ? AF_INET : AF_INET6, ip->bytes + (is_v4 ? 12 : 0), out, IP_TEXT_SIZE));
}

static bool parse_range(struct str text, struct ip *ip, unsigned *bits)
{
    struct str address, prefix;
    uint64_t length = BITS;
    bool has_prefix = str_cut(text, '/', &address, &prefix);
    if (!ip_parse(address, ip))
        return false;
    bool is_v4 = !memchr(address.p, ':', address.n);
    if (has_prefix) {
        if (!str_to_u64(prefix, &length) || length > (is_v4 ? BITS - MAPPED_BITS : BITS))
            return false;
        length += is_v4 ? MAPPED_BITS : 0;
    }
    *bits = (unsigned)length;
    return true;
}

bool ip_is_range(struct str text)
{
    struct ip ip;
    unsigned bits;
    return parse_range(text, &ip, &bits);
}

bool ip_are_ranges(struct str list)
{
    struct str one;
    while (str_next_word(&list, &one))
        if (!ip_is_range(one))
            return false;
    return true;
}

static bool same_prefix(const struct ip *a, const struct ip *b, unsigned bits)
{
    unsigned bytes = bits / 8, rest = bits % 8;
    if (memcmp(a->bytes, b->bytes, bytes) != 0)
        return false;
    return !rest || ((a->bytes[bytes] ^ b->bytes[bytes]) >> (8 - rest)) == 0;
}

bool ip_in_ranges(const struct ip *ip, struct str ranges)
{
    struct str one;
    while (str_next_word(&ranges, &one)) {
        struct ip range;
        unsigned bits;
        if (parse_range(one, &range, &bits) && same_prefix(ip, &range, bits))
            return true;
    }
    return false;
}

bool ip_is_public(const struct ip *ip)
{
    if (ip_in_ranges(ip, STR(MAPPED " " NAT64))) {
        struct ip v4 = mapped(ip->bytes + 12);
        return !ip_in_ranges(&v4, STR(NOT_PUBLIC_V4 " " CLOUD_V4));
    }
    return ip_in_ranges(ip, STR(GLOBAL_UNICAST)) && !ip_in_ranges(ip, STR(NOT_PUBLIC_V6));
}
