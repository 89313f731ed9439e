#include "web/push_head.h"

#include "store/push.h"

bool push_head_is_changes(const struct request *r)
{
    struct str type = http_content_type(&r->http);
    str_cut(type, ';', &type, NULL);
    return str_eq_nocase(str_trim(type), STR(PUSH_CHANGES_TYPE));
}

struct str push_head_kind(const struct request *r)
{
    return push_head_is_changes(r) ? STR("changes") : STR("snapshot");
}

bool push_head_read_key(const struct request *r, struct str *key)
{
    *key = str_trim(http_header(&r->http, "IDEMPOTENCY_KEY"));
    bool given = key->n > 0;
    if (key->n >= 2 && key->p[0] == '"' && key->p[key->n - 1] == '"')
        *key = str_sub(*key, 1, key->n - 2);
    bool good = key->n >= 1 && key->n <= PUSH_KEY_MAX;
    for (size_t i = 0; good && i < key->n; i++)
        good = key->p[i] > ' ' && key->p[i] < 127;
    return !given || good;
}

enum error push_head_key(struct request *r, struct str *key)
{
    if (!push_head_read_key(r, key))
        return refuse_field(r, ERR_INVALID_FIELD, "Idempotency-Key",
                            "must be 1 to %d characters of ASCII without blanks.", PUSH_KEY_MAX);
    return ERR_OK;
}
