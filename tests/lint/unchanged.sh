# shellcheck shell=bash
# unchanged.sh: what has passed and is unchanged since is not looked at again. Sourced after tests/tap.sh.
#
#   reads PATHSPEC...     for a lint that reads these files of the repository and nothing else. When they
#                         are as they were when it passed, it reports each of its tests as unchanged and
#                         ends here. read_tools=(TOOL...) are what judges; gcc when it is not set
#   each WHAT TOOL COMMAND FILE...
#                         one test: COMMAND FILE... prints what is wrong with these files. It is given
#                         those that changed, a few at a time, several at once. To descriptor 3 it writes
#                         what else it read, as make has it (FILE: OTHER...). TOOL is what judges
#
# Stamps are below build/lint. They go by content, not by time: the files, the lint itself, and the tool's
# version. What failed leaves none, and neither does a file that was edited meanwhile.

stamp=build/lint/${0##*/}

# ---- a lint as a whole

reads() {
    read_paths=("tests/lint/${0##*/}" tests/tap.sh tests/lint/unchanged.sh "$@")
    read_key=$(key_of_paths)
    if [ "$(head -n 1 "$stamp" 2>/dev/null)" = "$read_key" ]; then
        while IFS= read -r what; do pass "unchanged since it passed: $what"; done < <(tail -n +2 "$stamp")
        done_testing
    fi
    trap keep_names EXIT
}

# A file that is gone is a complaint of sha256sum, and so a part of the sum.
key_of_paths() {
    {
        for tool in "${read_tools[@]-gcc}"; do "$tool" --version; done
        git ls-files -z --cached --others --exclude-standard -- "${read_paths[@]}" | xargs -0 sha256sum 2>&1
    } | sha256sum
}

keep_names() {
    local status=$?
    [ $status -eq 0 ] && all_passed && [ "$(key_of_paths)" = "$read_key" ] || return 0
    { echo "$read_key" && passed; } | write_stamp "$stamp"
}

# write_stamp FILE: two runs at once leave the whole stamp of one.
write_stamp() {
    mkdir -p build/lint
    cat >"$1.$$" && mv "$1.$$" "$1"
}

# ---- files one by one

# A stamp: a key, then a line for each file that passed and each file that it was read with: FILE, tab,
# OTHER, tab, the sum of OTHER. Every file is read with itself.
each() {
    local what=$1 tool=$2 command=$3 file=$stamp.$3 key todo wrong
    shift 3
    key=$({ "$tool" --version; echo "${CFLAGS-}"; declare -f "$command"; cat tests/lint/unchanged.sh; } | sha256sum)
    mapfile -t todo < <(changed "$file" "$key" "$@")
    if [ ${#todo[@]} -eq 0 ]; then
        pass "unchanged since it passed: $what"
        return
    fi
    look_scratch=$(mktemp -d)
    export look_scratch
    export -f look "${command?}"
    : >"$look_scratch/began"
    wrong=$(printf '%s\0' "${todo[@]}" | xargs -0 -P "$(nproc)" -n 8 bash -c 'look "$@"' _ "$command")
    keep_files "$file" "$key" "$@"
    rm -r "$look_scratch"
    [ ${#todo[@]} -eq $# ] || diag "${#todo[@]} of $# files; the others are unchanged since they passed"
    empty "$what" "$wrong"
}

# look COMMAND FILE...: notes what was read when nothing is wrong.
look() {
    local said files=("${@:2}")
    said=$("$@" 3>"$look_scratch/reads.$$")
    if [ -n "$said" ]; then
        echo "$said"
    else
        printf '%s: \n' "${files[@]}" >>"$look_scratch/passed.$$"
        cat "$look_scratch/reads.$$" >>"$look_scratch/passed.$$"
    fi
}

# changed STAMP KEY FILE...: those of the files that the stamp does not speak for.
changed() {
    local file=$1 key=$2
    shift 2
    if [ "$(head -n 1 "$file" 2>/dev/null)" != "$key" ]; then
        printf '%s\n' "$@"
        return
    fi
    awk -F '\t' 'FNR == 1 { part++ }
        part == 1 { sum[substr($0, 67)] = substr($0, 1, 64); next }
        part == 2 { if (FNR > 1) { known[$1]; if (sum[$2] != $3) stale[$1] } next }
        !($1 in known) || $1 in stale' \
        <(echo; tail -n +2 "$file" | cut -f 2 | sort -u | xargs -d '\n' sha256sum 2>/dev/null) "$file" <(printf '%s\n' "$@")
}

# keep_files STAMP KEY FILE...: what has passed now beside what had passed before and still holds.
keep_files() {
    local file=$1 key=$2
    shift 2
    # FILE, tab, OTHER: lines joined that end in a backslash, rules taken apart
    cat "$look_scratch"/passed.* 2>/dev/null | sed -e ':again' -e '/\\$/{N;s/\\\n//;b again' -e '}' |
        awk '{ file = substr($1, 1, length($1) - 1); print file "\t" file; for (i = 2; i <= NF; i++) print file "\t" $i }' |
        sort -u >"$look_scratch/pairs"
    cut -f 2 "$look_scratch/pairs" | sort -u >"$look_scratch/others"
    {
        echo "$key"
        changed "$file" "$key" "$@" >"$look_scratch/stale"
        [ "$(head -n 1 "$file" 2>/dev/null)" != "$key" ] || tail -n +2 "$file" | awk -F '\t' '
            FILENAME != "-" { skip[$1]; next } !($1 in skip)' "$look_scratch/stale" -
        # An edit after the beginning may not have been seen: that file is looked at again.
        xargs -d '\n' -a "$look_scratch/others" sh -c 'find "$@" -newer "$0"' "$look_scratch/began" >"$look_scratch/edited" 2>/dev/null
        xargs -d '\n' -a "$look_scratch/others" sha256sum 2>/dev/null | awk -F '\t' '
            FILENAME == ARGV[1] { edited[$1]; next }
            FILENAME == "-" { sum[substr($0, 67)] = substr($0, 1, 64); next }
            { print $1 "\t" $2 "\t" ($2 in edited ? "edited" : sum[$2]) }' "$look_scratch/edited" - "$look_scratch/pairs"
    } | write_stamp "$file"
}
