/* A tenant's API keys: what they are bound to, and how long they last. */
#include "../routes.h"
#include "base/ip.h"
#include "service/crypt.h"
#include "store/apikey.h"
#include "store/cluster.h"
#include "store/tenant.h"
#include "web/audit_trail.h"
#include "web/body.h"
#include "web/page.h"
#include "web/paging.h"

enum { SCOPE_NAME_MAX = 16, BOUNDS_MAX = 100, DAYS_MAX = 3650 };

/* An array of the words; null when there are none. */
static void write_words(struct jw *w, const char *name, struct str words)
{
    struct str word;
    jw_key(w, str_of(name));
    if (!words.p) {
        jw_null(w);
        return;
    }
    jw_array(w);
    while (words.n) {
        str_cut(words, ' ', &word, &words);
        jw_str(w, word);
    }
    jw_array_end(w);
}

static bool is_unused(const struct request *r, const struct apikey_row *key)
{
    int64_t since = key->last_used != TIME_NONE ? key->last_used : key->created;
    return r->now - since > r->conf->key_unused_days * CLOCK_DAY;
}

static void write_key_members(const struct request *r, struct jw *w, const struct apikey_row *key)
{
    JW_STR(w, "id", key->id);
    JW_STR(w, "name", key->name);
    JW_STR(w, "scope", key->scope);
    JW_STR(w, "prefix", key->prefix);
    JW_TIME(w, "createdAt", key->created);
    JW_TIME(w, "expiresAt", key->expires);
    JW_TIME(w, "lastUsedAt", key->last_used);
    JW_BOOL(w, "unused", is_unused(r, key));
    write_words(w, "clusters", key->bound.clusters);
    write_words(w, "addresses", key->bound.addresses);
}

static struct str key_subject(struct request *r, const struct apikey_row *key)
{
    const struct apikey_bounds *bound = &key->bound;
    return arena_printf(r->arena,
                        "%" STR_FMT " (%" STR_FMT ", %" STR_FMT "%s%" STR_FMT "%s%" STR_FMT ")",
                        STR_ARG(key->name), STR_ARG(key->prefix), STR_ARG(key->scope),
                        bound->clusters.p ? ", for " : "", STR_ARG(bound->clusters),
                        bound->addresses.p ? ", from " : "", STR_ARG(bound->addresses));
}

enum error account_keys(struct request *r)
{
    struct keyset wanted;
    struct apikey_rows keys;
    struct page page;
    enum error e = paging_read(r, &wanted);
    if (!e)
        e = apikey_list(r->db, r->arena, &wanted, &keys);
    if (e)
        return e;
    if (paging_has_more(&wanted, &keys.n))
        paging_next(r, keys.items[keys.n - 1].created, keys.items[keys.n - 1].id);
    page_begin(r, &page);
    jw_array(&page.jw);
    for (size_t i = 0; i < keys.n; i++) {
        jw_object(&page.jw);
        write_key_members(r, &page.jw, &keys.items[i]);
        jw_object_end(&page.jw);
    }
    jw_array_end(&page.jw);
    return page_json_tagged(r, &page);
}

struct new_key {
    struct request *r;
    struct str name, scope;
    int64_t expires;
    struct apikey_bounds bound;
    struct crypt_secret *secret;
    struct apikey_row *row;
};

static bool is_range(struct str text)
{
    return !memchr(text.p, ' ', text.n) && ip_is_range(text);
}

static enum error read_bounds(struct request *r, struct json_object *body,
                              struct apikey_bounds *bound)
{
    static const struct body_words names = {"names of clusters", BOUNDS_MAX, APIKEY_CLUSTERS_MAX,
                                            cluster_name_is_valid},
                                   ranges = {"addresses and ranges", BOUNDS_MAX,
                                             APIKEY_ADDRESSES_MAX, is_range};
    enum error e = body_words(r, body, "clusters", &names, &bound->clusters);
    return e ? e : body_words(r, body, "addresses", &ranges, &bound->addresses);
}

/* The end of a key that shall have this one, as the tenant wants keys to end. */
static enum error limit_life(struct request *r, int64_t *expires)
{
    struct key_lifetime days;
    enum error e = apikey_lifetime(r->db, r->arena, &days);
    if (e)
        return e;
    int64_t usual = days.usual ? days.usual : days.longest;
    if (*expires == TIME_NONE && usual)
        *expires = r->now + usual * CLOCK_DAY;
    if (days.longest && *expires > r->now + days.longest * CLOCK_DAY)
        return refuse_field(r, ERR_INVALID_FIELD, "expiresAt",
                            "must be within %lld days: your company lets no key last longer.",
                            (long long)days.longest);
    return ERR_OK;
}

