#!/bin/bash
# tests/lint/unchanged.sh itself: what it lets pass unseen, in a small repository of its own.
cd "$(dirname "$0")/../.." || exit 1
. tests/tap.sh
. tests/lint/unchanged.sh
repository=$PWD
reads tests/lint/incremental.t # and what every lint reads

scratch=$(mktemp -d)
mkdir -p "$scratch/tests/lint"
cp tests/tap.sh "$scratch/tests"
cp tests/lint/unchanged.sh "$scratch/tests/lint"
cd "$scratch" || exit 1
git init -q .

# A lint of files: none may say "bad", neither itself nor the file that it names. It logs what it looks at.
cat >tests/lint/files.t <<'END'
#!/bin/bash
. tests/tap.sh
. tests/lint/unchanged.sh
no_bad() {
    local file other
    for file; do
        echo "$file" >>looked
        other=$(sed -n 's/^see //p' "$file")
        [ -z "$other" ] || { grep -l bad "$other"; printf '%s: %s \\\n %s\n' "$file" "$file" "$other" >&3; }
        grep -l bad "$file"
        [ ! -e slow ] || echo bad >>"$file"
    done
}
each "nothing is bad" bash no_bad *.txt
done_testing
END
# One of the whole.
cat >tests/lint/whole.t <<'END'
#!/bin/bash
. tests/tap.sh
. tests/lint/unchanged.sh
reads '*.txt'
echo whole >>looked
empty "nothing is bad" "$(grep -l bad *.txt)"
ok "there is something" [ -e a.txt ]
done_testing
END

# looks WHAT LINT RESULT FILES: runs the lint; what it says and what it has looked at.
looks() {
    : >looked
    bash "tests/lint/$2.t" >said 2>/dev/null
    is "$1" "$(sed -n 's/^\(\(not \)\{0,1\}ok\) [0-9]* - \(unchanged since it passed\)\{0,1\}.*/\1 \3/p' said | uniq | sed 's/ *$//') $(sort looked | tr '\n' ' ')" "$3 $4"
}
unchanged="ok unchanged since it passed"
echo good >a.txt
echo good >b.txt
printf 'see b.txt\n' >c.txt
git add .
looks "a clean checkout: everything" files ok "a.txt b.txt c.txt "
looks "then nothing" files "$unchanged" ""
like "which says what it is" "$(cat said)" '^ok 1 - unchanged since it passed: nothing is bad'
touch -d '+1 hour' a.txt
looks "a file that is newer and the same" files "$unchanged" ""
echo better >a.txt
looks "one that changed" files ok "a.txt "
echo bad >a.txt
looks "one that is wrong now" files "not ok" "a.txt "
looks "is wrong until it changes" files "not ok" "a.txt "
echo better >a.txt
looks "as it was when it passed last: seen to pass again" files ok "a.txt "
echo better >b.txt
looks "what another was read with" files ok "b.txt c.txt "
echo bad >b.txt
looks "which both find wrong" files "not ok" "b.txt c.txt "
rm b.txt
looks "and which both miss" files ok "c.txt "
git checkout -q b.txt
echo good >d.txt
looks "files that are new" files ok "b.txt c.txt d.txt "
sed -i 's/grep -l bad "$file"/grep -l -w bad "$file"/' tests/lint/files.t
looks "another rule: everything" files ok "a.txt b.txt c.txt d.txt "
CFLAGS=-Wall looks "other options: everything" files ok "a.txt b.txt c.txt d.txt "
looks "and back" files ok "a.txt b.txt c.txt d.txt "
rm -r build
looks "without stamps: everything" files ok "a.txt b.txt c.txt d.txt "
echo other >d.txt
: >slow
looks "a file that is edited while it is looked at" files ok "d.txt "
rm slow
looks "is looked at again" files "not ok" "d.txt "

echo good >d.txt
looks "a lint of the whole runs" whole ok "whole "
looks "and does not run again" whole "$unchanged" ""
is "but counts as many tests" "$(tail -1 said)" 1..2
echo new >e.txt
looks "a file that is new and untracked" whole ok "whole "
echo bad >e.txt
looks "one that is wrong" whole "$(printf 'not ok\nok')" "whole "
looks "stays wrong" whole "$(printf 'not ok\nok')" "whole "
rm e.txt
looks "and one that is gone: as when it passed before" whole ok "whole "
rm b.txt
looks "a tracked one that is gone" whole ok "whole "
echo '# a comment' >>tests/lint/whole.t
looks "the lint itself" whole ok "whole "
cd "$repository" || exit 1
rm -rf "$scratch"
done_testing
