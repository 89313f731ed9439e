/* ip: IP addresses and ranges of them, of both families at once.
 *
 * An IPv4 address is kept as its IPv4-mapped IPv6 address (RFC 4291 section 2.5.5.2), so that a
 * caller that comes in either way is the same caller, and a range 10.0.0.0/8 has ::ffff:10.0.0.1.
 */
#ifndef LOADLINE_BASE_IP_H
#define LOADLINE_BASE_IP_H

#include <sys/socket.h>

#include "base/str.h"

struct ip {
    unsigned char bytes[16];
};

/* "192.0.2.1", "2001:db8::1": the canonical dotted and colon forms only (inet_pton), so no octal,
 * no decimal and no short ones; a zone ("%eth0") is refused. */
bool ip_parse(struct str text, struct ip *ip);
/* Of AF_INET and AF_INET6; false for any other family. */
bool ip_of_sockaddr(const struct sockaddr *address, struct ip *ip);

enum { IP_TEXT_SIZE = 46 };
/* The text of RFC 5952, or the dotted form of what is an IPv4 address, into out; returns out as a
 * slice. One address has one text. */
struct str ip_format(const struct ip *ip, char out[IP_TEXT_SIZE]);
bool ip_is_v4(const struct ip *ip);

/* Is text ("10.0.0.0/8", "fe80::/10", or an address alone) a range? Bits after the prefix are
 * ignored. */
bool ip_is_range(struct str text);
/* Is every word of this list, which blanks separate, one? */
bool ip_are_ranges(struct str list);
/* Is ip in one of the ranges of this list, which blanks separate? What is no range holds nothing.
 */
bool ip_in_ranges(const struct ip *ip, struct str ranges);

/* May the public internet route to it? Everything that the IANA special-purpose registries (RFC
 * 6890, both families), multicast and reserved space set aside is not public, nor is an address
 * that a cloud answers its own machines from. An address that carries an IPv4 one (mapped, NAT64)
 * is what that one is. */
bool ip_is_public(const struct ip *ip);

#endif
