#!/bin/bash
# Requests that are stored together, with a real database: who fails because of whom.
. "$(dirname "$0")/lib.sh"
stack
export LOADLINE_TEST_DB=$stack_dir/db.cnf CMOCKA_MESSAGE_OUTPUT=TAP
"$build/tests/unit/test_together.t"
