#!/bin/bash
# make fuzz cannot rot: what it finds is shown and fails it, and so does a target that tests nothing.
. "$(dirname "$0")/lib.sh"

# Targets that only seem to be: they say what libFuzzer would.
mkdir "$scratch/targets"
for source in tests/fuzz/fuzz_*.c; do
    name=${source##*/} name=${name%.c}
    printf '#!/bin/sh\necho "$@" >>%s/called\necho "stat::number_of_executed_units: 100000" >&2\n' "$scratch" >"$scratch/targets/$name"
    chmod +x "$scratch/targets/$name"
done
count=$(find tests/fuzz -name 'fuzz_*.c' | wc -l)
fuzz() {
    : >"$scratch/called"
    said=$(tests/fuzz/run "$scratch/targets" "$@" 2>&1)
}

fuzz 7
is "nothing is found" "$? $(grep -c 'nothing found in 7 s (100000 inputs)' <<<"$said")" "0 $count"
is "each has its seconds" "$(grep -c -- '-max_total_time=7 ' "$scratch/called")" "$count"
fuzz 30 $((count * 3 + 1))
is "or its part of all" "$? $(grep -c -- '-max_total_time=3 ' "$scratch/called")" "0 $count"
fuzz 30 1
is "of which two is the least" "$? $(grep -c -- '-max_total_time=2 ' "$scratch/called")" "0 $count"

cat >"$scratch/targets/fuzz_jr" <<'END'
#!/bin/sh
for argument; do
    case $argument in -artifact_prefix=*) printf 'broken\001' >"${argument#*=}0123" ;; esac
done
echo "runtime error: something" >&2
exit 77
END
fuzz 1
is "a finding fails the run" "$?" 1
like "and is said" "$said" 'runtime error: something.*jr: broken by an input'
is "with its bytes" "$(sed -n '/crash-jr-0123 (7 bytes)/{n;s/ //g;p}' <<<"$said" | base64 -d | od -An -c | tr -d ' ')" 'broken001'
is "the others run all the same" "$(grep -c 'nothing found' <<<"$said")" $((count - 1))

printf '#!/bin/sh\necho "stat::number_of_executed_units: 1" >&2\n' >"$scratch/targets/fuzz_jr"
fuzz 1
is "a target that reads less than its corpus fails it" "$? $(grep -c '^jr: only 1 inputs' <<<"$said")" "1 1"
rm "$scratch/targets/fuzz_jr"
fuzz 1
is "and so does one that was not built" "$? $(grep -c '^jr: not built' <<<"$said")" "1 1"
for source in tests/fuzz/fuzz_*.c; do
    name=${source##*/fuzz_} name=${name%.c}
    ok "$name has a corpus" test -n "$(ls "tests/fuzz/corpus/$name")"
done
like "continuous integration runs it" "$(cat .ci/run)" 'make fuzz FUZZ_TOTAL=60'
done_testing
