#!/bin/bash
# What a connection makes of the real server.
. "$(dirname "$0")/lib.sh"
stack
export LOADLINE_TEST_DB=$stack_dir/db.cnf
tests/unit/run "$build/tests/unit/test_db_connection.t"
