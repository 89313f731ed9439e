#!/bin/bash
# Deleted clusters of which somebody has left something are swept.
. "$(dirname "$0")/lib.sh"
stack
export LOADLINE_TEST_DB=$stack_dir/db.cnf
tests/unit/run "$build/tests/unit/test_removal.t"
