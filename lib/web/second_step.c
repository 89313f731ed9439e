#include "web/second_step.h"

#include "base/log.h"
#include "base/rand.h"
#include "service/totp.h"

enum { CODE_GIVEN_MAX = 64, RECOVERY_BYTES = 10, RECOVERY_TEXT = 16, RECOVERY_GROUP = 4 };

enum error second_step_code(struct request *r, struct json_object *body,
                            enum body_presence presence, struct str *code)
{
    struct str given;
    *code = (struct str){0};
    enum error e = body_text(r, body, "code", presence, CODE_GIVEN_MAX, &given);
    if (e || !given.p)
        return e;
    request_wipe_later(r, given);
    char *kept = arena_bytes(r->arena, given.n + 1);
    size_t n = 0;
    for (size_t i = 0; i < given.n; i++)
        if (given.p[i] != ' ' && given.p[i] != '-')
            kept[n++] = str_lower(given.p[i]);
    *code = (struct str){kept, n};
    request_wipe_later(r, *code);
    return ERR_OK;
}

static enum error take_recovery(struct second_step *step)
{
    struct request *r = step->r;
    unsigned char hash[CRYPT_DIGEST];
    bool used;
    second_factor_recovery_hash(r->arena, step->user, step->code, hash);
    enum error e = second_factor_use_recovery(r->db, step->user, hash, &used);
    if (!e && !used)
        return ERR_BAD_CODE;
    return e ? e : second_factor_count_recovery(r->db, r->arena, step->user, &step->recovery_left);
}

static enum error take_code(struct second_step *step, const struct second_factor *factor)
{
    struct request *r = step->r;
    int64_t at;
    if (!factor->secret.p) {
        log_error("problem=\"the secret of a second factor cannot be read: its key is not in "
                  "channel_keys\"");
        return ERR_INTERNAL;
    }
    bool fits = totp_check(factor->secret, step->code, r->now, factor->last_step, &at);
    enum error e =
        fits ? second_factor_used(r->db, r->arena, step->keys, step->user, factor->secret, at)
             : ERR_BAD_CODE;
    crypt_wipe((char *)factor->secret.p, factor->secret.n);
    return e;
}

enum error second_step_take(struct second_step *step)
{
    struct request *r = step->r;
    struct second_factor *factor;
    step->recovery_left = -1;
    enum error e = second_factor_find(r->db, r->arena, step->keys, step->user, &factor);
    step->has = !e && factor && factor->confirmed != TIME_NONE;
    if (e || !step->has)
        return e;
    if (!step->code.p)
        return ERR_CODE_WANTED;
    return step->code.n == RECOVERY_TEXT ? take_recovery(step) : take_code(step, factor);
}

enum error second_step_take_first(struct second_step *step)
{
    struct request *r = step->r;
    struct second_factor *factor;
    enum error e = second_factor_find(r->db, r->arena, step->keys, step->user, &factor);
    if (e || !factor)
        return e ? e : ERR_NO_SECOND_FACTOR;
    return factor->confirmed != TIME_NONE ? ERR_SECOND_FACTOR_ON : take_code(step, factor);
}

/* abcd-efgh-ijkl-mnop, and its hash without hyphens. */
static struct str new_recovery(struct request *r, struct str user, unsigned char hash[CRYPT_DIGEST])
{
    char bits[RECOVERY_BYTES], *shown = arena_bytes(r->arena, RECOVERY_TEXT * 2);
    size_t n = 0;
    rand_bytes(bits, sizeof bits);
    struct str text = totp_base32(r->arena, (struct str){bits, sizeof bits}, true);
    crypt_wipe(bits, sizeof bits);
    second_factor_recovery_hash(r->arena, user, text, hash);
    for (size_t i = 0; i < text.n; i++) {
        if (i && i % RECOVERY_GROUP == 0)
            shown[n++] = '-';
        shown[n++] = text.p[i];
    }
    crypt_wipe((char *)text.p, text.n);
    return (struct str){shown, n};
}

static void wipe_recovery(void *p)
{
    struct recovery *recovery = p;
    for (size_t i = 0; i < RECOVERY_CODES; i++)
        crypt_wipe((char *)recovery->text[i].p, recovery->text[i].n);
}

void second_step_new_recovery(struct request *r, struct str user, struct recovery *recovery)
{
    for (size_t i = 0; i < RECOVERY_CODES; i++)
        recovery->text[i] = new_recovery(r, user, recovery->hash[i]);
    request_defer(r, wipe_recovery, recovery);
    r->response.secret = true;
}
