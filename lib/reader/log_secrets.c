#include "reader/log_secrets.h"

#include "kube/credential_cut.h"

static size_t find(struct str text, struct str what)
{
    const char *at = text.n ? memmem(text.p, text.n, what.p, what.n) : NULL;
    return at ? (size_t)(at - text.p) : SIZE_MAX;
}

/* Behind "-----END RSA PRIVATE KEY-----"; SIZE_MAX: there is none. */
static size_t key_end(struct str message)
{
    size_t from = find(message, STR("-----END"));
    if (from == SIZE_MAX)
        return SIZE_MAX;
    struct str rest = str_sub(message, from + 8, message.n);
    size_t dashes = find(rest, STR("-----"));
    bool private =
        str_has(str_sub(rest, 0, dashes == SIZE_MAX ? rest.n : dashes), STR("PRIVATE KEY"));
    return !private ? SIZE_MAX : dashes == SIZE_MAX ? message.n : from + 8 + dashes + 5;
}

static bool begins_key(struct str message)
{
    size_t from = find(message, STR("-----BEGIN"));
    if (from == SIZE_MAX)
        return false;
    struct str rest = str_sub(message, from, message.n);
    return str_has(str_sub(rest, 0, 80), STR("PRIVATE KEY")) && key_end(rest) == SIZE_MAX;
}

static struct str cut_start(struct arena *arena, struct str message, size_t to)
{
    struct str rest = str_sub(message, to, message.n);
    return arena_printf(arena, "%s%" STR_FMT, CREDENTIAL_CUT, STR_ARG(rest));
}

struct str log_secrets_cut(struct log_secrets *secrets, struct arena *arena, struct str message)
{
    bool inside = secrets->key_lines > 0;
    size_t end = inside || str_has(message, STR("-----END")) ? key_end(message) : SIZE_MAX;
    if (inside && end == SIZE_MAX) {
        secrets->key_lines--;
        return STR(CREDENTIAL_CUT);
    }
    secrets->key_lines = begins_key(message) ? LOG_KEY_LINES_MAX : 0;
    if (end != SIZE_MAX && find(message, STR("-----BEGIN")) >= end)
        message = cut_start(arena, message, end);
    return credential_cut(arena, message);
}

bool log_secrets_ends_key(const struct log_secrets *secrets, struct str message)
{
    size_t end = secrets->key_lines ? SIZE_MAX : key_end(message);
    return end != SIZE_MAX && find(message, STR("-----BEGIN")) >= end;
}

bool log_secrets_is_key_line(struct str message)
{
    message = str_trim(message);
    for (size_t i = 0; i < message.n; i++) {
        char c = message.p[i];
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
              c == '+' || c == '/' || c == '='))
            return false;
    }
    return message.n >= 4 && message.n <= 128;
}
