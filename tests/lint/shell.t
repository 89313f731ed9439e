#!/bin/bash
# Every shell script, whatever its name.
cd "$(dirname "$0")/../.." || exit 1
. tests/tap.sh
. tests/lint/unchanged.sh

mapfile -t scripts < <({ git grep -lE '^#!/bin/(ba)?sh' && git ls-files '*.sh'; } | sort -u)
ok "scripts were found" [ ${#scripts[@]} -gt 1 ]

# A script is read with what it sources. Of that it sees the outline, in a copy of the tree: shellcheck would follow each call
# into what is called, for every script anew, and take twice to three times as long. Each library is looked at whole, too.
complaints() {
    local tree sourced file whole=()
    tree=$(mktemp -d)
    mapfile -t sourced < <(git ls-files '*.sh')
    cp --parents .shellcheckrc "$@" "$tree"
    for file in "${sourced[@]}"; do
        mkdir -p "$tree/${file%/*}"
        [ ! -e "$tree/$file" ] || { mv "$tree/$file" "$tree/$file.whole"; whole+=("$file.whole"); }
    done
    awk -f tests/lint/outline.awk -v into="$tree" "${sourced[@]}" again=1 "${sourced[@]}"
    for file; do [ -e "$tree/$file.whole" ] || whole+=("$file"); done
    (cd "$tree" && shellcheck -x -S style "${whole[@]}" 2>&1) | sed 's/\.whole / /'
    printf "%s: .shellcheckrc tests/lint/outline.awk ${sourced[*]}\n" "$@" >&3
    rm -r "$tree"
}
each "shellcheck is content" shellcheck complaints "${scripts[@]}"

# missed: what is found in a script full of mistakes beside the libraries themselves, and not beside their outlines, or the
# other way round.
missed() {
    local tree sourced file found=()
    tree=$(mktemp -d)
    mapfile -t sourced < <(git ls-files '*.sh')
    mkdir "$tree/whole" "$tree/outlines"
    cp --parents .shellcheckrc "${sourced[@]}" "$tree/whole"
    cp --parents .shellcheckrc "$tree/outlines"
    for file in "${sourced[@]}"; do mkdir -p "$tree/outlines/${file%/*}"; done
    awk -f "$1" -v into="$tree/outlines" "${sourced[@]}" again=1 "${sourced[@]}"
    for file in whole outlines; do
        cat >"$tree/$file/tests/e2e/mistakes.t" <<-'END'
			#!/bin/bash
			. "$(dirname "$0")/lib.sh"
			. tests/e2e/outbox.sh
			own_stack
			unused=1
			echo $status $base_url $body $unset
			[ $server = cgi ] || other=1
			receivers=1
			echo "$own_dirs"
			own_dirs=a
			is "a" $(header b)
			never() { echo "$1"; }
			never
			(token=x)
			get "$token"
		END
        found+=("$(cd "$tree/$file" && shellcheck -x -S style -f gcc tests/e2e/mistakes.t | sort)")
    done
    [ "$(wc -l <<<"${found[0]}")" -gt 10 ] || echo "nothing is found in a script full of mistakes: ${found[0]}"
    diff <(echo "${found[0]}") <(echo "${found[1]}")
    printf "%s: .shellcheckrc ${sourced[*]}\n" "$1" >&3
    rm -r "$tree"
}
each "beside outlines as much is found as beside the libraries" shellcheck missed tests/lint/outline.awk
empty "every script can be executed" "$(find "${scripts[@]}" ! -name '*.sh' ! -perm -u+x)"
done_testing
