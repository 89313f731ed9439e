#include "base/version.h"
#include "report/report.h"
#include "report/report_out.h"

static struct str sarif_level(enum severity severity)
{
    return severity <= SEVERITY_HIGH     ? STR("error")
           : severity == SEVERITY_MEDIUM ? STR("warning")
                                         : STR("note");
}

static void text_json(struct jw *w, struct str key, struct str text)
{
    jw_key(w, key);
    jw_object(w);
    JW_STR(w, "text", text);
    jw_object_end(w);
}

static void sarif_rules(struct jw *w)
{
    jw_key(w, STR("rules"));
    jw_array(w);
    for (int i = 0; i < CHECK_COUNT; i++) {
        jw_object(w);
        JW_STR(w, "id", str_of(checks[i].id));
        text_json(w, STR("shortDescription"), str_of(checks[i].title));
        text_json(w, STR("help"), str_of(checks[i].recommendation));
        jw_key(w, STR("defaultConfiguration"));
        jw_object(w);
        JW_STR(w, "level", sarif_level(checks[i].severity));
        jw_object_end(w);
        jw_key(w, STR("properties"));
        jw_object(w);
        JW_STR(w, "category", category_name(checks[i].category));
        report_frameworks(w, checks[i].frameworks);
        jw_object_end(w);
        jw_object_end(w);
    }
    jw_array_end(w);
}

/* What the results have in common. */
struct sarif {
    struct arena *arena;
    const struct report_extras *extras;
    struct str uri;
    struct buf *name; /* scratch */
};

static void sarif_location(struct jw *w, const struct risk *risk, const struct report_note *note,
                           struct str uri, struct buf *name)
{
    name->n = 0;
    if (risk->namespace.n)
        buf_printf(name, "%" STR_FMT "/", STR_ARG(risk->namespace));
    buf_put(name, risk->resource);
    if (risk->container.n)
        buf_printf(name, "/%" STR_FMT, STR_ARG(risk->container));
    jw_key(w, STR("locations"));
    jw_array(w);
    jw_object(w);
    jw_key(w, STR("physicalLocation"));
    jw_object(w);
    jw_key(w, STR("artifactLocation"));
    jw_object(w);
    JW_STR(w, "uri", uri);
    jw_object_end(w);
    jw_key(w, STR("region"));
    jw_object(w);
    /* Code hosts show no result without one. */
    JW_INT(w, "startLine", note && note->line ? (int64_t)note->line : 1);
    jw_object_end(w);
    jw_object_end(w);
    jw_key(w, STR("logicalLocations"));
    jw_array(w);
    jw_object(w);
    JW_STR(w, "fullyQualifiedName", buf_str(name));
    JW_STR(w, "kind", STR("resource"));
    jw_object_end(w);
    jw_array_end(w);
    jw_object_end(w);
    jw_array_end(w);
}

static void sarif_suppression(struct jw *w, const struct risk *risk)
{
    jw_key(w, STR("suppressions"));
    jw_array(w);
    jw_object(w);
    JW_STR(w, "kind", risk->exemption ? STR("external") : STR("inSource"));
    JW_STR(w, "justification", risk->exempt_reason);
    jw_object_end(w);
    jw_array_end(w);
}

/* A file name as a relative reference: RFC 3986. */
static struct str uri_of(struct arena *arena, struct str name)
{
    static const char plain[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
    static const char digits[] = "0123456789ABCDEF";
    char *p = arena_bytes(arena, 3 * name.n + 1);
    size_t n = 0;
    for (size_t i = 0; i < name.n; i++) {
        unsigned char c = (unsigned char)name.p[i];
        if (memchr(plain, c, sizeof plain - 1)) {
            p[n++] = name.p[i];
        } else {
            p[n++] = '%';
            p[n++] = digits[c >> 4];
            p[n++] = digits[c & 15];
        }
    }
    return (struct str){p, n};
}

/* What stands in a file has that file's name. */
static struct str artifact_of(struct arena *arena, const struct report_note *note, struct str uri)
{
    return note && note->file.n ? uri_of(arena, note->file) : uri;
}

static void sarif_result(struct jw *w, const struct risk *risk, const struct report_note *note,
                         const struct sarif *sarif)
{
    jw_object(w);
    JW_STR(w, "ruleId", str_of(risk->check->id));
    if (check_is_known(risk->check))
        JW_INT(w, "ruleIndex", risk->check - checks);
    JW_STR(w, "level", sarif_level(risk->severity));
    text_json(w, STR("message"), risk->message);
    sarif_location(w, risk, note, artifact_of(sarif->arena, note, sarif->uri), sarif->name);
    jw_key(w, STR("partialFingerprints"));
    jw_object(w);
    JW_STR(w, "loadlineRiskId/v1", str_of(risk->id));
    jw_object_end(w);
    if (sarif->extras && sarif->extras->has_baseline)
        JW_STR(w, "baselineState", note->is_new ? STR("new") : STR("unchanged"));
    if (risk->exempt)
        sarif_suppression(w, risk);
    jw_key(w, STR("properties"));
    jw_object(w);
    jw_key(w, STR("impact"));
    jw_hundredths(w, risk->impact);
    jw_object_end(w);
    jw_object_end(w);
}

bool report_sarif(struct arena *arena, const struct ledger *ledger, struct str artifact,
                  const struct report_extras *extras, struct sink sink)
{
    struct buf out = buf_init(arena, REPORT_BUFFER), name = buf_init(arena, 4096);
    const struct report_note *notes = extras ? extras->notes : NULL;
    struct sarif sarif = {arena, extras, uri_of(arena, artifact), &name};
    struct jw w;
    bool ok = true;
    jw_init(&w, &out);
    jw_object(&w);
    JW_STR(&w, "$schema", STR("https://json.schemastore.org/sarif-2.1.0.json"));
    JW_STR(&w, "version", STR("2.1.0"));
    jw_key(&w, STR("runs"));
    jw_array(&w);
    jw_object(&w);
    jw_key(&w, STR("tool"));
    jw_object(&w);
    jw_key(&w, STR("driver"));
    jw_object(&w);
    JW_STR(&w, "name", STR("loadline"));
    JW_STR(&w, "semanticVersion", STR(LOADLINE_VERSION));
    sarif_rules(&w);
    jw_object_end(&w);
    jw_object_end(&w);
    jw_key(&w, STR("results"));
    jw_array(&w);
    for (uint32_t i = 0; ok && i < ledger->risks.n; i++) {
        if (report_shows(extras, i))
            sarif_result(&w, &ledger->risks.items[i], notes ? &notes[i] : NULL, &sarif);
        ok = report_spill(&out, sink, REPORT_PIECE);
    }
    jw_array_end(&w);
    jw_object_end(&w);
    jw_array_end(&w);
    jw_object_end(&w);
    buf_putc(&out, '\n');
    return ok && report_spill(&out, sink, 0);
}
