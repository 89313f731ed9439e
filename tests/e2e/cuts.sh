# shellcheck shell=bash disable=SC2034,SC2154 # lib.sh sets some, the tests read others
# cuts.sh: connections of programs to their database that are cut at a command (cutter.py). Sourced after lib.sh, once a
# stack of our own is there, whose programs go that way from then on.
#
#   sever WHEN WHAT   see cutter.py; WHAT: commit, or a number
#   sever_often PERCENT
#   sever_no_more     nothing is cut any more. Sets `cuts` and `seen`: since the line before

cutter_socket=$scratch/cutter.sock
# It ends with its standard input.
coproc cutter { exec python3 -B tests/e2e/cutter.py "$cutter_socket" "$(readlink -f "$stack_dir/sock/mariadb.sock")" 2>"$scratch/cutter.err"; }
exec {cutter_in}>&"${cutter[1]}" {cutter_out}<&"${cutter[0]}"
read -r -t "$(patient 20)" cuts seen <&"$cutter_out" || fail "the cutter starts: $(cat "$scratch/cutter.err")"
sed -i "s|^socket *=.*|socket=$cutter_socket|" "$stack_dir/db.cnf" "$stack_dir/maintain.cnf"
mariadb --no-defaults --socket="$stack_dir/sock/mariadb.sock" -e 'KILL USER loadline@localhost'

tell_cutter() {
    echo "$*" >&"$cutter_in"
    read -r -t 20 cuts seen <&"$cutter_out" || fail "the cutter answers: $(cat "$scratch/cutter.err")"
}
sever() { tell_cutter cut "$@"; }
sever_often() { tell_cutter often "$@"; }
sever_no_more() { tell_cutter pass; }
