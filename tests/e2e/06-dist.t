#!/bin/bash
# make dist: the source of a commit with its checksum, and the same bytes each time.
# shellcheck disable=SC2154 # lib.sh sets them
. "$(dirname "$0")/lib.sh"
[ -e .git ] || skip_all "this is no checkout of git"
git clone -q . "$scratch/one"
git -C "$scratch/one" config user.email test@example.com
git -C "$scratch/one" config user.name Test
cp scripts/dist "$scratch/one/scripts/dist"
git -C "$scratch/one" add -A
git -C "$scratch/one" diff --cached --quiet || git -C "$scratch/one" commit -q -m 'as it is here'
git clone -q "$scratch/one" "$scratch/two"
find "$scratch/two" -name '*.md' -exec touch -d 2001-01-01 {} +
chmod -R g+w "$scratch/two"

said=$("$scratch/one/scripts/dist" --source 2>&1)
is "it is made" "$?" 0
name=$(basename "$(grep 'tar.gz$' <<<"$said")")
like "it has the version's name" "$name" "^loadline-$(sed -n 's/^#define LOADLINE_VERSION "\(.*\)"$/\1/p' lib/base/version.h)([+].*)?\.tar\.gz$"
ok "SHA256SUMS is of it" bash -c "cd '$scratch/one/build/dist' && sha256sum --quiet --check SHA256SUMS && grep -q '$name' SHA256SUMS"
listing=$(tar -tzf "$scratch/one/build/dist/$name")
is "it has the files of the commit, below one directory" "$(grep -v '/$' <<<"$listing" | sed 's|^[^/]*/||' | sort)" "$(git -C "$scratch/one" ls-files | sort)"
"$scratch/two/scripts/dist" --source >/dev/null 2>&1
is "another checkout gives the same bytes" "$(cat "$scratch/two/build/dist/SHA256SUMS")" "$(cat "$scratch/one/build/dist/SHA256SUMS")"
echo more >>"$scratch/two/README.md"
said=$("$scratch/two/scripts/dist" --source 2>&1)
like "a change that is in no commit is refused" "$? $said" '^1 .*in no commit'
done_testing
