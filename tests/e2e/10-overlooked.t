#!/bin/bash
# An error that was overlooked in a transaction is told at its end.
. "$(dirname "$0")/lib.sh"
stack
export LOADLINE_TEST_DB=$stack_dir/db.cnf
tests/unit/run "$build/tests/unit/test_db_overlooked.t"
