#include "web/sign_in.h"

#include "web/page.h"

struct session_moment sign_in_moment(const struct request *r)
{
    return (struct session_moment){r->now, r->conf->session_idle * 1000,
                                   r->conf->session_absolute * 1000};
}

int64_t sign_in_end(const struct request *r, int64_t began)
{
    return began + r->conf->session_absolute * 1000;
}

/* What the client says that it is, without what nobody sees, and no longer than is kept. */
static struct str user_agent(struct request *r)
{
    struct str said = http_header(&r->http, "USER_AGENT");
    char *kept = arena_alloc(r->arena, SESSION_AGENT_MAX);
    size_t n = 0;
    for (size_t step; said.n; said = str_sub(said, step ? step : 1, said.n)) {
        step = str_visible_length(said);
        if (n + step > SESSION_AGENT_MAX)
            break;
        memcpy(kept + n, said.p, step);
        n += step;
    }
    return (struct str){kept, n};
}

struct session_start sign_in_start(struct request *r, const struct session *old)
{
    int64_t began = old ? old->began : r->now;
    int64_t token_end = r->now + r->conf->session_lifetime * 1000, end = sign_in_end(r, began);
    return (struct session_start){.id = old ? old->id : (struct str){0},
                                  .began = began,
                                  .now = r->now,
                                  .expires = token_end < end ? token_end : end,
                                  .address = r->client,
                                  .user_agent = user_agent(r),
                                  .by_issuer = old && old->by_issuer};
}

enum error sign_in_answer(struct request *r, const struct crypt_secret *token,
                          const struct session_start *start, bool setup)
{
    struct page page;
    page_begin(r, &page);
    jw_object(&page.jw);
    JW_STR(&page.jw, "token", str_of(token->text));
    JW_STR(&page.jw, "email", r->identity.email);
    JW_STR(&page.jw, "tenantId", r->identity.tenant);
    JW_TIME(&page.jw, "expiresAt", start->expires);
    if (setup)
        JW_BOOL(&page.jw, "secondFactorRequired", true);
    jw_object_end(&page.jw);
    return page_json(r, 200, &page);
}
