# shellcheck shell=bash disable=SC2034,SC2154 # lib.sh sets some, the tests read others
# refusals.sh: a database that refuses rows of one table, and tells which were written. Sourced after lib.sh, once a stack of
# our own is there.
#
#   touched                   "TABLE EVENT" of what was written since the last arm, a line each
#   arm [TABLE EVENT [busy]]  from now on rows of that table are refused when they are inserted, updated or deleted: each time;
#                             with `busy` once, as a deadlock, after which whoever waits may try again. Sets `before`
#   disarm                    no more. Sets `refused`, how many were, and `after`
#   before, after             all there is of tenants; `before_rows` and `after_rows` tell how many rows each table has
#
# What this file writes by sql is neither noted nor refused when it begins with "$quietly".

quietly='SET @quiet = 1; USE loadline;'
tenant_tables=$(sql "SELECT table_name FROM information_schema.columns WHERE table_schema = 'loadline' AND column_name = 'tenant_id'
    ORDER BY table_name" | paste -sd' ')

# When keys and sessions were used is noted once a minute, and no request fails because it cannot be: they were just now.
used="UPDATE sessions SET last_used_at = UTC_TIMESTAMP(3) - INTERVAL 1 SECOND;
    UPDATE api_keys SET last_used_at = UTC_TIMESTAMP(3) - INTERVAL 1 SECOND;"
all="CHECKSUM TABLE ${tenant_tables// /, };"
rows="SELECT CONCAT_WS(' '$(for table in $tenant_tables; do printf ", (SELECT COUNT(*) FROM %s)" "$table"; done));"

# In tables of which no transaction takes anything back.
sql "USE loadline; CREATE TABLE test_touched (name VARCHAR(64), event VARCHAR(8)) ENGINE = MyISAM;
    CREATE TABLE test_refusing (name VARCHAR(64), event VARCHAR(8), busy INT) ENGINE = MyISAM;
    CREATE TABLE test_refused (n INT) ENGINE = MyISAM"
{
    printf "USE loadline;\nDELIMITER //\n"
    sql "SELECT table_name, event FROM information_schema.tables JOIN (SELECT 'INSERT' AS event UNION SELECT 'UPDATE' UNION SELECT 'DELETE') e
        WHERE table_schema = 'loadline' AND table_name NOT LIKE 'test\_%' AND table_name <> 'schema_migrations'" |
        while read -r table event; do
            echo "CREATE TRIGGER test_${table}_$event BEFORE $event ON $table FOR EACH ROW IF @quiet IS NULL THEN
                INSERT INTO test_touched VALUES ('$table', '$event');
                IF EXISTS (SELECT * FROM test_refusing WHERE name = '$table' AND event = '$event' AND NOT busy) THEN
                    INSERT INTO test_refused VALUES (1);
                    SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'refused';
                ELSEIF EXISTS (SELECT * FROM test_refusing WHERE name = '$table' AND event = '$event') THEN
                    DELETE FROM test_refusing;
                    INSERT INTO test_refused VALUES (1);
                    SIGNAL SQLSTATE '40001' SET MYSQL_ERRNO = 1213, MESSAGE_TEXT = 'Deadlock';
                END IF;
            END IF //"
        done
} >"$scratch/triggers"
sql "source $scratch/triggers"

touched() {
    sql "SELECT DISTINCT name, event FROM loadline.test_touched ORDER BY name, event" | tr '\t' ' '
}

arm() {
    local busy=0
    [ "${3-}" != busy ] || busy=1
    before=$(sql "$quietly DELETE FROM test_touched; DELETE FROM test_refused; $used $rows $all
        DELETE FROM test_refusing; ${1+INSERT INTO test_refusing VALUES ('$1', '$2', $busy)}")
    before_rows=${before%%$'\n'*}
}

disarm() {
    after=$(sql "$quietly DELETE FROM test_refusing; SELECT COUNT(*) FROM test_refused; $rows $all")
    refused=${after%%$'\n'*} after=${after#*$'\n'}
    after_rows=${after%%$'\n'*}
}

# grown: by how many rows each table has, between arm and disarm.
grown() {
    paste <(tr ' ' '\n' <<<"$before_rows") <(tr ' ' '\n' <<<"$after_rows") | awk '{ printf "%s ", $2 - $1 }'
}
