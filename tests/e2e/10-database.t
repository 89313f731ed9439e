#!/bin/bash
# db keeps its promises with the real server.
. "$(dirname "$0")/lib.sh"
stack
export LOADLINE_TEST_DB=$stack_dir/db.cnf
tests/unit/run "$build/tests/unit/test_db.t"
