#!/bin/bash
# The version stands in lib/base/version.h; whatever else names it agrees.
cd "$(dirname "$0")/../.." || exit 1
. tests/tap.sh
. tests/lint/unchanged.sh
reads '*.md' etc scripts '*.c' '*.h' '*.def'

number='[0-9]+\.[0-9]+\.[0-9]+'
version=$(sed -n 's/^#define LOADLINE_VERSION "\(.*\)"$/\1/p' lib/base/version.h)
ok "lib/base/version.h has one" grep -qxE "$number" <<<"$version"

headings=$(sed -n 's/^## //p' CHANGELOG.md)
is "CHANGELOG.md begins with what is not released" "$(head -1 <<<"$headings")" Unreleased
released=$(tail -n +2 <<<"$headings")
empty "then comes a version and its day, each" "$(grep -vxE "$number - 20[0-9]{2}-[0-9]{2}-[0-9]{2}" <<<"$released")"
is "the newest of them is this version" "$(head -1 <<<"$released" | cut -d' ' -f1)" "$version"
is "they are in order" "$(cut -d' ' -f1 <<<"$released")" "$(cut -d' ' -f1 <<<"$released" | sort -rV)"
is "and so are their days" "$(cut -d' ' -f3 <<<"$released")" "$(cut -d' ' -f3 <<<"$released" | sort -r)"

# Scripts that are copied alone have a line of their own.
for script in scripts/gate scripts/push-snapshot; do
    is "$script" "$(sed -n 's/^version=\([^ ]*\).*/\1/p' "$script")" "$version"
done

# named FILE...: versions that follow the name of Loadline or of a program of it, with their places.
named() {
    grep -noiE "(loadline[a-z-]*|\.fcgi)[\"']?[ /:]+v?$number|\"version\": *\"$number" "$@"
}
documents=$(git ls-files '*.md' etc scripts | grep -vx CHANGELOG.md)
# shellcheck disable=SC2086 # a list
empty "no document names another" "$(named $documents | grep -vF "$version" | grep -vF '"version": "2.1.0"')"
empty "no source repeats it" "$(git grep -nF "\"$version\"" -- '*.c' '*.h' '*.def' ':!lib/base/version.h')"
done_testing
