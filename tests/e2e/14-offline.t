#!/bin/bash
# loadline-score reads what people have: YAML, directories, dumps, bundles and archives of them give the ledger
# of the same objects as JSON; what is broken is named with its place, and bombs are refused in little memory.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
command -v python3 >/dev/null || skip_all "there is no python3"

score=$build/bin/loadline-score
options=(--format json --all-namespaces --time 2026-11-21T10:00:00Z)

run() { # run ARGUMENT...: fills out, err and status
    out=$("$score" "$@" 2>"$scratch/err")
    status=$?
    err=$(cat "$scratch/err")
}

# same WHAT FILE...: the ledger of these, as $shown has it, is the expected one
same() {
    local what=$1
    shift
    is "$what" "$("$score" "${options[@]}" "$@" 2>"$scratch/err" | jq -c "$shown" | md5sum)" "$expected" || diag "$(cat "$scratch/err")"
}

# forms NAME FILE: the snapshot in every form
forms() {
    local name=$1 file=$2 d=$scratch/$1
    mkdir "$d"
    shown=.
    expected=$("$score" "${options[@]}" "$file" | jq -c . | md5sum)
    for form in yaml documents; do
        tests/e2e/to_yaml.py $form <"$file" >"$d/$form"
        same "$name, $form: the same ledger" "$d/$form"
        same "$name, $form from standard input" - <"$d/$form"
    done
    tests/e2e/to_yaml.py tree "$d/tree" <"$file"
    same "$name: a directory of files as oc adm inspect makes" "$d/tree"
    tar -C "$d" -cf "$d/tree.tar" tree
    gzip -1k "$d/tree.tar"
    mv "$d/tree.tar.gz" "$d/tree.tgz"
    (cd "$d" && python3 -m zipfile -c tree.zip tree)
    for archive in tree.tar tree.tgz tree.zip; do
        same "$name: $archive of it" "$d/$archive"
    done
    same "$name: the tgz from standard input" - <"$d/tree.tgz"
    is "$name: what was read and what was not" "$(cat "$scratch/err")" "read $(jq '.items | length' "$file") objects in $(
        jq '.items | length' "$file") files; 5 files without Kubernetes objects were passed over; --verbose names them"
    iconv -f UTF-8 -t UTF-16 "$d/yaml" >"$d/utf16"
    same "$name: YAML in UTF-16" "$d/utf16"
    { printf '\xEF\xBB\xBF'; cat "$file"; } >"$d/bom.json"
    same "$name: JSON behind a byte order mark" "$d/bom.json"
    # Lists that say of what they are say also that there is no more of it.
    jq -c '.items | group_by([.apiVersion, .kind])[] |
        {kind: (.[0].kind + "List"), apiVersion: .[0].apiVersion, items: .}' "$file" >"$d/typed.json"
    expected=$("$score" "${options[@]}" "$d/typed.json" | jq -c . | md5sum)
    tests/e2e/to_yaml.py dump <"$file" >"$d/dump"
    same "$name: what kubectl cluster-info dump prints, with logs" "$d/dump"
    same "$name: ... from standard input" - <"$d/dump"
    tests/e2e/to_yaml.py lists "$d/lists" <"$file"
    # ... and lists of kinds that are not read are not known by the names of their files.
    shown='del(.not_read, .coverage.not_read)'
    expected=$("$score" "${options[@]}" "$d/typed.json" | jq -c "$shown" | md5sum)
    same "$name: lists without kinds, as in support bundles" "$d/lists"
}

forms example tests/fixtures/worked-example.json
if [ -f "$shared/snapshots/troubleshoot-supportbundle.json.gz" ]; then
    gzip -dc "$shared/snapshots/troubleshoot-supportbundle.json.gz" >"$scratch/real.json"
    # Of objects that are there several times, which one counts depends on their order.
    jq '.items |= unique_by([.apiVersion, .kind, .metadata.namespace, .metadata.name])' "$scratch/real.json" >"$scratch/once.json"
    forms real "$scratch/once.json"
else
    skip "a real snapshot in every form" "there is no $shared/snapshots"
fi

# ---- what stands in trees ----
d=$scratch/example
run --verbose "${options[@]}" "$d/tree"
for file in Chart.yaml values.yaml kustomization.yaml namespaces/x/pods/p/c/logs/current.log namespaces/x/pods/p/c/logs/current.json; do
    like "--verbose names $file" "$err" "passed over: $d/tree/$file: "
