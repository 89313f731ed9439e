#!/bin/bash
# Every program and script has --help and --version; answers, reports and messages carry the same version.
. "$(dirname "$0")/lib.sh"
stack

version=$(sed -n 's/^#define LOADLINE_VERSION "\(.*\)"$/\1/p' lib/base/version.h)
like "the version is one" "$version" '^[0-9]+\.[0-9]+\.[0-9]+$'

# tells NAME COMMAND: both options, and nothing on standard error.
tells() {
    local said
    said=$("$2" --version 2>&1)
    is "$1 --version" "$? $said" "0 $1 $version"
    said=$("$2" --help 2>&1 </dev/null)
    like "$1 --help" "$? ${said%%$'\n'*}" '^0 .{20}'
}
for program in "$build"/bin/loadline-* "$build"/cgi-bin/*.fcgi; do
    tells "${program##*/}" "$program"
done
for script in scripts/*; do
    [ ! -x "$script" ] || tells "${script##*/}" "$script"
done
for script in tests/e2e/run tests/bench/run tests/fuzz/run; do
    like "$script --help" "$("$script" --help | head -1)" '^run .*: '
done

# ---- what they do not know, and options that lack their value, they name in a sentence
while read -r script words expected; do
    IFS=, read -ra words <<<"$words"
    said=$(timeout 20 "scripts/$script" "${words[@]}" 2>&1 </dev/null)
    is "scripts/$script ${words[*]}" "$? $said" "${expected%%|*} $script: ${expected#*|} (see --help)"
done <<'END'
accounts --host 1|--host needs an address
accounts --host= 1|--host needs an address
accounts --bogus 1|unknown argument --bogus
backup --defaults-file 1|--defaults-file needs a file
backup --defaults-file= 1|--defaults-file needs a file
deb --changelog,--bogus 1|unknown argument --bogus
deb --bogus 1|unknown argument --bogus
dist --source,--bogus 1|unknown argument --bogus
down --dir 1|--dir needs a directory
down --dir= 1|--dir needs a directory
down --bogus=1 1|unknown argument --bogus
gen-checks-doc --bogus 2|unknown argument --bogus
gen-checks-doc --check,--bogus 2|unknown argument --bogus
gen-schema --defaults-file 1|--defaults-file needs a file
host-setup --name 1|--name needs the name of this host
host-setup --name=x,--server 1|--server needs lighttpd, apache or none
install --bogus,x,y 1|unknown argument --bogus
install --package,--bogus,x,y 1|unknown argument --bogus
leave /nowhere,apache,--bogus 1|unknown argument --bogus
leave --bogus,apache 1|unknown argument --bogus
migrate --defaults-file 1|--defaults-file needs a file
migrate --dir 1|--dir needs a directory
pool --bogus 1|unknown argument --bogus
pool --bogus,status 1|unknown argument --bogus
pool status,--bogus 1|unknown argument --bogus
push-snapshot --context 1|--context needs a name
push-snapshot mine,--file 1|--file needs a file
push-snapshot --tries= 1|--tries needs a number
restore --defaults-file 1|--defaults-file needs a file
run --port 1|--port needs a number
run --dir 1|--dir needs a directory
run --port=1,--build 1|--build needs a directory
run --set 1|--set needs a value
run --bogus 1|unknown argument --bogus
run extra 1|unknown argument extra
sample --dir 1|--dir needs a directory
sample --build= 1|--build needs a directory
sample --every= 1|--every needs 1 to 9999 seconds
sample --bogus=1 1|unknown argument --bogus
sbom --bogus 1|unknown argument --bogus
sbom build,--bogus 1|unknown argument --bogus
setup --bogus 2|unknown argument --bogus
uninstall --bogus,/nowhere 1|unknown argument --bogus
up --dir 1|--dir needs a value
up --port= 1|--port needs a value
END
while read -r script words expected; do
    IFS=, read -ra words <<<"$words"
    is "scripts/$script ${words[*]}" "$("scripts/$script" "${words[@]}" 2>&1 </dev/null; echo $?)" "$script: $expected"$'\n1'
done <<'END'
sample --every=soon --every needs 1 to 9999 seconds
sample --remove,--keep --remove or --keep, not both
sample --every=5,--dir=none none is not up; make run starts it
up --port,08080 --port 08080 is not a port
run --port,08080 --port 08080 is not a port
END
said=$(scripts/pool 2>&1)
is "scripts/pool of nothing" "$? $said" "1 pool: of which program? (see --help)"

# ---- who cannot start says so by its name
echo "stale_wran = 3" >"$scratch/mistyped.conf"
while read -r program expected; do
    said=$(LOADLINE_CONF=$scratch/mistyped.conf timeout 20 "$build/$program" 2>&1 </dev/null)
    is "$program refuses" "$? $said" "$expected ${program##*/}: $scratch/mistyped.conf:1: unknown key \"stale_wran\""
done <<'END'
bin/loadline-maintain 1
bin/loadline-notify 78
cgi-bin/status.fcgi 1
END

# ---- what make install puts on a host, without the tree
host=$scratch/host
scripts/install "$build" "$host" /usr/local
for command in "$host"/usr/local/bin/loadline-*; do
    [ ! -L "$command" ] || command=$host/usr/local/share/loadline/scripts/${command##*/loadline-}
    tells "${command##*/}" "$command"
done
cp scripts/gate scripts/push-snapshot "$scratch"
tells gate "$scratch/gate"
tells push-snapshot "$scratch/push-snapshot"

# ---- a query is not a command line: as plain CGI a web server may pass one on as an argument
for query in --version --help; do
    said=$(LOADLINE_CONF=$stack_dir/loadline.conf REQUEST_METHOD=GET REQUEST_URI="/health?$query" \
        QUERY_STRING="$query" "$build/cgi-bin/status.fcgi" "$query" 2>"$scratch/err" </dev/null | tr -d '\r')
    like "GET /health?$query is a request" "$said" '"status":"ok"'
done

# ---- what is answered
request GET /health
is "GET /health" "$status $(json .version)" "200 $version"
said=$("$build/bin/loadline-score" --format sarif --time 2026-11-21T10:00:00Z tests/fixtures/worked-example.json)
is "SARIF" "$(jq -r '.runs[0].tool.driver.semanticVersion' <<<"$said")" "$version"
account Version
push here etc/sample/shop.json
get "/api/export?clusterId=here&format=ocsf"
is "OCSF" "$status $(jq -r '.metadata.product.version' "$scratch/body" 2>/dev/null | sort -u)" "200 $version"
done_testing
