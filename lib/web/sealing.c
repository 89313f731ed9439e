#include "web/sealing.h"

#include "base/log.h"

enum error sealing_keys(struct request *r, struct seal_keys **keys)
{
    char error[SEAL_ERROR_SIZE];
    *keys = ARENA_NEW(r->arena, struct seal_keys);
    request_wipe_later(r, (struct str){(char *)*keys, sizeof **keys});
    if (seal_keys_load(r->conf->channel_keys.s, *keys, error))
        return ERR_OK;
    log_error("problem=%s", log_quote(str_of(error)));
    return ERR_INTERNAL;
}
