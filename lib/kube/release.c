#include "kube/release.h"

#include <ctype.h>

/* Of Kubernetes 1.<minor>, from kubernetes.io/releases; to be extended by a row three times a year.
 */
static const struct {
    int64_t minor;
    const char *end;
} ends[] = {
    {13, "2019-10-15"}, {14, "2019-12-11"}, {15, "2020-05-06"}, {16, "2020-09-02"},
    {17, "2021-01-13"}, {18, "2021-06-18"}, {19, "2021-10-28"}, {20, "2022-02-28"},
    {21, "2022-06-28"}, {22, "2022-10-28"}, {23, "2023-02-28"}, {24, "2023-07-28"},
    {25, "2023-10-28"}, {26, "2024-02-28"}, {27, "2024-07-16"}, {28, "2024-10-22"},
    {29, "2025-02-28"}, {30, "2025-07-15"}, {31, "2025-11-11"}, {32, "2026-02-28"},
    {33, "2026-06-28"}, {34, "2026-10-27"}, {35, "2027-02-28"}, {36, "2027-06-28"},
    {37, "2027-10-28"},
};

static bool leading_number(struct str text, int64_t *out)
{
    size_t digits = str_digits(text);
    return digits < 10 && str_to_i64(str_sub(text, 0, digits), out);
}

bool release_parse(struct str version, struct release *out)
{
    struct str major, rest;
    struct release release;
    if (version.n && version.p[0] == 'v')
        version = str_sub(version, 1, version.n);
    if (!str_cut(version, '.', &major, &rest) || !str_to_i64(major, &release.major) ||
        !leading_number(rest, &release.minor) || release.major < 0)
        return false;
    *out = release;
    return true;
}

bool release_choose(struct str text, struct release *out)
{
    for (size_t i = 0; i < text.n; i++)
        if (!isalnum((unsigned char)text.p[i]) && !str_has(STR(".+-"), str_sub(text, i, 1)))
            return false;
    return release_parse(text, out) && out->major == 1;
}

enum { ENDS = sizeof ends / sizeof *ends, REMOVED_FIRST = 16 };

int64_t release_oldest_known(void)
{
    return REMOVED_FIRST;
}

int64_t release_newest_known(void)
{
    return ends[ENDS - 1].minor;
}

bool release_is_known(struct release release)
{
    return release.major == 1 && release.minor >= REMOVED_FIRST &&
           release.minor <= release_newest_known();
}

static int64_t end_of(size_t at)
{
    char text[] = "2019-10-15T23:59:59Z";
    memcpy(text, ends[at].end, 10);
    return clock_parse(str_of(text));
}

int64_t release_end_of_life(struct release release)
{
    size_t at = 0;
    while (at < ENDS && ends[at].minor < release.minor)
        at++;
    if (release.major > 1 || at == ENDS)
        return TIME_NONE;
    return end_of(release.major < 1 ? 0 : at);
}

struct release release_oldest_supported(int64_t time)
{
    size_t at = 0, end = ENDS - 1; /* the last row stands for what comes after it */
    while (at < end) {
        size_t middle = at + (end - at) / 2;
        if (end_of(middle) < time)
            at = middle + 1;
        else
            end = middle;
    }
    return (struct release){1, ends[at].minor};
}
