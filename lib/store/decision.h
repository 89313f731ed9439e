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
    struct str findings; /* JSON array: of the snapshot's age and of the change */
    struct str risks;    /* of the cluster: JSON objects, a line each */
    int64_t risks_hash;  /* of these lines */
    bool risks_kept;     /* an earlier decision has stored them: decisions share them */
};

enum error decision_add(struct db *db, const struct decision_row *row);

#endif
