#include "report/posture.h"

#include "codec/csv.h"
#include "report/posture_rows.h"
#include "report/report.h"
#include "report/report_out.h"

static const struct str column_names[COLUMN_COUNT] = {
#define COLUMN(name) {#name, sizeof(#name) - 1},
#include "report/posture.def"
#undef COLUMN
};

/* One report on its way out, in either form. */
struct writing {
    struct arena *arena;
    struct buf buf;
    struct sink out;
    struct jw json;
    struct csv csv;
    bool good;
    void (*record)(struct writing *w, struct str record, const struct posture_row *row);
};

static struct writing begin(struct arena *arena, struct sink out)
{
    return (struct writing){
        .arena = arena, .buf = buf_init(arena, REPORT_BUFFER), .out = out, .good = true};
}

static void end_record(struct writing *w)
{
    w->good = w->good && report_spill(&w->buf, w->out, REPORT_PIECE);
}

/* ---- a row in either form ---- */

static void member(struct jw *w, struct str name, const struct posture_cell *cell)
{
    bool absent = cell->number == NUMBER_ABSENT;
    jw_key(w, name);
    if (cell->type == CELL_TEXT && cell->text.p)
        jw_str(w, cell->text);
    else if (cell->type == CELL_TIME)
        jw_time(w, cell->number);
    else if (cell->type == CELL_HUNDREDTHS && !absent)
        jw_hundredths(w, cell->number);
    else if (cell->type == CELL_TEN_THOUSANDTHS)
        jw_ten_thousandths(w, cell->number);
    else if (cell->type == CELL_NUMBER && !absent)
        jw_int(w, cell->number);
    else
        jw_null(w);
}

static void members(struct jw *w, const struct posture_row *row)
{
    for (int i = 0; i < COLUMN_COUNT; i++)
        if (row->cells[i].type != CELL_NONE)
            member(w, column_names[i], &row->cells[i]);
}

static void record_json(struct writing *w, struct str record, const struct posture_row *row)
{
    (void)record;
    jw_object(&w->json);
    members(&w->json, row);
    jw_object_end(&w->json);
    end_record(w);
}

static void record_csv(struct writing *w, struct str record, const struct posture_row *row)
{
    csv_str(&w->csv, record);
    for (int i = 0; i < COLUMN_COUNT; i++) {
        const struct posture_cell *cell = &row->cells[i];
        if (cell->type == CELL_TIME)
            csv_time(&w->csv, cell->number);
        else if (cell->type == CELL_HUNDREDTHS && cell->number != NUMBER_ABSENT)
            csv_hundredths(&w->csv, cell->number);
        else if (cell->type == CELL_TEN_THOUSANDTHS)
            csv_ten_thousandths(&w->csv, cell->number);
        else if (cell->type == CELL_NUMBER && cell->number != NUMBER_ABSENT)
            csv_int(&w->csv, cell->number);
        else
            csv_str(&w->csv, cell->text);
    }
    csv_end_row(&w->csv);
    end_record(w);
}

/* ---- the records ---- */

static struct posture_row row_of_report(const struct posture *posture)
{
    struct str decision = decision_name(decision_of((int)posture->score));
    return (struct posture_row){
        .cells = {[COLUMN_cluster] = posture_text(posture->cluster_name),
                  [COLUMN_generated_at] = {.type = CELL_TIME, .number = posture->generated},
                  [COLUMN_taken_at] = {.type = CELL_TIME, .number = posture->taken},
                  [COLUMN_score] = {.type = CELL_NUMBER, .number = posture->score},
                  [COLUMN_score_exact] = {.type = CELL_HUNDREDTHS, .number = posture->score_exact},
                  [COLUMN_decision] = posture_text(decision),
                  [COLUMN_provider] = posture_text(posture->provider),
                  [COLUMN_region] = posture_text(posture->region),
                  [COLUMN_scope] = posture_text(report_scope(posture->partial)),
                  [COLUMN_verdict] = posture_text(posture->verdict)}};
}

