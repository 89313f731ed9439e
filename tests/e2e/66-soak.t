#!/bin/bash
# What `make soak` takes for growth, and what not. The soak itself takes an hour.
. "$(dirname "$0")/lib.sh"

# samples AWK: 400 of a value between moment 0 and 4000, of which the first 1000 are the warm-up; x is the moment
samples() {
    awk -v name="$1" "BEGIN { for (x = 0; x < 4000; x += 10) print x, name, int($2) }"
}
# judged [judge.py's options]: sets said, of the files that were made before
judged() {
    said=$(tests/soak/judge.py --samples "$scratch/samples" --pushes "$scratch/pushes" --others "$scratch/others" \
        --maintenance "$scratch/maintenance" --warm 1000 "$@" | grep -v '^figure')
}
# pushes STATUS CODE MS: one, while maintenance runs
pushes() {
    printf 'load-1\t2026-03-17T12:00:00.000Z\t%d\t%d\t0\t%s\t1500\n' "$1" "$3" "$2"
}
pushes 200 - 20 >"$scratch/good"
cp "$scratch/good" "$scratch/pushes"
printf 'gate\t200\t5\t1500\n' >"$scratch/others"
echo "1490 1510" >"$scratch/maintenance"

while IFS='|' read -r what name value; do
    samples "$name" "$value" >"$scratch/samples"
    judged
    is "$what" "$said" ""
done <<'END'
what is flat is|rss.ingest.fcgi|15000
what grows while caches fill|rss.ingest.fcgi|x < 1000 ? 5000 + 10 * x : 15000
what retention makes a saw-tooth of|rows.score_history|1000 + x % 300
what shrinks|rows.score_history|9000 - x
memory that comes and goes, later more often|rss.auth.fcgi|x % 100 < x / 50 ? 40000 : 8000
descriptors that come and go|fds.lighttpd|14 + (x % 50) / 10
END
while IFS='|' read -r what name value; do
    samples "$name" "$value" >"$scratch/samples"
    judged
    like "$what" "$said" "^broken: $name grows"
done <<'END'
a worker that leaks a megabyte an hour|rss.ingest.fcgi|15000 + x
a descriptor in ten minutes|fds.validate.fcgi|9 + x / 600
rows that nobody removes|rows.log_usage|x / 5
files that grow|bytes.outbox|10000000 + 2000 * x
a log that is not rotated|logs.bytes|2000 * x
END
samples rss.ingest.fcgi '15000 + x' >"$scratch/samples"
judged --short
is "a short run does not judge memory" "$said" ""

samples rss.ingest.fcgi 15000 >"$scratch/flat"
while IFS='|' read -r what status code ms waited expected; do
    { cat "$scratch/flat"; samples waited "$waited"; } >"$scratch/samples"
    { cat "$scratch/good"; pushes "$status" "$code" "$ms"; } >"$scratch/pushes"
    judged
    like "$what" "$said" "^$expected"
done <<'END'
a push that takes half a second beside maintenance|200|-|500|0|broken: the p99 of pushes beside maintenance is 500 ms$
the same on a machine that others use|200|-|500|100|busy: the p99 of pushes
a push that is refused|503|overloaded|1|0|broken: 1 pushes are refused
the same on a machine that others use|503|overloaded|1|100|busy: 1 pushes are refused[^:]*$
another 503, whoever uses the machine|503|database_away|1|100|broken: 1 times push is answered 503
an error, whoever uses the machine|500|internal|1|100|broken: 1 times push is answered 500
no answer, whoever uses the machine|0|-|1|100|broken: 1 times push is answered not at all
END
while IFS='|' read -r what disk expected; do
    { cat "$scratch/flat"; samples waited 0; samples waited.disk "$disk"; } >"$scratch/samples"
    { cat "$scratch/good"; pushes 503 overloaded 1; } >"$scratch/pushes"
    judged
    like "$what" "$said" "^$expected: 1 pushes are refused"
done <<'END'
a push that is refused while the disk is quick|100|broken
the same while the disk stands still now and then|x % 500 ? 0 : 400|busy
END
cp "$scratch/good" "$scratch/pushes"
printf 'export\t500\t5\t1500\n' >"$scratch/others"
judged
like "an error of the dashboard" "$said" "^broken: 1 times other is answered 500"
printf 'export\t401\t5\t1500\n' >"$scratch/others"
judged
is "a session that ends is none" "$said" ""
: >"$scratch/maintenance"
judged
like "maintenance must have run" "$said" "^broken: no push was stored while maintenance ran"
done_testing