static enum error read_new_key(struct request *r, struct new_key *key)
{
    struct json_object *body;
    enum error e = body_object(r, &body);
    if (!e)
        e = body_name(r, body, "name", BODY_REQUIRED, APIKEY_NAME_MAX, &key->name);
    if (!e)
        e = body_text(r, body, "scope", BODY_REQUIRED, SCOPE_NAME_MAX, &key->scope);
    if (!e && !request_scopes(key->scope))
        e = refuse_field(r, ERR_INVALID_FIELD, "scope", "must be agent, cicd or full.");
    if (!e)
        e = body_time(r, body, "expiresAt", &key->expires);
    if (!e && key->expires != TIME_NONE && key->expires <= r->now)
        e = refuse_field(r, ERR_INVALID_FIELD, "expiresAt", "must be in the future.");
    if (!e)
        e = limit_life(r, &key->expires);
    return e ? e : read_bounds(r, body, &key->bound);
}

static enum error store_new_key(struct db *db, void *arg)
{
    struct new_key *s = arg;
    struct request *r = s->r;
    int64_t count;
    enum error e = tenant_lock(db, r->arena);
    if (!e)
        e = apikey_count(db, r->arena, &count);
    if (!e && count >= APIKEYS_MAX)
        e = refuse(r, ERR_PLAN_LIMIT, "There can be %d API keys at a time; revoke one first.",
                   APIKEYS_MAX);
    if (!e)
        e = apikey_create(db, r->arena, s->secret, s->name, s->scope, r->now, s->expires, &s->bound,
                          &s->row);
    return e ? e : audit_done(r, AUDIT_KEY_CREATED, key_subject(r, s->row));
}

enum error account_create_key(struct request *r)
{
    struct new_key s = {.r = r};
    struct page page;
    enum error e = read_new_key(r, &s);
    if (e)
        return e;
    s.secret = request_new_secret(r, CRYPT_KEY_PREFIX);
    e = db_transact(r->db, store_new_key, &s);
    if (e)
        return e;
    page_begin(r, &page);
    jw_object(&page.jw);
    write_key_members(r, &page.jw, s.row);
    JW_STR(&page.jw, "apiKey", str_of(s.secret->text));
    jw_object_end(&page.jw);
    return page_json(r, 201, &page);
}

struct by_id {
    struct request *r;
    struct str id;
};

static enum error store_revoked_key(struct db *db, void *arg)
{
    const struct by_id *s = arg;
    struct apikey_row *key;
    enum error e = apikey_revoke(db, s->r->arena, s->id, s->r->now, &key);
    if (e || !key)
        return e ? e : ERR_UNKNOWN_KEY;
    return audit_done(s->r, AUDIT_KEY_REVOKED, key_subject(s->r, key));
}

enum error account_revoke_key(struct request *r)
{
    struct by_id s = {.r = r};
    enum error e = body_only_id(r, &s.id);
    if (!e)
        e = db_transact(r->db, store_revoked_key, &s);
    return e ? e : page_deleted(r, s.id);
}

/* ---- how long keys last ---- */

static enum error answer_lifetime(struct request *r, const struct key_lifetime *days)
{
    struct page page;
    page_begin(r, &page);
    jw_object(&page.jw);
    JW_INT(&page.jw, "defaultDays", days->usual);
    JW_INT(&page.jw, "longestDays", days->longest);
    JW_INT(&page.jw, "unusedDays", r->conf->key_unused_days);
    jw_object_end(&page.jw);
    return page_json_tagged(r, &page);
}

enum error account_key_lifetime(struct request *r)
{
    struct key_lifetime days;
    enum error e = apikey_lifetime(r->db, r->arena, &days);
    return e ? e : answer_lifetime(r, &days);
}

struct lifetime_change {
    struct request *r;
    struct json_object *body;
    struct key_lifetime days;
};

static enum error store_lifetime(struct db *db, void *arg)
{
    struct lifetime_change *s = arg;
    struct request *r = s->r;
    struct key_lifetime *days = &s->days;
    enum error e = tenant_lock(db, r->arena);
    if (!e)
        e = apikey_lifetime(db, r->arena, days);
    if (!e)
        e = body_int(r, s->body, "defaultDays", 0, DAYS_MAX, days->usual, &days->usual);
    if (!e)
        e = body_int(r, s->body, "longestDays", 0, DAYS_MAX, days->longest, &days->longest);
    if (!e && days->longest && days->usual > days->longest)
        e = refuse_field(r, ERR_INVALID_FIELD, "defaultDays", "must not be more than longestDays.");
    if (!e)
        e = apikey_set_lifetime(db, days);
    return e ? e
             : audit_done(r, AUDIT_KEY_LIFETIME_CHANGED,
                          arena_printf(r->arena, "%lld days, at most %lld (0: for ever)",
                                       (long long)days->usual, (long long)days->longest));
}

enum error account_change_key_lifetime(struct request *r)
{
    struct lifetime_change s = {.r = r};
    enum error e = body_object(r, &s.body);
    if (!e)
        e = db_transact(r->db, store_lifetime, &s);
    return e ? e : answer_lifetime(r, &s.days);
}
