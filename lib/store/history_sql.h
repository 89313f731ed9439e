/* history_sql: what statements about a score history have in common. */
#ifndef LOADLINE_STORE_HISTORY_SQL_H
#define LOADLINE_STORE_HISTORY_SQL_H

/* A moment as milliseconds since 1970, and back. */
#define HISTORY_MOMENT(column) "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', " column ") DIV 1000"
#define HISTORY_TIME(moment)   "'1970-01-01' + INTERVAL " moment " * 1000 MICROSECOND"

/* Scores with their moments, as struct history_step has them: MIN() and MAX() tell which is wanted.
 */
#define HISTORY_WORST(score, moment) score " * 100000000000000 + " HISTORY_MOMENT(moment)
#define HISTORY_LAST(score, moment)  HISTORY_MOMENT(moment) " * 100000 + " score

/* A step of score_rollup or score_hours that is added up of a query with columns points, worst,
 * total, last, nodes, pods, risks and oldest. One that is there is replaced. */
#define HISTORY_STEP_COLUMNS                                                                       \
    "tenant_id, points, score_min, worst_at, score_sum, score_last, last_at, nodes_min, "          \
    "pods_min, risks_max, formula"
#define HISTORY_STEP_VALUES                                                                        \
    "tenant_id, points, worst DIV 100000000000000, " HISTORY_TIME(                                 \
        "worst % 100000000000000") ", total, last % 100000, " HISTORY_TIME("last DIV 100000") ", " \
                                                                                              "no" \
                                                                                              "de" \
                                                                                              "s," \
                                                                                              " p" \
                                                                                              "od" \
                                                                                              "s," \
                                                                                              " r" \
                                                                                              "is" \
                                                                                              "ks" \
                                                                                              ", " \
                                                                                              "ol" \
                                                                                              "de" \
                                                                                              "st" \
                                                                                              " "
#define HISTORY_STEP_REPLACED                                                                      \
    "ON DUPLICATE KEY UPDATE points = VALUES(points), score_min = VALUES(score_min), "             \
    "worst_at = VALUES(worst_at), score_sum = VALUES(score_sum), "                                 \
    "score_last = VALUES(score_last), last_at = VALUES(last_at), "                                 \
    "nodes_min = VALUES(nodes_min), pods_min = VALUES(pods_min), "                                 \
    "risks_max = VALUES(risks_max), formula = VALUES(formula)"

#endif
