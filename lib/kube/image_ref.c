#include "kube/image_ref.h"

static bool all_in(struct str s, const char *set)
{
    for (size_t i = 0; i < s.n; i++)
        if (!memchr(set, s.p[i], strlen(set)))
            return false;
    return true;
}

/* Algorithms by their grammar: components of lower-case letters and digits, joined by + . _ or -.
 */
static bool is_algorithm(struct str s)
{
    bool in_component = false;
    for (size_t i = 0; i < s.n; i++) {
        bool separator = memchr("+._-", s.p[i], 4) != NULL;
        if (separator ? !in_component
                      : !all_in(str_sub(s, i, 1), "abcdefghijklmnopqrstuvwxyz0123456789"))
            return false;
        in_component = !separator;
    }
    return in_component;
}

/* Lower-case hex, of the length that the algorithm gives; of one that is not known any will do, as
 * in the image specification. */
static bool is_digest(struct str s)
{
    static const struct {
        char name[8];
        size_t digits;
    } algorithms[] = {{"sha256", 64}, {"sha384", 96}, {"sha512", 128}, {"blake3", 64}};
    struct str name, hex;
    if (!str_cut(s, ':', &name, &hex) || !is_algorithm(name) || !all_in(hex, "0123456789abcdef"))
        return false;
    for (size_t i = 0; i < sizeof algorithms / sizeof *algorithms; i++)
        if (str_eq(name, str_of(algorithms[i].name)))
            return hex.n == algorithms[i].digits;
    return hex.n > 0;
}

/* The first path segment names a registry when it cannot be a part of a repository's name. */
static bool is_registry(struct str segment)
{
    return str_has(segment, STR(".")) || str_has(segment, STR(":")) ||
           str_eq(segment, STR("localhost"));
}

/* Docker's registry has three names, and 443 is the port that is asked unless another one is named.
 */
struct str image_registry(struct str name)
{
    struct str host, port;
    if (str_cut_last(name, ':', &host, &port) && str_eq(port, STR("443")))
        name = host;
    if (str_eq_nocase(name, STR("index.docker.io")) ||
        str_eq_nocase(name, STR("registry-1.docker.io")))
        return STR("docker.io");
    return name;
}

struct image_ref image_parse(struct str text)
{
    struct image_ref ref = {.registry = STR("docker.io")};
    struct str digest, first, rest, directory, last, name;
    bool pinned = str_cut(text, '@', &text, &digest);
    if (pinned && is_digest(digest))
        ref.digest = digest;
    ref.bad_digest = pinned && !ref.digest.p;

    if (!str_cut_last(text, '/', &directory, &last))
        last = text;
    if (str_cut_last(last, ':', &name, &ref.tag))
        text.n -= ref.tag.n + 1;
    if (str_cut(text, '/', &first, &rest) && is_registry(first)) {
        ref.registry = image_registry(first);
        text = rest;
    }
    ref.repository = text;
    return ref;
}

bool image_place_is_valid(struct str place)
{
    struct str registry, path;
    for (size_t i = 0; i < place.n; i++)
        if (!strchr("abcdefghijklmnopqrstuvwxyz0123456789-._/:[]", str_lower(place.p[i])))
            return false;
    str_cut(place, '/', &registry, &path);
    return is_registry(registry) && !str_has_suffix(registry, STR(":"));
}

bool image_is_mutable(struct image_ref ref)
{
    return !ref.digest.n && !ref.bad_digest && (!ref.tag.n || str_eq(ref.tag, STR("latest")));
}
