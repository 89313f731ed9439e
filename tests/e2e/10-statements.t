#!/bin/bash
# Every statement of the store is what its row says, to the real server.
. "$(dirname "$0")/lib.sh"
stack
# Some are of the programs' account, some of that of maintenance: the one of migrations may all.
sed 's/^\[client\]/[loadline]/; s/^\[mariadb-client\]//' "$stack_dir/admin.cnf" >"$scratch/all.cnf"
export LOADLINE_TEST_DB=$scratch/all.cnf
tests/unit/run "$build/tests/unit/test_statements.t"
