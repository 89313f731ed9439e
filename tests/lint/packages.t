#!/bin/bash
# debian/ and the units say what the rest of the tree says. What packages do on a host: make check-packages.
cd "$(dirname "$0")/../.." || exit 1
. tests/tap.sh
. tests/lint/unchanged.sh
reads debian "etc/*.service" "etc/*.timer" "etc/*.target" "etc/*.logrotate" scripts/packages scripts/install bin

commands=$({
    for file in bin/*.c; do basename "$file" .c; done
    sed -n 's/^for script in \([a-z -]*\); do$/\1/p' scripts/install | tr ' ' '\n'
} | sed 's/^/loadline-/' | sort)
is "each command has a line for its manual page" "$(cut -d' ' -f1 debian/commands | sort)" "$commands"
is "and is in one package, with page and completion" \
    "$(sed -n 's|^usr/bin/||p' debian/*.install | sort) $(sed -n 's|^usr/share/man/man1/\(.*\)\.1$|\1|p' debian/*.install | sort) $(sed -n 's|^usr/share/bash-completion/completions/||p' debian/*.install | sort)" \
    "$commands $commands $commands"
# A link would lead into another package.
is "each command has a completion of its own" "$(grep -c 'ln .*completions' scripts/install)" 0
is "each unit is in one package" "$(sed -n 's|^lib/systemd/system/||p' debian/*.install | grep -v '\.d$' | sort)" \
    "$(cd etc && printf '%s\n' *.service *.timer *.target | sort)"

# Compiler and libc are there wherever packages are built.
wanted=$(awk '/^# [a-z]+$/ { group = $2 } group == "build" && !/^#/ && NF { print $1 }' scripts/packages | grep -vx 'gcc\|make\|libc6-dev' | sort)
is "what the build needs is what scripts/packages says" \
    "$(sed -n '/^Build-Depends:/,/^[A-S]/s/^ *\([a-z0-9.+-]*-dev\)\b.*/\1/p' debian/control | sort)" "$wanted"

for unit in etc/*.service; do
    like "${unit##*/}: the journal names the program" "$(sed -n 's/^SyslogIdentifier=//p' "$unit")" '^loadline-'
    ok "${unit##*/}: it has a place for logs" grep -q '^LogsDirectory=loadline' "$unit"
    ok "${unit##*/}: it waits for its configuration" grep -q '^ConditionPathExists=/etc/loadline/' "$unit"
done
is "a log that is rotated keeps its mode" "$(sed -n 's/^ *create //p' etc/*.logrotate)" "$(printf '0640 loadline-web loadline-web\n0640 loadline loadline')"
done_testing
