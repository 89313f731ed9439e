/* Risks as events of the Open Cybersecurity Schema Framework 1.3.0: class 2003, Compliance Finding.
 * docs/api.md tells which attribute comes from where. */
#include "base/version.h"
#include "report/posture.h"
#include "report/report.h"
#include "report/report_out.h"

enum {
    CATEGORY_FINDINGS = 2,
    CLASS_COMPLIANCE_FINDING = 2003,
    ACTIVITY_CREATE = 1,
    ACTIVITY_UPDATE = 2,
    STATUS_NEW = 1,
    STATUS_SUPPRESSED = 3,
    COMPLIANCE_FAIL = 3,
    ANALYTIC_RULE = 1
};

struct compliance_event {
    const struct posture *posture;
    const struct risk *risk;
    int64_t first_seen;
    struct buf *name; /* scratch */
};

static const struct {
    int64_t id;
    struct str caption;
} severities[SEVERITY_COUNT] = {[SEVERITY_CRITICAL] = {5, STR("Critical")},
                                [SEVERITY_HIGH] = {4, STR("High")},
                                [SEVERITY_MEDIUM] = {3, STR("Medium")},
                                [SEVERITY_LOW] = {2, STR("Low")}};

/* The first part of a word of check.frameworks. */
static struct str standard_of(struct str word)
{
    struct str prefix;
    str_cut(word, ':', &prefix, NULL);
    return str_eq(prefix, STR("CIS"))   ? STR("CIS Kubernetes Benchmark")
           : str_eq(prefix, STR("NSA")) ? STR("NSA/CISA Kubernetes Hardening Guide")
           : str_eq(prefix, STR("PSS")) ? STR("Kubernetes Pod Security Standards")
                                        : prefix;
}

/* Each once, in the order of the words; a check of no standard is of our own. */
static void standards(struct jw *w, const char *frameworks)
{
    struct str rest = str_of(frameworks), word, last = {NULL, 0};
    jw_key(w, STR("standards"));
    jw_array(w);
    while (str_next_word(&rest, &word)) {
        struct str standard = standard_of(word);
        if (!str_eq(standard, last))
            jw_str(w, standard);
        last = standard;
    }
    if (!last.n)
        jw_str(w, STR("Loadline"));
    jw_array_end(w);
}

static void classification(struct jw *w, const struct compliance_event *event)
{
    bool created = event->first_seen == event->posture->taken;
    int64_t activity = created ? ACTIVITY_CREATE : ACTIVITY_UPDATE;
    JW_INT(w, "activity_id", activity);
    JW_STR(w, "activity_name", created ? STR("Create") : STR("Update"));
    JW_INT(w, "category_uid", CATEGORY_FINDINGS);
    JW_STR(w, "category_name", STR("Findings"));
    JW_INT(w, "class_uid", CLASS_COMPLIANCE_FINDING);
    JW_STR(w, "class_name", STR("Compliance Finding"));
    JW_INT(w, "type_uid", CLASS_COMPLIANCE_FINDING * 100 + activity);
    JW_INT(w, "time", event->posture->taken);
    JW_INT(w, "severity_id", severities[event->risk->severity].id);
    JW_STR(w, "severity", severities[event->risk->severity].caption);
    JW_INT(w, "status_id", event->risk->exempt ? STATUS_SUPPRESSED : STATUS_NEW);
    JW_STR(w, "status", event->risk->exempt ? STR("Suppressed") : STR("New"));
    JW_STR(w, "message", event->risk->message);
}

static void metadata(struct jw *w, const struct compliance_event *event)
{
    jw_key(w, STR("metadata"));
    jw_object(w);
    JW_STR(w, "version", STR("1.3.0"));
    JW_STR(w, "event_code", str_of(event->risk->check->id));
    JW_INT(w, "logged_time", event->posture->generated);
    jw_key(w, STR("product"));
    jw_object(w);
    JW_STR(w, "name", STR("Loadline"));
    JW_STR(w, "vendor_name", STR("Loadline"));
    JW_STR(w, "version", STR(LOADLINE_VERSION));
    jw_object_end(w);
    jw_object_end(w);
}

