#!/bin/bash
# Includes point down the layers, and each foreign library is named in one place.
cd "$(dirname "$0")/../.." || exit 1
. tests/tap.sh
. tests/lint/unchanged.sh
reads lib cgi-bin bin Makefile

layers=(base codec kube reader score report alert gate db service store web deliver)

# wrong_includes FILE LAYER...: quoted includes of FILE that are in none of these layers.
wrong_includes() {
    local file=$1 include
    shift
    sed -n 's/^ *# *include *"\([^"]*\)".*/\1/p' "$file" | while read -r include; do
        case " $* " in *" ${include%%/*} "*) ;; *) echo "$file includes $include" ;; esac
    done
}

allowed=()
for layer in "${layers[@]}"; do
    allowed+=("$layer")
    wrong=
    while read -r file; do
        wrong+=$(wrong_includes "$file" "${allowed[@]}")
    done < <(find "lib/$layer" -name '*.[ch]' -o -name '*.def')
    empty "$layer includes itself and what is below it" "$wrong"
done
wrong=
for file in cgi-bin/*.[ch] cgi-bin/*/*.[ch] bin/*.[ch] bin/admin/*.[ch]; do
    [ ! -e "$file" ] || wrong+=$(wrong_includes "$file" "${layers[@]}" routes.h routes.def .. \
        auth proof.h exemptions openapi_errors.h openapi_schema.h body.h risks filter.h validate baseline.h change.h forecast_answer.h kept.h scope_answer.h upgrade_answer.h scorer admin audit.h check.h findings.h links.h password.h pools.h reload.h tenants.h usage.h agent watcher)
done
empty "programs include layers" "$wrong"

# What reads YAML and archives is in programs that no network reaches: loadline-score, and of loadline-agent the YAML.
empty "offline knows the reader and what is below it" "$(
    for file in lib/offline/*.[ch]; do wrong_includes "$file" base codec kube reader offline; done)"
own=$(cd bin/scorer && echo *.h *.def)
# shellcheck disable=SC2086 # a list
empty "and bin/scorer alone includes it" "$(
    for file in bin/scorer/*.[ch]; do wrong_includes "$file" base codec kube reader score report offline $own; done)"
# linked LIBRARY: the programs that are linked with it
linked() {
    make -Bn all 2>/dev/null | grep -E -- "-l$1" | sed -n 's/.* -o build\/release\/\([^ ]*\) .*/\1/p' | sort | xargs
}
is "no other program is linked with its libraries" "$(linked archive), $(linked yaml)" "bin/loadline-score, bin/loadline-agent bin/loadline-score"
own=$(cd bin/watcher && echo *.h *.def)
# shellcheck disable=SC2086 # a list
empty "what the agent is made of knows no score, no database and no server" "$(
    for file in lib/agent/*.[ch]; do wrong_includes "$file" base codec kube reader agent; done
    for file in bin/watcher/*.[ch]; do wrong_includes "$file" base codec kube agent offline/yaml.h $own | grep -v 'includes offline/yaml.h$'; done)"
empty "db is an engine: it knows base alone" "$(for file in lib/db/*.[ch]; do wrong_includes "$file" base db; done)"
unknown=$(find lib -mindepth 1 -maxdepth 1 -type d -printf '%f\n' | grep -vxF "$(printf '%s\n' "${layers[@]}" offline agent)")
empty "every directory of lib is a layer" "$unknown"

# No file includes itself by way of others of its layer. A file is NAME.c and NAME.h together.
# circles LAYER: a line for each file on a circle of includes, which tsort finds.
circles() {
    local file name
    git ls-files "lib/$1/*.[ch]" | while read -r file; do
        name=${file#lib/} name=${name%.*}
        sed -n 's|^ *# *include *"\('"$1"'/[^"]*\)\.h".*|\1|p' "$file" | grep -vxF "$name" | sed "s|^|$name |"
    done | tsort 2>&1 >/dev/null | sed 's/^tsort: //'
}
for layer in "${layers[@]}" offline agent; do
    empty "no files of $layer include each other in a circle" "$(circles "$layer")"
done

empty "kube has facts about objects, and no JSON" "$(grep -rn '^ *# *include *"codec/' lib/kube)"

# foreign NAME HEADER_PATTERN FILE_PATTERN: included by these files of one module and by no other.
foreign() {
    local files
    files=$(grep -slE "^ *# *include *<($2)>" -r lib cgi-bin bin | grep -vxE "$3")
    empty "$1 is named in $3 alone" "$files"
}
foreign libfcgi 'fcgi.*\.h|fastcgi\.h' 'lib/service/http_fcgi\.c'
foreign MariaDB '(mysql/|mariadb/)?(mysql|mariadb|errmsg|mysqld_error).*\.h' 'lib/db/[a-z]+\.[ch]'
foreign libcurl 'curl/.*' 'lib/deliver/post\.c|lib/service/fetch\.c|bin/watcher/transfer\.c'
foreign libscrypt 'libscrypt\.h' 'lib/service/crypt\.c'
foreign libzxcvbn 'zxcvbn\.h' 'lib/service/guessable\.c'
foreign liboath '(liboath/)?oath\.h' 'lib/service/totp\.c'
foreign libqrencode 'qrencode\.h' 'lib/service/qr\.c'
foreign libinih 'ini\.h' 'lib/service/conf\.c|bin/scorer/options_file\.c'
foreign libyaml 'yaml\.h' 'lib/offline/yaml\.c'
foreign libarchive 'archive.*\.h' 'lib/offline/packed\.c'
foreign zlib 'zlib\.h' 'lib/codec/(raw_zlib|crc)\.c'
foreign zstd 'zstd.*\.h' 'lib/codec/zstd\.c'
foreign ISA-L 'isa-l.*' 'lib/codec/raw_isal\.c'
foreign json-c 'json(-c)?/.*|json\.h' 'lib/(web|service|store)/[a-z_]+\.[ch]|tests/.*'

# A server that is killed while it changes the partitions of a table may lose the table.
empty "no program changes tables" "$(
    grep -nEi '"[^"]*\b(alter|create|drop|truncate|rename) (table|partition)' -r lib cgi-bin bin)"
empty "judgement has no clock, no randomness, no input or output" "$(
    grep -rnE '^ *# *include *["<](base/(rand|log)\.h|time\.h|unistd\.h|sys/.*|fcntl\.h|locale\.h)[">]' \
        lib/score lib/report lib/alert lib/gate
    grep -rnE '\bclock_(now|monotonic)\(' lib/score lib/report lib/alert lib/gate
)"
done_testing
