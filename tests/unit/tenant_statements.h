/* tenant_statements: the statements of store/tenant.def, for tests of lib/db that need some. */
#ifndef LOADLINE_TESTS_TENANT_STATEMENTS_H
#define LOADLINE_TESTS_TENANT_STATEMENTS_H

#include "db/db.h"

struct slots {
    struct str plan;
    int64_t clusters;
};
struct company {
    struct str name;
};
#define STATEMENTS "store/tenant.def"
#include "db/statements.inc"

#endif
