#include "web/sealing.h"

#include "base/log.h"

static bool load(struct request *r, struct seal_keys **keys)
{
    char error[SEAL_ERROR_SIZE];
    *keys = ARENA_NEW(r->arena, struct seal_keys);
    request_wipe_later(r, (struct str){(char *)*keys, sizeof **keys});
    bool loaded = seal_keys_load(r->conf->channel_keys.s, *keys, error);
    if (!loaded)
        log_error("problem=%s", log_quote(str_of(error)));
    return loaded;
}

enum error sealing_keys(struct request *r, struct seal_keys **keys)
{
    return load(r, keys) ? ERR_OK : ERR_INTERNAL;
}

struct seal_keys *sealing_keys_or_none(struct request *r)
{
    struct seal_keys *keys;
    load(r, &keys);
    return keys;
}
