#!/bin/bash
# Every statement of the store is what its row says, to the real server.
. "$(dirname "$0")/lib.sh"
stack
export LOADLINE_TEST_DB=$stack_dir/db.cnf CMOCKA_MESSAGE_OUTPUT=TAP
"$build/tests/unit/test_statements.t"
