#!/bin/bash
# The image of the agent, without a container engine: what etc/kubernetes/Dockerfile copies into an empty image runs there
# alone, as uid 65532, read-only and without a shell.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
. tests/e2e/agent.sh
command -v python3 >/dev/null || skip_all "there is no python3"
# An ordinary user is 65532 for as long as the test takes.
enter=(unshare --mount) as=(--userspec=65532:65532 --groups=65532)
[ "$(id -u)" = 0 ] || enter=(unshare --user --map-root-user --mount) as=()
"${enter[@]}" true 2>/dev/null || skip_all "nobody may make a root of their own here"
stack
account "Images"

# ---- what is in it
recipe=etc/kubernetes/Dockerfile
image=$scratch/image
is "the image is made of one copy, into nothing" "$(sed -n '/^FROM scratch/,$p' $recipe | grep -E '^(FROM|COPY|ADD|RUN|USER|ENTRYPOINT)' | paste -sd'|')" \
    'FROM scratch|COPY --from=build /image /|USER 65532:65532|ENTRYPOINT ["/usr/bin/loadline-agent"]'
command=$(sed -n 's|.*&& \(etc/kubernetes/image-root [^ ]*\) /image$|\1|p' $recipe)
is "... which a script lays out" "${command% *}" etc/kubernetes/image-root
# shellcheck disable=SC2086 # a command
is "it does" "$(${command/build\/release\/bin/"$build/bin"} "$image" 2>&1)" ""
like "... in a directory of its own" "$(etc/kubernetes/image-root "$agent_program" "$image" 2>&1)" '^image-root: .* is there already$'
is "... and says what it wants" "$(etc/kubernetes/image-root "$agent_program" 2>&1)" "image-root: give a program and a directory"
is "there is no shell, nor any other program" "$(find "$image" -type f -perm /111 ! -name '*.so*' -printf '/%P\n')" /usr/bin/loadline-agent
empty "nothing that gives rights, and nothing that others may write" "$(find "$image" \( -perm /6000 -o ! -type l -perm /022 \) -printf '/%P\n')"
empty "no keys, no links out of it" "$(find "$image" -name '*.key' -o -type l)"
below "MiB" "$(du -sm "$image" | cut -f1)" 40

# ---- in a pod: what the kubelet puts there
certificate one
cp "$scratch/one.pem" "$scratch/ca.pem"
echo secret-token >"$scratch/tokens"
api_server etc/sample/shop.json --tls "$scratch/one.pem" "$scratch/one.key" --tokens "$scratch/tokens"
kubelet=$image/var/run/secrets/kubernetes.io/serviceaccount
mkdir -p "$kubelet" "$image/etc/loadline"
cp "$scratch/tokens" "$kubelet/token"
cp "$scratch/one.pem" "$kubelet/ca.crt"
printf %s "$api_key" >"$image/etc/loadline/api-key"
echo "127.0.0.1 localhost loadline.test" >"$image/etc/hosts"
chmod 0440 "$image/etc/loadline/api-key"
[ "$(id -u)" != 0 ] || chgrp 65532 "$image/etc/loadline/api-key"
chmod a+rx "$scratch" "$image"
chroot=$(PATH=$PATH:/usr/sbin:/sbin command -v chroot)
# run [NAME=VALUE]... -- [OPTION]...: the program, as the Dockerfile starts it; sets status
run() {
    local variables=()
    while [ "$1" != -- ]; do variables+=("$1"); shift; done
    shift
    # shellcheck disable=SC2016 # for the inner shell
    "${enter[@]}" sh -c 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && chroot=$2 && shift && shift && exec env -i "$@"' \
        sh "$image" "$chroot" "${variables[@]}" "$chroot" "${as[@]}" "$image" /usr/bin/loadline-agent "$@" >"$scratch/out" 2>"$scratch/err"
    status=$?
}
pod=(KUBERNETES_SERVICE_HOST=127.0.0.1 KUBERNETES_SERVICE_PORT="$api_port" LOADLINE_CLUSTER=image LOADLINE_API_KEY_FILE=/etc/loadline/api-key)
run -- --version
is "it starts" "$status $(cut -d' ' -f1 "$scratch/out") $(cat "$scratch/err")" "0 loadline-agent "
run "${pod[@]}" LOADLINE_URL="${base_url/127.0.0.1/loadline.test}" -- --once
is "it pushes, by name" "$status $(grep -v 'level=info' "$scratch/err")" "0 "
isnt "... what there is" "$(collections image | wc -l)" 0
chmod 0400 "$image/etc/loadline/api-key"
[ "$(id -u)" = 0 ] || chmod 0 "$image/etc/loadline/api-key"
run "${pod[@]}" LOADLINE_URL="$base_url" -- --once
like "it is not root: a key of root's is none" "$status $(cat "$scratch/err")" '^1 .*the API key cannot be read'
chmod 0440 "$image/etc/loadline/api-key"

# ---- its certificates are where it looks for them
port=$(free_port)
python3 - "$port" "$scratch/one.pem" "$scratch/one.key" 2>/dev/null <<'END' &
import http.server, ssl, sys
class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        answer = b'{"csc_score":90}'
        self.send_response(200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)
server = http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(*sys.argv[2:])
server.socket = context.wrap_socket(server.socket, server_side=True)
server.serve_forever()
END
receiver_pid=$!
within "$(patient 10)" curl -sko /dev/null "https://127.0.0.1:$port/" || diag "the receiver does not start"
run "${pod[@]}" LOADLINE_URL="https://127.0.0.1:$port" -- --once
like "an authority that nobody knows is refused" "$status $(cat "$scratch/err")" '^1 .*a push was not taken .*SSL certificate problem: self.signed'
cat "$scratch/one.pem" >>"$image/etc/ssl/certs/ca-certificates.crt"
run "${pod[@]}" LOADLINE_URL="https://127.0.0.1:$port" -- --once
is "one of the image's certificates is trusted" "$status" 0
done_testing
