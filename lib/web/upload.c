#include "web/upload.h"

#include "codec/peek.h"
#include "codec/zstd.h"
#include "service/metrics.h"
#include "web/ahead.h"
#include "web/allowance.h"
#include "web/meter.h"
#include "web/page.h"
#include "web/param.h"

/* Bytes from the start where what is not JSON at all fails. */
enum { START_OF_IT = 16 };

/* What each byte of gzip can inflate to at most. Of zstd some KiB could be a gigabyte: then it may
 * not be more than gzip could, beyond the first bytes. */
enum { RATIO_MAX = 1032, RATIO_FREE = 1 << 20 };

enum error upload_cluster(struct request *r, struct str *name)
{
    *name = http_header(&r->http, "X_CLUSTER_ID");
    if (name->n == 0)
        return refuse_field(r, ERR_MISSING_FIELD, "X-Cluster-Id", "is required.");
    enum error e = param_check_cluster_name(r, "X-Cluster-Id", *name);
    return e ? e : param_check_bound(r, *name);
}

static enum error look_up(struct request *r, struct str cluster, const struct push_id *id,
                          int64_t taken, struct push_before **before, bool *repeated)
{
    enum error e = ERR_OK;
    *before = ahead_push(r, cluster, id);
    if (!*before)
        e = push_look_up(r->db, r->arena, cluster, id, taken, before);
    return e ? e : push_is_repeated(*before, id, repeated);
}

/* Each further name of a push is kept for as long as the push, and nothing else is asked of it. */
static enum error remember_also(struct request *r, const struct push_before *before,
                                const struct push_id *id, bool *done)
{
    if (!push_is_renamed(before, id))
        return ERR_OK;
    enum error e = allowance_take(r, RATE_CHANGE);
    return e ? e : push_remember_also(r->db, before, id, done);
}

enum error upload_replay(struct request *r, struct str cluster, const struct push_id *id,
                         int64_t taken, struct push_before **before, bool *answered)
{
    bool done = true;
    *answered = false;
    enum error e = look_up(r, cluster, id, taken, before, answered);
    if (!e && *answered)
        e = remember_also(r, *before, id, &done);
    if (!e && !done)
        e = look_up(r, cluster, id, taken, before, answered);
    if (e == ERR_IDEMPOTENCY_CONFLICT)
        r->field = STR("Idempotency-Key");
    if (e || !*answered)
        return e;
    metrics_add(METRIC_PUSH_REPEATED, 1);
    http_add_header(&r->response, STR("Idempotent-Replayed"), STR("true"));
    return page_body(r, 200, STR("application/json"), (*before)->answer);
}

enum error upload_compression(struct request *r, enum compression *compression)
{
    struct str encoding = str_trim(http_header(&r->http, "CONTENT_ENCODING"));
    if (encoding.n == 0)
        *compression = compression_of(r->http.body);
    else if (str_eq_nocase(encoding, STR("gzip")) || str_eq_nocase(encoding, STR("x-gzip")))
        *compression = COMPRESSION_GZIP;
    else if (str_eq_nocase(encoding, STR("zstd")))
        *compression = COMPRESSION_ZSTD;
    else if (str_eq_nocase(encoding, STR("identity")))
        *compression = COMPRESSION_NONE;
    else {
        http_add_header(&r->response, STR("Accept-Encoding"), STR("zstd, gzip"));
        return ERR_UNSUPPORTED_ENCODING;
    }
    return ERR_OK;
}

static uint64_t allowed_of(enum compression compression, size_t size, uint64_t max)
{
    uint64_t ratio = (uint64_t)size * RATIO_MAX;
    ratio = ratio < RATIO_FREE ? RATIO_FREE : ratio;
    return compression == COMPRESSION_ZSTD && ratio < max ? ratio : max;
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

enum error upload_open(struct request *r, enum compression compression, uint64_t max,
                       struct upload *upload)
{
    struct str *bytes = ARENA_NEW(r->arena, struct str);
    *bytes = r->http.body;
    *upload = (struct upload){.r = r, .source = source_of(bytes), .max = max};
    upload->allowed = allowed_of(compression, bytes->n, max);
    if (compression != COMPRESSION_NONE) {
        struct meter *meter = upload->meter = ARENA_NEW(r->arena, struct meter);
        meter_init(meter, upload->source,
                   clock_monotonic() + r->conf->score_deadline * CLOCK_SECOND, NULL);
        upload->packed = decompress_open(compression, meter_packed(meter), upload->allowed);
        if (!upload->packed)
            return ERR_OUT_OF_MEMORY;
        request_defer_packed(r, upload->packed);
        upload->source = meter_plain(meter, decompress_source(upload->packed));
    }
    look_at_start(upload);
    return ERR_OK;
}

static bool begins_as_json(struct str start)
{
    struct str text = str_trim(start);
    return text.n == 0 || strchr("{[\"-0123456789tfn", text.p[0]);
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
    case CONTENT_ZSTD:
        return "The body is zstd still: compress it once, and say Content-Encoding: zstd.";
    case CONTENT_TEXT:
        if (str_has_prefix(start, STR("--")) && str_has(start, STR("Content-Disposition:")))
            return "The body is a form; send the file alone (curl: --data-binary @FILE, not -F).";
        if (sniff_is_yaml(start))
            return "The body is YAML; send JSON, which kubectl prints with -o json.";
        return begins_as_json(start)
                   ? NULL
                   : "The body is no JSON from its first byte on; send what kubectl prints with "
                     "-o json.";
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

static enum error refuse_size(const struct upload *upload)
{
    if (upload->allowed < upload->max)
        return refuse(upload->r, ERR_TOO_LARGE,
                      "The body inflates to more than 1 MiB and more than %d times its size.",
                      RATIO_MAX);
    return refuse(upload->r, ERR_TOO_LARGE, "The body inflates to more than %llu MiB.",
                  (unsigned long long)upload->max >> 20);
}

enum error upload_refuse(const struct upload *upload, const struct jr_error *error)
{
    struct request *r = upload->r;
    if (!upload->packed)
        return refuse_json(r, error, upload->start);
    if (upload->meter->end == METER_LATE)
        return refuse(r, ERR_TOO_COMPLEX,
                      "Unpacking and reading the body takes longer than it may.");
    if (upload->meter->end == METER_TOO_MUCH)
        return refuse(r, ERR_TOO_COMPLEX,
                      "Unpacking the body takes too much work for its size: compress it anew.");
    enum compression compression = decompress_compression(upload->packed);
    struct str name = compression_name(compression);
    enum error bad = compression == COMPRESSION_ZSTD ? ERR_BAD_ZSTD : ERR_BAD_GZIP;
    switch (decompress_error(upload->packed)) {
    case INFLATE_E_CORRUPT:
    case INFLATE_E_SOURCE:
        return refuse(r, bad, "The body is not %" STR_FMT ", or it is damaged.", STR_ARG(name));
    case INFLATE_E_TRUNCATED:
        return refuse(r, bad, "The %" STR_FMT " body is cut: its end is missing.", STR_ARG(name));
    case INFLATE_E_WINDOW:
        return refuse(r, bad,
                      "The zstd body wants a window of more than %d MiB: compress it without "
                      "--ultra and --long.",
                      ZSTD_WINDOW_MAX >> 20);
    case INFLATE_E_MEMORY:
        return ERR_OUT_OF_MEMORY;
    case INFLATE_E_TOTAL:
        return refuse_size(upload);
    case INFLATE_OK:
        break;
    }
    return refuse_json(r, error, upload->start);
}
