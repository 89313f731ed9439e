#!/bin/bash
# db keeps its promises with the real server.
. "$(dirname "$0")/lib.sh"
stack
export LOADLINE_TEST_DB=$stack_dir/db.cnf CMOCKA_MESSAGE_OUTPUT=TAP
"$build/tests/unit/test_db.t"
