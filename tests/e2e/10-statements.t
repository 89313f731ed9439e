#!/bin/bash
# Every row of stmts.def is prepared against the real server; db keeps its promises there.
. "$(dirname "$0")/lib.sh"
stack
export LOADLINE_TEST_DB=$stack_dir/db.cnf CMOCKA_MESSAGE_OUTPUT=TAP
"$build/tests/unit/test_db.t"
