#include "web/upload.h"

#include "codec/inflate.h"
#include "codec/peek.h"
#include "service/metrics.h"
#include "web/page.h"
#include "web/param.h"

/* Bytes from the start where what is not JSON at all fails. */
enum { START_OF_IT = 16 };

enum error upload_cluster(struct request *r, struct str *name)
{
    *name = http_header(&r->http, "X_CLUSTER_ID");
    if (name->n == 0)
        return refuse_field(r, ERR_MISSING_FIELD, "X-Cluster-Id", "is required.");
    return param_check_cluster_name(r, "X-Cluster-Id", *name);
}

enum error upload_key(struct request *r, struct str *key)
{
    *key = str_trim(http_header(&r->http, "IDEMPOTENCY_KEY"));
    bool given = key->n > 0;
    if (key->n >= 2 && key->p[0] == '"' && key->p[key->n - 1] == '"')
        *key = str_sub(*key, 1, key->n - 2);
    bool good = key->n >= 1 && key->n <= PUSH_KEY_MAX;
    for (size_t i = 0; good && i < key->n; i++)
        good = key->p[i] > ' ' && key->p[i] < 127;
    if (given && !good)
        return refuse_field(r, ERR_INVALID_FIELD, "Idempotency-Key",
                            "must be 1 to %d characters of ASCII without blanks.", PUSH_KEY_MAX);
    return ERR_OK;
}

enum error upload_replay(struct request *r, struct str cluster, const struct push_id *id,
                         struct push_before **before, bool *answered)
{
    *answered = false;
    enum error e = push_look_up(r->db, r->arena, cluster, id, before);
    if (!e)
        e = push_is_repeated(*before, id, answered);
    if (e == ERR_IDEMPOTENCY_CONFLICT)
        r->field = STR("Idempotency-Key");
    if (e || !*answered)
        return e;
    metrics_add(METRIC_PUSH_REPEATED, 1);
    http_add_header(&r->response, STR("Idempotent-Replayed"), STR("true"));
    return page_body(r, 200, STR("application/json"), (*before)->answer);
}

enum error upload_is_gzip(struct request *r, bool *gzip)
{
    struct str encoding = str_trim(http_header(&r->http, "CONTENT_ENCODING"));
    bool identity = str_eq_nocase(encoding, STR("identity"));
    *gzip = str_eq_nocase(encoding, STR("gzip")) || str_eq_nocase(encoding, STR("x-gzip"));
    if (encoding.n && !*gzip && !identity)
        return ERR_UNSUPPORTED_ENCODING;
    if (encoding.n == 0)
        *gzip = inflate_is_gzip(r->http.body);
    return ERR_OK;
}

static void release_inflate(void *in)
{
    inflate_free(in);
}

static void look_at_start(struct upload *upload)
{
    struct peek *peek = ARENA_NEW(upload->r->arena, struct peek);
    peek_open(peek, upload->source); /* who reads on meets the error again */
    upload->bom = sniff_has_bom(peek_start(peek));
    if (upload->bom)
        peek_skip(peek, SNIFF_BOM_BYTES);
    upload->start = peek_start(peek);
    upload->source = peek_source(peek);
}

enum error upload_open(struct request *r, bool gzip, uint64_t max, struct upload *upload)
{
    struct str *bytes = ARENA_NEW(r->arena, struct str);
    *bytes = r->http.body;
    *upload = (struct upload){.r = r, .source = source_of(bytes), .max = max};
    if (gzip) {
        upload->inflate = inflate_open(upload->source, max);
        if (!upload->inflate)
            return ERR_OUT_OF_MEMORY;
        request_defer(r, release_inflate, upload->inflate);
        upload->source = inflate_source(upload->inflate);
    }
    look_at_start(upload);
    return ERR_OK;
}

/* What is wrong with a document that is no JSON from its first bytes on; NULL: it is not told. */
static const char *advice(struct str start)
{
    switch (sniff(start)) {
    case CONTENT_UTF16:
        return "The body is UTF-16, as PowerShell writes files; send it as UTF-8.";
    case CONTENT_TAR:
    case CONTENT_ZIP:
        return "The body is an archive; send the JSON in it, or score the archive with "
               "loadline-score.";
    case CONTENT_GZIP:
        return "The body is gzip still: compress it once, and say Content-Encoding: gzip.";
    case CONTENT_TEXT:
        return sniff_is_yaml(start)
                   ? "The body is YAML; send JSON, which kubectl prints with -o json."
                   : NULL;
    default:
        return NULL;
    }
}

static enum error refuse_json(struct request *r, const struct jr_error *error, struct str start)
{
    static const enum error errors[] = {
        [JR_OK] = ERR_INTERNAL,       [JR_E_SOURCE] = ERR_BAD_GZIP, [JR_E_TRUNCATED] = ERR_CUT_JSON,
        [JR_E_SYNTAX] = ERR_BAD_JSON, [JR_E_UTF8] = ERR_BAD_UTF8,   [JR_E_DEPTH] = ERR_TOO_DEEP,
        [JR_E_KEY] = ERR_BAD_JSON,    [JR_E_STRING] = ERR_BAD_JSON, [JR_E_TOTAL] = ERR_TOO_LARGE,
    };
    const char *told = error->path.n == 0 && error->offset < START_OF_IT ? advice(start) : NULL;
    if (told)
        return refuse(r, ERR_BAD_JSON, "%s", told);
    return refuse(r, errors[error->code], "%s (at byte %llu, in %" STR_FMT ").", error->text,
                  (unsigned long long)error->offset,
                  STR_ARG(error->path.n ? str_utf8_prefix(error->path, 200) : STR("the document")));
}

enum error upload_refuse(const struct upload *upload, const struct jr_error *error)
{
    struct request *r = upload->r;
    switch (upload->inflate ? inflate_error(upload->inflate) : INFLATE_OK) {
    case INFLATE_E_CORRUPT:
    case INFLATE_E_SOURCE:
        return refuse(r, ERR_BAD_GZIP, "The body is not gzip, or it is damaged.");
    case INFLATE_E_TRUNCATED:
        return refuse(r, ERR_BAD_GZIP, "The gzip body is cut: its end is missing.");
    case INFLATE_E_TOTAL:
        return refuse(r, ERR_TOO_LARGE, "The body inflates to more than %llu MiB.",
                      (unsigned long long)upload->max >> 20);
    case INFLATE_OK:
        break;
    }
    return refuse_json(r, error, upload->start);
}