done
mkdir "$scratch/links"
ln -s /dev/zero "$scratch/links/zero.json"
ln -s "$d/tree" "$scratch/links/tree"
ln -s "$d/tree/values.yaml" "$scratch/links/values.yaml"
mkfifo "$scratch/links/pipe.json"
cp tests/fixtures/worked-example.json "$scratch/links/a.json"
run --verbose "${options[@]}" "$scratch/links"
is "links and pipes in a directory are not followed" "$(grep -c ': no ordinary file$' <<<"$err")" 4
is "... and the rest is read" "$status $(tail -1 <<<"$err")" "0 read $(jq '.items | length' tests/fixtures/worked-example.json) objects in 1 file; 4 files without Kubernetes objects were passed over"
printf '%s\n' 'pods: [{metadata: {name: p}}]' >"$scratch/values.yaml"
run "${options[@]}" "$scratch/values.yaml"
is "a collection that is named is read, YAML as JSON" "$status" 0
mkdir "$scratch/values"
mv "$scratch/values.yaml" "$scratch/values"
run "${options[@]}" "$scratch/values"
is "... and one in a directory is not" "$status $err" "2 loadline-score: $scratch/values: no Kubernetes object in it"
cp tests/fixtures/worked-example.json "$scratch/a.json"
run "${options[@]}" "$scratch/a.json" "$d/tree"
is "several files and directories" "$status" 0

# What a directory is called, and what it is in, says nothing of the files in it.
for in in logs/m .jenkins/workspace/m podlogs/.cache/; do
    mkdir -p "$scratch/named/$in/logs" "$scratch/named/$in/.git"
    cp tests/fixtures/worked-example.json "$scratch/named/$in/a.json"
    cp "$d/tree.tgz" "$scratch/named/$in/logs/b.json"
    cp "$d/tree.tgz" "$scratch/named/$in/.git/c.json"
    expected=$("$score" "${options[@]}" "$scratch/a.json" | jq -c . | md5sum)
    shown=.
    same "a directory named $in" "$scratch/named/$in"
done

# YAML in flow style begins as JSON does.
printf '{apiVersion: v1, kind: Pod, metadata: {name: a, namespace: b}}\n' >"$scratch/flow.yaml"
run "${options[@]}" "$scratch/flow.yaml"
is "YAML that begins with a brace" "$status $(jq -r '.csc_score | type' <<<"$out")" "0 number"

# ---- what is broken ----
broken() { # broken WHAT FILE TEXT COMPLAINT: the complaint begins with the file's name
    printf '%b' "$3" >"$scratch/$2"
    run "$scratch/$2"
    is "$1: 2" "$status" 2
    like "... with its place and why" "$err" "^loadline-score: $scratch/$2:$4\$"
}
broken "JSON with a comma too many" bad.json '{"kind": "List",\n "items": [\n  {},\n  ]}' '4:3: .* \(at /items.*\)'
broken "JSON that is cut" cut.json '{"kind": "List",\n "items": [' '2:1.: the input ends inside a value .*'
broken "YAML that is none" bad.yaml 'a: b\n  c: d\n' '2:4: mapping values are not allowed in this context'
broken "a template of Helm" deployment.yaml 'kind: Deployment\nmetadata:\n  name: {{ .Release.Name }}\n' '3:.*: a key that is .* helm template CHART.*'
broken "a template's line" range.yaml 'kind: Pod\n{{- range .Values.x }}\n' '3:1: .* helm template CHART.*'
broken "a template's first line" if.yaml '{{- if .Values.x }}\nkind: Pod\n{{- end }}\n' '1:.*: .* helm template CHART.*'
broken "a log that ends before it begins" log.json '{}\n==== END logs for container c of pod n/p ====\n' '2: .*--output-directory'
broken "bytes of a program" a.out '\177ELF\0\0\0\0' ' it is neither JSON, YAML nor an archive.*'
printf '{"kind":"Status","apiVersion":"v1","status":"Failure","message":"Unauthorized","code":401}' >"$scratch/status.json"
run "$scratch/status.json"
like "a Status: what the API server said" "$status $err" '^2 .*refuses: Unauthorized$'
mkdir "$scratch/two"
printf '{"kind":"List","items":[' >"$scratch/two/a.json"
printf '[]]}' >"$scratch/two/b.json"
run "$scratch/two"
like "a cut file does not go on in the next" "$status $err" "^2 loadline-score: $scratch/two/a.json:[12]: the file ends in the middle of a value\$"
head -c 1000 "$d/tree.tgz" >"$scratch/cut.tgz"
run "$scratch/cut.tgz"
like "an archive that is cut" "$status $err" "^2 loadline-score: $scratch/cut.tgz.*: the gzip stream is cut"
head -c 3000 "$d/tree.zip" >"$scratch/cut.zip"
run "$scratch/cut.zip"
like "a zip that is cut" "$status $err" "^2 loadline-score: $scratch/cut.zip.*: .+"

mkdir "$scratch/bytes"
cp tests/fixtures/worked-example.json "$scratch/bytes/a.json"
head -c 1000 /dev/zero >"$scratch/bytes/z.yaml"
run "$scratch/bytes"
is "bytes that are no text, in a directory" "$status $err" "2 loadline-score: $scratch/bytes/z.yaml: it is neither JSON nor YAML"
cp "$d/tree.tar" "$scratch/bytes/z.yaml"
run --verbose "$scratch/bytes"
like "... but an archive is passed over there, whatever it is called" "$status $err" "^0 passed over: $scratch/bytes/z.yaml: it is an archive"
mkdir -p "$scratch/closed/a/b"
cp tests/fixtures/worked-example.json "$scratch/closed/a"
chmod 0 "$scratch/closed/a/b"
# Root may look into every directory, as long as it has its capabilities.
mayless=()
[ "$(id -u)" -ne 0 ] || mayless=(setpriv --inh-caps=-all --bounding-set=-all)
is "a directory in a directory that cannot be read is named" "$("${mayless[@]}" "$score" "$scratch/closed" 2>&1)" \
    "loadline-score: $scratch/closed/a/b: Permission denied"