static void deployments(struct writing *w, const struct posture *posture)
{
    struct workload **workload;
    LIST_EACH (workload, posture->cluster->workloads) {
        struct posture_row row = {0};
        if ((*workload)->object.kind != KIND_DEPLOYMENT || (*workload)->synthesized || !w->good)
            continue;
        posture_row_deployment(w->arena, &row, *workload);
        w->record(w, STR("deployment"), &row);
    }
}

static void pods(struct writing *w, const struct posture *posture)
{
    struct pod **pod;
    LIST_EACH (pod, posture->cluster->pods) {
        struct posture_row row = {0};
        if (!w->good)
            return;
        posture_row_pod(w->arena, &row, *pod);
        w->record(w, STR("pod"), &row);
    }
}

static void nodes(struct writing *w, const struct posture *posture)
{
    struct node **node;
    LIST_EACH (node, posture->cluster->nodes) {
        struct posture_row row = {0};
        if (!w->good)
            return;
        posture_row_node(&row, *node);
        w->record(w, STR("node"), &row);
    }
}

/* ---- JSON ---- */

static void categories_json(struct jw *w, const struct posture *posture)
{
    jw_key(w, STR("categories"));
    jw_object(w);
    for (enum category category = 0; category < CATEGORY_COUNT; category++) {
        struct posture_row row = {0};
        posture_row_category(&row, category, &posture->categories[category]);
        row.cells[COLUMN_category].type = CELL_NONE;
        jw_key(w, category_name(category));
        jw_object(w);
        members(w, &row);
        jw_object_end(w);
    }
    jw_object_end(w);
}

static void risks_json(struct writing *w, const struct posture *posture)
{
    for (uint32_t i = 0; w->good && i < posture->risks_n; i++) {
        report_risk(&w->json, &posture->risks[i], STR("cluster"), posture->first_seen[i]);
        end_record(w);
    }
}

static void list_json(struct writing *w, struct str name, const struct posture *posture,
                      void (*records)(struct writing *w, const struct posture *posture))
{
    jw_key(&w->json, name);
    jw_array(&w->json);
    records(w, posture);
    jw_array_end(&w->json);
}

bool posture_json(struct arena *arena, const struct posture *posture, struct sink out)
{
    struct writing w = begin(arena, out);
    struct posture_row report = row_of_report(posture);
    w.record = record_json;
    jw_init(&w.json, &w.buf);
    jw_object(&w.json);
    members(&w.json, &report);
    categories_json(&w.json, posture);
    list_json(&w, STR("deployments"), posture, deployments);
    list_json(&w, STR("pods"), posture, pods);
    list_json(&w, STR("risks"), posture, risks_json);
    list_json(&w, STR("nodes"), posture, nodes);
    jw_object_end(&w.json);
    buf_putc(&w.buf, '\n');
    return w.good && report_spill(&w.buf, out, 0);
}

/* ---- CSV ---- */

static void header_csv(struct writing *w)
{
    csv_str(&w->csv, STR("record"));
    for (int i = 0; i < COLUMN_COUNT; i++)
        csv_str(&w->csv, column_names[i]);
    csv_end_row(&w->csv);
}

static void cluster_csv(struct writing *w, const struct posture *posture)
{
    struct posture_row report = row_of_report(posture);
    w->record(w, STR("report"), &report);
    for (enum category category = 0; category < CATEGORY_COUNT; category++) {
        struct posture_row row = {0};
        posture_row_category(&row, category, &posture->categories[category]);
        w->record(w, STR("category"), &row);
    }
}

static void risks_csv(struct writing *w, const struct posture *posture)
{
    for (uint32_t i = 0; w->good && i < posture->risks_n; i++) {
        struct posture_row row = {0};
        posture_row_risk(&row, &posture->risks[i], posture->first_seen[i]);
        w->record(w, STR("risk"), &row);
    }
}

bool posture_csv(struct arena *arena, const struct posture *posture, struct sink out)
{
    struct writing w = begin(arena, out);
    w.record = record_csv;
    csv_init(&w.csv, &w.buf);
    header_csv(&w);
    cluster_csv(&w, posture);
    deployments(&w, posture);
    pods(&w, posture);
    risks_csv(&w, posture);
    nodes(&w, posture);
    return w.good && report_spill(&w.buf, out, 0);
}
