#include "codec/sniff.h"

#include "codec/zstd.h"

#define BOM STR("\xEF\xBB\xBF")

enum { TAR_MAGIC_AT = 257 };

bool sniff_has_bom(struct str start)
{
    return str_has_prefix(start, BOM);
}

bool sniff_is_yaml(struct str start)
{
    struct str line, key;
    str_cut(str_trim(start), '\n', &line, NULL);
    line = str_trim(line);
    if (str_eq(line, STR("---")) || str_has_prefix(line, STR("--- ")) ||
        str_has_prefix(line, STR("#")) || str_has_prefix(line, STR("%YAML")))
        return true;
    if (!str_has(line, STR(": ")) && !str_has_suffix(line, STR(":")))
        return false;
    str_cut(line, ':', &key, NULL);
    return key.n > 0 && !memchr(key.p, ' ', key.n) && !memchr(key.p, '<', key.n);
}

static bool is_utf16(struct str start)
{
    bool marked = str_has_prefix(start, STR("\xFF\xFE")) || str_has_prefix(start, STR("\xFE\xFF"));
    bool little = start.n >= 4 && start.p[0] && !start.p[1] && start.p[2] && !start.p[3];
    bool big = start.n >= 4 && !start.p[0] && start.p[1] && !start.p[2] && start.p[3];
    return marked || little || big;
}

/* As far as it can be seen: YAML may begin so, too ("{a: 1}"), and a template of it ("{{"). */
static bool is_json_object(struct str text)
{
    struct str rest = str_trim(str_sub(text, 1, text.n));
    return *text.p == '{' && (!rest.n || *rest.p == '"' || *rest.p == '}');
}

enum content sniff(struct str start)
{
    if (str_has_prefix(start, STR("\x1F\x8B")))
        return CONTENT_GZIP;
    if (zstd_is_start(start))
        return CONTENT_ZSTD;
    if (str_has_prefix(start, STR("PK\x03\x04")) || str_has_prefix(start, STR("PK\x05\x06")))
        return CONTENT_ZIP;
    if (str_has_prefix(str_sub(start, TAR_MAGIC_AT, start.n), STR("ustar")))
        return CONTENT_TAR;
    if (is_utf16(start))
        return CONTENT_UTF16;
    if (start.n && memchr(start.p, '\0', start.n))
        return CONTENT_BINARY;
    if (sniff_has_bom(start))
        start = str_sub(start, BOM.n, start.n);
    start = str_trim(start);
    if (!start.n)
        return CONTENT_EMPTY;
    return *start.p == '[' || is_json_object(start) ? CONTENT_JSON : CONTENT_TEXT;
}
