# shellcheck shell=bash disable=SC2154 # lib.sh sets them
# promises.sh: what must hold of a database that was written while things broke. Sourced after lib.sh.
#
#   promises WHAT WANTED COMMAND...     COMMAND gets a statement and prints the rows: sql of lib.sh, or a node's.
#                                       WANTED: lines "cluster seconds" of the acknowledged pushes, sorted. WHAT
#                                       begins the tests' names.
#   promises_of_alerts COMMAND...       everything that is noted as sent has arrived at the receiver `plain` below
#                                       /ok/hook, and what came twice came with the same id and bytes

promises() {
    local what=$1 wanted=$2
    shift 2
    {
        "$@" "SELECT c.name, UNIX_TIMESTAMP(h.taken_at) DIV 1 FROM loadline.score_history h
            JOIN loadline.clusters c USING (cluster)" | tr '\t' ' '
        "$@" "SELECT c.name, UNIX_TIMESTAMP(h.hour_at) DIV 1, HEX(h.body) FROM loadline.score_chunks h
            JOIN loadline.clusters c USING (cluster)" | python3 tests/e2e/points.py
    } | sort >"$scratch/stored"
    empty "$what: every acknowledged push has its point" "$(comm -23 "$wanted" "$scratch/stored" | head -5)"
    empty "$what: once" "$(uniq -d "$scratch/stored" | head -5)"
    is "$what: summary, snapshot and newest point are of one push everywhere" "$("$@" "USE loadline;
        SELECT c.name FROM clusters c
        LEFT JOIN snapshots s ON s.cluster = c.cluster AND s.taken_at = c.taken_at AND s.received_at = c.received_at
        LEFT JOIN briefs b ON b.cluster = c.cluster
        LEFT JOIN score_history h ON h.cluster = c.cluster AND h.taken_at = c.taken_at AND h.score = c.score
        WHERE s.cluster IS NULL OR (h.cluster IS NULL AND NOT (c.taken_at < c.packed_to)) OR b.cluster IS NULL
           OR c.risks <> (SELECT COUNT(*) FROM risks r WHERE r.cluster = c.cluster AND r.closed_at IS NULL)
           OR c.taken_at <> (SELECT MAX(last_at) FROM $told_points l WHERE l.cluster = c.cluster)")" ""
    is "$what: no latest push is older than the last acknowledged one" "$("$@" "SELECT name, UNIX_TIMESTAMP(taken_at) DIV 1
        FROM loadline.clusters" | tr '\t' ' ' | older_than "$wanted")" ""
    is "$what: the steps tell every point once" "$("$@" "USE loadline;
        SELECT c.name FROM clusters c
        WHERE (SELECT COUNT(*) FROM score_history h WHERE h.cluster = c.cluster) +
              (SELECT IFNULL(SUM(points), 0) FROM score_chunks k WHERE k.cluster = c.cluster) <>
              (SELECT SUM(points) FROM $told_points r WHERE r.cluster = c.cluster)
           OR c.newest_at <> (SELECT MAX(last_at) FROM $told_points l WHERE l.cluster = c.cluster)
           OR NOT EXISTS (SELECT * FROM ledgers g WHERE g.cluster = c.cluster AND g.taken_at = c.ledger_base AND g.base_at IS NULL)")" ""
    is "$what: the plan's count is that of the clusters" "$("$@" "USE loadline;
        SELECT t.tenant_id FROM tenants t
        WHERE t.clusters <> (SELECT COUNT(*) FROM clusters c WHERE c.tenant_id = t.tenant_id)")" ""
}

# Reads "cluster seconds" of the latest pushes, prints those that are older than the newest of the file.
older_than() {
    awk 'FILENAME != "-" { if ($2 > newest[$1]) newest[$1] = $2; next }
         { seen[$1] = $2 }
         END { for (one in newest) if (seen[one] < newest[one]) print one, seen[one] + 0, "<", newest[one] }' "$1" -
}

promises_of_alerts() {
    "$@" "SELECT delivery_id FROM loadline.outbox WHERE state = 'sent'" | sort >"$scratch/sent"
    received /ok/hook | jq -r '.headers["webhook-id"]' | sort >"$scratch/arrived"
    received /ok/hook | jq -c '[.headers["webhook-id"], .body]' | sort -u | jq -r '.[0]' | uniq -d >"$scratch/differ"
    diag "alerts sent: $(wc -l <"$scratch/sent"), arrived twice: $(uniq -d "$scratch/arrived" | wc -l)"
    ok "there were alerts" [ -s "$scratch/sent" ]
    empty "every alert has arrived" "$(uniq "$scratch/arrived" | comm -23 "$scratch/sent" - | head -5)"
    empty "nothing has arrived that is not in the list" "$(uniq "$scratch/arrived" | comm -13 "$scratch/sent" - | head -5)"
    empty "what came twice came with the same id and bytes" "$(cat "$scratch/differ")"
}
