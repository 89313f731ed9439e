/* kept: decisions on their way into the database, with their entries in the audit trail. */
#ifndef LOADLINE_CGI_BIN_VALIDATE_KEPT_H
#define LOADLINE_CGI_BIN_VALIDATE_KEPT_H

#include "gate/gate.h"
#include "store/audit.h"
#include "store/decision.h"
#include "web/request.h"

struct kept {
    enum decision decision;
    struct decision_row row;
    struct audit_entry entry;
    uint64_t connection; /* set by kept_leave() */
};

/* The request's answer is made, and goes out once this is stored: see web/together.h. It is counted
 * then. */
void kept_leave(struct request *r, struct kept *kept);

#endif
