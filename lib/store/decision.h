/* decision: answers of the deployment gate, kept. */
#ifndef LOADLINE_STORE_DECISION_H
#define LOADLINE_STORE_DECISION_H

#include "service/db.h"

struct decision_row {
    struct str id;
    struct str cluster; /* our id */
    struct str key;     /* the API key that asked */
    int64_t time;
    struct str decision;
    int64_t score, score_time, risks_total;
    struct str resource, namespace, action, image, user, source; /* absent is stored as '' */
    struct str risks;                                            /* JSON array */
};

enum error decision_add(struct db *db, const struct decision_row *row);

#endif
