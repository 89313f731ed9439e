#include "service/webhook_url.h"

#include "base/ip.h"

enum { HOST_MAX = 253, PORT_MAX = 65535 };

static bool is_name_character(char c)
{
    char lower = str_lower(c);
    return (c >= '0' && c <= '9') || (lower >= 'a' && lower <= 'z') || c == '-' || c == '_';
}

/* Absent when there is no such scheme. */
static struct str after_scheme(struct str url, struct str scheme)
{
    if (!str_eq_nocase(str_sub(url, 0, scheme.n), scheme))
        return (struct str){0};
    return str_sub(url, scheme.n, url.n);
}

static struct str authority_of(struct str url)
{
    struct str rest = after_scheme(url, STR("https://"));
    size_t n = 0;
    if (!rest.p)
        rest = after_scheme(url, STR("http://"));
    while (n < rest.n && !strchr("/?#", rest.p[n]))
        n++;
    return (struct str){rest.p, n};
}

/* The host without the brackets of an IPv6 address. False when it is not HOST or HOST:PORT. */
static bool split_host(struct str authority, struct str *host, bool *is_v6)
{
    struct str port = {0};
    uint64_t number;
    *is_v6 = authority.n && authority.p[0] == '[';
    if (*is_v6) {
        if (!str_cut(str_sub(authority, 1, authority.n), ']', host, &port))
            return false;
        if (port.n && port.p[0] != ':')
            return false;
        port = port.n ? str_sub(port, 1, port.n) : (struct str){0};
    } else {
        str_cut(authority, ':', host, &port);
    }
    return !port.p || (str_to_u64(port, &number) && number >= 1 && number <= PORT_MAX);
}

static bool is_name(struct str host)
{
    if (str_has_suffix(host, STR(".")))
        host.n--;
    if (host.n == 0 || host.n > HOST_MAX || host.p[0] == '.' || host.p[host.n - 1] == '.' ||
        str_has(host, STR("..")))
        return false;
    for (size_t i = 0; i < host.n; i++)
        if (host.p[i] != '.' && !is_name_character(host.p[i]))
            return false;
    return true;
}

static struct str last_label(struct str name)
{
    struct str last;
    if (str_has_suffix(name, STR(".")))
        name.n--;
    return str_cut_last(name, '.', NULL, &last) ? last : name;
}

/* No name ends so, and what does is read as an address by some: 127.1, 0x7f.1, 2130706433. */
static bool looks_like_address(struct str name)
{
    struct str last = last_label(name);
    return str_digits(last) == last.n || str_eq_nocase(str_sub(last, 0, 2), STR("0x"));
}

static const char *host_problem(struct str host, bool is_v6, const struct webhook_policy *policy)
{
    struct ip ip;
    bool is_address = ip_parse(host, &ip);
    if (is_v6 && (!is_address || !memchr(host.p, ':', host.n)))
        return "has a host that is not an address";
    if (!is_v6 && !is_name(host))
        return "has no host, or one with characters that no name has";
    if (!is_address && looks_like_address(host))
        return "must have an address in its usual form, such as 192.0.2.1";
    if (!is_address && str_eq_nocase(last_label(host), STR("localhost")))
        is_address = ip_parse(STR("127.0.0.1"), &ip);
    if (is_address && !ip_is_public(&ip) && !ip_in_ranges(&ip, policy->allow))
        return "must not be an address inside a network";
    return NULL;
}

const char *webhook_url_problem(struct str url, const struct webhook_policy *policy)
{
    struct str host;
    bool is_v6;
    for (size_t i = 0; i < url.n; i++)
        if (url.p[i] <= ' ' || url.p[i] >= 0x7f || url.p[i] == '\\')
            return "must have no blanks, no backslashes and only ASCII characters";
    if (url.n > WEBHOOK_URL_MAX)
        return "is too long";
    if (!after_scheme(url, STR("https://")).p &&
        (!policy->allow_http || !after_scheme(url, STR("http://")).p))
        return policy->allow_http ? "must begin with https:// or http://"
                                  : "must begin with https://";
    struct str authority = authority_of(url);
    if (authority.n && memchr(authority.p, '@', authority.n))
        return "must have no user name";
    if (!split_host(authority, &host, &is_v6))
        return "has a host or a port that makes no sense";
    return host_problem(host, is_v6, policy);
}

struct str webhook_url_masked(struct arena *arena, struct str url)
{
    struct str authority = authority_of(url);
    bool secure = after_scheme(url, STR("https://")).p;
    return arena_printf(arena, "%s://%" STR_FMT "/...", secure ? "https" : "http",
                        STR_ARG(authority));
}

struct str webhook_url_host(struct str url)
{
    struct str host;
    bool is_v6;
    return split_host(authority_of(url), &host, &is_v6) ? host : (struct str){0};
}
