#include "web/request.h"

#include <stdarg.h>

#include "base/url.h"
#include "service/crypt.h"

enum user_role request_role(struct str name)
{
    return str_eq(name, STR("admin"))      ? ROLE_ADMIN
           : str_eq(name, STR("operator")) ? ROLE_OPERATOR
           : str_eq(name, STR("member"))   ? ROLE_MEMBER
                                           : ROLE_NONE;
}

unsigned request_scopes(struct str name)
{
    return str_eq(name, STR("full"))    ? SCOPE_FULL
           : str_eq(name, STR("agent")) ? SCOPE_AGENT
           : str_eq(name, STR("cicd"))  ? SCOPE_CICD
                                        : 0;
}

void request_defer(struct request *r, void (*release)(void *p), void *p)
{
    if (r->deferred_count == REQUEST_DEFERRED_MAX)
        abort();
    r->deferred[r->deferred_count].release = release;
    r->deferred[r->deferred_count++].p = p;
}

void request_release(struct request *r)
{
    while (r->deferred_count) {
        r->deferred_count--;
        r->deferred[r->deferred_count].release(r->deferred[r->deferred_count].p);
    }
}

static void release_spool(void *spool)
{
    spool_free(spool);
}

struct spool *request_spool(struct request *r)
{
    struct spool *spool = spool_open(r->conf->spool_directory.s);
    if (spool)
        request_defer(r, release_spool, spool);
    return spool;
}

static void release_packed(void *packed)
{
    decompress_free(packed);
}

void request_defer_packed(struct request *r, struct decompress *in)
{
    request_defer(r, release_packed, in);
}

static void wipe(void *p)
{
    struct str *secret = p;
    crypt_wipe((char *)secret->p, secret->n);
}

void request_wipe_later(struct request *r, struct str secret)
{
    if (secret.n == 0)
        return;
    struct str *kept = ARENA_NEW(r->arena, struct str);
    *kept = secret;
    request_defer(r, wipe, kept);
}

struct crypt_secret *request_new_secret(struct request *r, const char *prefix)
{
    struct crypt_secret *secret = ARENA_NEW(r->arena, struct crypt_secret);
    crypt_secret_new(prefix, secret);
    request_wipe_later(r, (struct str){secret->text, sizeof secret->text});
    r->response.secret = true;
    return secret;
}

enum error refuse(struct request *r, enum error e, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    r->sentence = arena_vprintf(r->arena, format, args);
    va_end(args);
    return e;
}

enum error refuse_field(struct request *r, enum error e, const char *field, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    struct str what = arena_vprintf(r->arena, format, args);
    va_end(args);
    r->field = str_of(field);
    r->sentence = arena_printf(r->arena, "%s %" STR_FMT, field, STR_ARG(what));
    return e;
}

struct str request_param(struct request *r, const char *name)
{
    struct str value;
    if (!url_param(r->arena, r->http.query, str_of(name), &value))
        return (struct str){0};
    return value;
}
