#!/bin/bash
# What maintenance forgets of accounts, and the audit trail's store, in a real database.
. "$(dirname "$0")/lib.sh"
stack
export LOADLINE_TEST_DB=$stack_dir/db.cnf
tests/unit/run "$build/tests/unit/test_accounts.t"