/* An id is a risk's within its cluster. */
static void finding_info(struct jw *w, const struct compliance_event *event)
{
    const struct check *check = event->risk->check;
    struct str title = str_of(check->title);
    event->name->n = 0;
    buf_printf(event->name, "%" STR_FMT "/%s", STR_ARG(event->posture->cluster_name),
               event->risk->id);
    jw_key(w, STR("finding_info"));
    jw_object(w);
    JW_STR(w, "uid", buf_str(event->name));
    JW_STR(w, "title", title.n ? title : str_of(check->id));
    JW_STR(w, "desc", event->risk->message);
    if (event->first_seen != TIME_NONE) {
        JW_INT(w, "created_time", event->first_seen);
        JW_INT(w, "first_seen_time", event->first_seen);
    }
    JW_INT(w, "last_seen_time", event->posture->taken);
    jw_key(w, STR("types"));
    jw_array(w);
    jw_str(w, category_name(check->category));
    jw_array_end(w);
    jw_key(w, STR("analytic"));
    jw_object(w);
    JW_STR(w, "uid", str_of(check->id));
    JW_STR(w, "name", title.n ? title : str_of(check->id));
    JW_INT(w, "type_id", ANALYTIC_RULE);
    JW_STR(w, "type", STR("Rule"));
    jw_object_end(w);
    jw_object_end(w);
}

static void compliance(struct jw *w, const struct compliance_event *event)
{
    struct str rest = str_of(event->risk->check->frameworks), word;
    jw_key(w, STR("compliance"));
    jw_object(w);
    standards(w, event->risk->check->frameworks);
    JW_STR(w, "control", str_of(event->risk->check->id));
    jw_key(w, STR("requirements"));
    jw_array(w);
    while (str_next_word(&rest, &word))
        jw_str(w, word);
    jw_array_end(w);
    JW_INT(w, "status_id", COMPLIANCE_FAIL);
    JW_STR(w, "status", STR("Fail"));
    jw_object_end(w);
}

/* "deployment/api" in "shop": its type and name; "cluster" is both. */
static void resources(struct jw *w, const struct compliance_event *event)
{
    const struct risk *risk = event->risk;
    struct str type, name;
    if (!str_cut(risk->resource, '/', &type, &name))
        name = type;
    event->name->n = 0;
    buf_printf(event->name, "%" STR_FMT "/%" STR_FMT "/%" STR_FMT,
               STR_ARG(event->posture->cluster_name), STR_ARG(risk->namespace),
               STR_ARG(risk->resource));
    jw_key(w, STR("resources"));
    jw_array(w);
    jw_object(w);
    JW_STR(w, "uid", buf_str(event->name));
    JW_STR(w, "name", name);
    JW_STR(w, "type", type);
    if (risk->namespace.n)
        JW_STR(w, "namespace", risk->namespace);
    jw_key(w, STR("group"));
    jw_object(w);
    JW_STR(w, "name", event->posture->cluster_name);
    JW_STR(w, "type", STR("cluster"));
    jw_object_end(w);
    jw_object_end(w);
    jw_array_end(w);
}

static void unmapped(struct jw *w, const struct risk *risk)
{
    jw_key(w, STR("unmapped"));
    jw_object(w);
    jw_key(w, STR("impact"));
    jw_hundredths(w, risk->impact);
    JW_INT(w, "count", risk->count);
    if (risk->container.n)
        JW_STR(w, "container", risk->container);
    if (risk->absorbed_by)
        JW_STR(w, "absorbed_by", str_of(risk->absorbed_by->id));
    report_exemption(w, risk);
    jw_object_end(w);
}

static void event_json(struct buf *out, const struct compliance_event *event)
{
    struct jw w;
    jw_init(&w, out);
    jw_object(&w);
    classification(&w, event);
    metadata(&w, event);
    finding_info(&w, event);
    compliance(&w, event);
    jw_key(&w, STR("remediation"));
    jw_object(&w);
    JW_STR(&w, "desc", str_of(event->risk->check->recommendation));
    jw_object_end(&w);
    resources(&w, event);
    unmapped(&w, event->risk);
    jw_object_end(&w);
    buf_putc(out, '\n');
}

bool posture_ocsf(struct arena *arena, const struct posture *posture, struct sink sink)
{
    struct buf out = buf_init(arena, REPORT_BUFFER), name = buf_init(arena, REPORT_BUFFER);
    bool good = true;
    for (uint32_t i = 0; good && i < posture->risks_n; i++) {
        struct compliance_event event = {posture, &posture->risks[i], posture->first_seen[i],
                                         &name};
        event_json(&out, &event);
        good = report_spill(&out, sink, REPORT_PIECE);
    }
    return good && report_spill(&out, sink, 0);
}
