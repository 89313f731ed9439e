/* posture_rows: the records of a posture report as rows of cells. For posture*.c. */
#ifndef LOADLINE_REPORT_POSTURE_ROWS_H
#define LOADLINE_REPORT_POSTURE_ROWS_H

#include "score/score.h"

enum posture_column {
#define COLUMN(name) COLUMN_##name,
#include "report/posture.def"
#undef COLUMN
    COLUMN_COUNT
};

enum cell_type {
    CELL_NONE,
    CELL_TEXT,
    CELL_NUMBER,
    CELL_HUNDREDTHS,
    CELL_TEN_THOUSANDTHS,
    CELL_TIME
};

/* Of CELL_NONE the record has no such member. A text that is absent, NUMBER_ABSENT and TIME_NONE
 * are not known: null. */
struct posture_cell {
    enum cell_type type;
    struct str text;
    int64_t number;
};

struct posture_row {
    struct posture_cell cells[COLUMN_COUNT];
};

/* An empty text is not known. */
struct posture_cell posture_text(struct str text);

/* Each sets the cells of its kind of record, and no others. */
void posture_row_category(struct posture_row *row, enum category category,
                          const struct category_result *result);
void posture_row_deployment(struct arena *arena, struct posture_row *row,
                            const struct workload *deployment);
void posture_row_pod(struct arena *arena, struct posture_row *row, const struct pod *pod);
void posture_row_risk(struct posture_row *row, const struct risk *risk, int64_t first_seen);
void posture_row_node(struct posture_row *row, const struct node *node);

#endif
