# shellcheck shell=bash disable=SC2034,SC2119,SC2120,SC2154 # variables are for the tests, and of lib.sh
# issuer.sh: a stack whose people sign in by an issuer (issuer.py), and a browser that does. Sourced after cluster.sh; what
# $issuer_options has, up is given too.
issuer_dir=$scratch/issuer issuer_port=$(free_port) issuer_pid=
mkdir "$issuer_dir"
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1 \
    -keyout "$issuer_dir/key.pem" -out "$issuer_dir/cert.pem" 2>/dev/null
trap 'kill "$issuer_pid" 2>/dev/null; clean_up' EXIT
python3 -B tests/e2e/issuer.py "$issuer_dir" "$issuer_port" 2>"$scratch/issuer.err" &
issuer_pid=$!
echo 's3cret/with+signs' >"$issuer_dir/secret"
issuer=https://127.0.0.1:$issuer_port
own_stack --set signup_limit=0/600 --set oidc_issuer="$issuer" --set oidc_client=loadline --set oidc_secret="$issuer_dir/secret" \
    --set oidc_ca="$issuer_dir/cert.pem" --set public_url=https://loadline.example "${issuer_options[@]}"
ok "the issuer is there" within "$(patient 20)" curl -sS -m 5 --cacert "$issuer_dir/cert.pem" "$issuer/keys"

# base64url of standard input
text() {
    base64 -w0 | tr '+/' '-_' | tr -d '='
}
# begin: sets url, state and verifier, as a browser keeps them
begin() {
    verifier=$(head -c 32 /dev/urandom | text)
    post /api/auth/oidc "{\"challenge\":\"$(printf %s "$verifier" | openssl dgst -sha256 -binary | text)\"}"
    url=$(json .url) state=$(json .state)
}
# consent: what the issuer sends the browser back with; sets back and code
consent() {
    back=$(curl -sS -m 10 --cacert "$issuer_dir/cert.pem" -o /dev/null -w '%{redirect_url}' "$url")
    code=$(sed -n 's/.*[?&]code=\([^&]*\).*/\1/p' <<<"$back")
}
finish() {
    post /api/auth/oidc/finish "$(jq -nc '$ARGS.named' --arg state "$state" --arg code "$code" --arg verifier "$verifier" ${1:+--arg iss "$1"})"
}
# say JSON: what the issuer says from now on
say() {
    echo "$1" >"$issuer_dir/say.new"
    mv "$issuer_dir/say.new" "$issuer_dir/say.json"
}
sign_in() {
    say "${1-{\}}"
    begin
    consent
    finish
}
# set_conf KEY VALUE: of the stack; its auth workers start anew
set_conf() {
    local pid
    sed -i "/^$1 = /d" "$stack_dir/loadline.conf"
    echo "$1 = $2" >>"$stack_dir/loadline.conf"
    for pid in $(pids_of auth.fcgi); do kill "$pid"; done
    within 10 works
}
works() {
    request GET /api/auth/oidc
    [ "$status" = 200 ]
}
