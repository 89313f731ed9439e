#include "forecast_answer.h"

#include "report/report.h"

enum { PREDICTED_RISKS_MAX = 200 };

static void write_object(struct jw *w, const struct proposed *object)
{
    jw_object(w);
    JW_STR(w, "kind", object->kind_name);
    JW_STR(w, "namespace", object->namespace);
    JW_STR(w, "name", object->name);
    JW_STR(w, "change",
           object->kind == KIND_NONE ? STR("not_read")
           : object->old.p           ? STR("replaced")
                                     : STR("added"));
    jw_object_end(w);
}

static void write_predicted(struct jw *w, const struct predicted_risk *entry)
{
    jw_object(w);
    jw_key(w, STR("points"));
    jw_hundredths(w, entry->points);
    JW_BOOL(w, "changed", entry->changed);
    jw_key(w, STR("risk"));
    report_risk(w, entry->risk, STR("cluster"), TIME_NONE);
    jw_object_end(w);
}

/* The entries of one list, and what the places do not suffice for. */
static void write_entries(struct jw *w, const struct forecast *forecast, bool resolved)
{
    const struct predicted_risk *entry;
    int64_t points = 0;
    uint32_t shown = 0, left_out = 0;
    jw_key(w, resolved ? STR("resolved_risks") : STR("new_risks"));
    jw_array(w);
    LIST_EACH (entry, forecast->prediction.entries) {
        if (entry->resolved != resolved)
            continue;
        if (shown < PREDICTED_RISKS_MAX) {
            write_predicted(w, entry);
            shown++;
        } else {
            points += entry->points;
            left_out++;
        }
    }
    jw_array_end(w);
    if (!left_out)
        return;
    jw_key(w, resolved ? STR("resolved_risks_left_out") : STR("new_risks_left_out"));
    jw_object(w);
    JW_INT(w, "count", left_out);
    jw_key(w, STR("points"));
    jw_hundredths(w, points);
    jw_object_end(w);
}

void forecast_write(struct jw *w, const struct forecast *forecast, int score)
{
    const struct prediction *prediction = &forecast->prediction;
    const struct proposed *object;
    JW_INT(w, "predicted_score", score);
    JW_STR(w, "predicted_decision", decision_name(decision_of(score)));
    jw_key(w, STR("score_exact"));
    jw_hundredths(w, prediction->score);
    jw_key(w, STR("predicted_score_exact"));
    jw_hundredths(w, prediction->predicted);
    write_entries(w, forecast, false);
    write_entries(w, forecast, true);
    jw_key(w, STR("manifest"));
    jw_array(w);
    LIST_EACH (object, forecast->proposal.objects)
        write_object(w, object);
    jw_array_end(w);
}