chmod 700 "$scratch/closed/a/b"

# ---- names of files in archives
# named NAME HOW: a zip of m/ok.yaml and of a privileged pod in NAME, whose bytes HOW (of Python) changes
named() {
    python3 -c 'import io, sys, zipfile
pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c, image: \"x:1\", securityContext: {privileged: true}}]}\n"
packed = io.BytesIO()
with zipfile.ZipFile(packed, "w") as z:
    z.writestr("m/ok.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n")
    z.writestr(sys.argv[2], pod)
change = eval("lambda b: " + sys.argv[3])
open(sys.argv[1], "wb").write(change(packed.getvalue()))' "$scratch/names.zip" "$1" "$2"
    for locale in C C.UTF-8; do
        out=$(LC_ALL=$locale "$score" --partial --include check=privileged-container --fail-on critical "$scratch/names.zip" 2>&1 >/dev/null) &&
            status=0 || status=$?
        seen=$status.$out
        [ "$locale" = C ] && first=$seen
    done
    is "... in any locale" "$seen" "$first"
}
named größe/pod.yaml b
is "a name that is not of ASCII: the file is read" "$status $out" "1 read 2 objects in 2 files"
named größe/pod.yaml 'b.replace("größe".encode(), b"gr\xf6\xdf\xf6\xdfe")'
is "a name that cannot be read is an error" "$status $out" \
    "2 loadline-score: $scratch/names.zip: the name of a file in it cannot be read; pack it anew with names in UTF-8"
named grAAe/pod.yaml 'b.replace(b"grAAe", b"gr\xf6\xdfe")'
is "a name in another character set: the file is read" "$status $out" "1 read 2 objects in 2 files"

# ---- bombs, within 128 MiB of address space ----
bomb() { # bomb WHAT COMPLAINT: of $scratch/bomb
    out=$(ulimit -v 131072; timeout 60 "$score" "$scratch/bomb" 2>&1 >/dev/null) && status=0 || status=$?
    is "$1: refused" "$status" 2
    like "... and says why" "$out" "$2"
}
{ echo 'a0: &a0 [x,x,x,x,x,x,x,x,x,x]'; for i in {1..20}; do
    p=$((i - 1)); echo "a$i: &a$i [*a$p,*a$p,*a$p,*a$p,*a$p,*a$p,*a$p,*a$p,*a$p,*a$p]"; done; } >"$scratch/bomb"
bomb "aliases of aliases" 'anchors of the document stand for'
python3 -c 'import sys, zipfile
z = zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED)
with z.open("zeros.json", "w") as f:
    for _ in range(200): f.write(bytes(1 << 20))' "$scratch/bomb"
bomb "a zip of zeros" 'zeros.json: it is neither JSON nor YAML'
python3 -c 'import sys, zipfile
z = zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED)
with z.open("blanks.json", "w") as f:
    for _ in range(200): f.write(bytes(1 << 20).replace(b"\0", b" "))' "$scratch/bomb"
bomb "a zip of blanks" 'a value of more than 8 MiB'
head -c 200000000 /dev/zero | tr '\0' 'x' | gzip -1 >"$scratch/bomb"
bomb "200 MB that are one value" 'a value of more than 8 MiB'
files() { # files N TEXT: a tgz of N files with this text
    python3 -c 'import gzip, sys, tarfile
text = sys.argv[3].encode()
head = tarfile.TarInfo("a.yaml"); head.size = len(text)
block = head.tobuf() + text + bytes(-len(text) % 512)
with gzip.open(sys.argv[1], "wb", 1) as f:
    for _ in range(int(sys.argv[2])): f.write(block)
    f.write(bytes(1024))' "$scratch/bomb" "$1" "$2"
}
files 10000 'a: b'
bomb "ten thousand files of nothing" 'no Kubernetes object in it'
files 100001 ''
bomb "too many files" 'more than 100000 files'

# ---- who is linked with what reads all that ----
# linked LIBRARY: programs that need it. The agent reads YAML of whoever starts it, the kubeconfig, and no other.
linked() {
    local program
    for program in "$build"/cgi-bin/*.fcgi "$build"/bin/loadline-*; do
        ! readelf -d "$program" | grep -q "NEEDED.*lib$1" || basename "$program"
    done | xargs
}
is "only loadline-score knows archives" "$(linked archive)" loadline-score
is "YAML is known to nobody that the network reaches" "$(linked yaml)" "loadline-agent loadline-score"
done_testing
