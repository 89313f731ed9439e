#include "web/negotiate.h"

enum { WEIGHT_NONE = -1, WEIGHT_FULL = 1000 };

/* "0.5" in thousandths; what is no weight counts as 0, so that a slip never forces a coding on
 * anybody. */
static int weight_of(struct str text)
{
    int weight = 0, scale = WEIGHT_FULL;
    if (text.n == 0 || text.n > 5 || (text.p[0] != '0' && text.p[0] != '1'))
        return 0;
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        if (i == 1 ? c != '.' : c < '0' || c > '9')
            return 0;
        if (i == 1)
            continue;
        weight += (c - '0') * scale;
        scale /= 10;
    }
    return weight > WEIGHT_FULL ? 0 : weight;
}

/* Of the parameters behind a coding: "; q=0.5". */
static int weight_among(struct str parameters)
{
    struct str one, name, value;
    while (parameters.n) {
        str_cut(parameters, ';', &one, &parameters);
        if (str_cut(one, '=', &name, &value) && str_eq_nocase(str_trim(name), STR("q")))
            return weight_of(str_trim(value));
    }
    return WEIGHT_FULL;
}

bool negotiate_accepts_gzip(struct str list)
{
    int gzip = WEIGHT_NONE, identity = WEIGHT_NONE, any = WEIGHT_NONE;
    struct str one, coding, parameters;
    while (list.n) {
        str_cut(list, ',', &one, &list);
        str_cut(one, ';', &coding, &parameters);
        coding = str_trim(coding);
        int weight = weight_among(parameters);
        if (str_eq_nocase(coding, STR("gzip")) || str_eq_nocase(coding, STR("x-gzip")))
            gzip = weight > gzip ? weight : gzip;
        else if (str_eq_nocase(coding, STR("identity")))
            identity = weight;
        else if (str_eq(coding, STR("*")))
            any = weight;
    }
    if (gzip == WEIGHT_NONE)
        gzip = any;
    return gzip > 0 && gzip >= identity;
}

/* The weight of a media type, by the range that names it most precisely: of three kinds, the type
 * itself, all of its main type, anything. */
enum { RANGES = 3 };

static int weight_of_ranges(struct str list, const struct str ranges[RANGES])
{
    int weights[RANGES] = {WEIGHT_NONE, WEIGHT_NONE, WEIGHT_NONE};
    struct str one, type, parameters;
    while (list.n) {
        str_cut(list, ',', &one, &list);
        str_cut(one, ';', &type, &parameters);
        for (int i = 0; i < RANGES; i++)
            if (str_eq_nocase(str_trim(type), ranges[i]))
                weights[i] = weight_among(parameters);
    }
    for (int i = 0; i < RANGES; i++)
        if (weights[i] != WEIGHT_NONE)
            return weights[i];
    return 0;
}

bool negotiate_prefers_text(struct str accept)
{
    static const struct str text[RANGES] = {STR("text/plain"), STR("text/plain"),
                                            STR("text/plain")};
    static const struct str json[RANGES] = {STR("application/json"), STR("application/*"),
                                            STR("*/*")};
    return weight_of_ranges(accept, text) > weight_of_ranges(accept, json);
}

bool negotiate_etag_matches(struct str list, struct str etag)
{
    if (str_eq(str_trim(list), STR("*")))
        return true;
    struct str rest = list;
    while (rest.n) {
        struct str one;
        str_cut(rest, ',', &one, &rest);
        one = str_trim(one);
        if (str_has_prefix(one, STR("W/")))
            one = str_sub(one, 2, one.n);
        if (str_eq(one, etag))
            return true;
    }
    return false;
}
