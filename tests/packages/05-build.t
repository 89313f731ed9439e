#!/bin/bash
# The packages: their files, and two builds with the same bytes (PACKAGES_TWICE=1, since it takes minutes).
. "$(dirname "$0")/lib.sh"
is "the packages" "$(cd build/deb && printf '%s\n' *.deb | grep -v dbgsym | sed 's/_.*//' | sort | xargs)" "loadline loadline-agent loadline-apache loadline-lighttpd loadline-tools"
files() {
    dpkg-deb -c build/deb/"$1"_*.deb | awk '{ print $6 }' | sed 's|^\./|/|'
}
for package in loadline loadline-tools loadline-agent; do
    is "$package: each command has a manual page and completion" \
        "$(files $package | sed -n 's|^/usr/share/man/man1/\(.*\)\.1\.gz$|\1|p' | sort | xargs) $(files $package | sed -n 's|^/usr/share/bash-completion/completions/||p' | grep . | sort | xargs)" \
        "$(files $package | sed -n 's|^/usr/bin/||p' | grep . | sort | xargs) $(files $package | sed -n 's|^/usr/bin/||p' | grep . | sort | xargs)"
done
is "each document is a manual page" "$(files loadline | sed -n 's|^/usr/share/man/man7/loadline-\(.*\)\.7\.gz$|\1|p' | sort | xargs)" "$(basename -s .md docs/*.md | sort | xargs)"
is "no secret is in a package" "$(files loadline | grep -E '^/etc/loadline|\.keys$|tls\.pem')" ""
is "none has a file of another" "$(for package in loadline loadline-agent loadline-apache loadline-lighttpd loadline-tools; do files $package | grep -v '/$'; done | sort | uniq -d)" ""
empty "manual pages are as man wants them" "$(mkdir "$work/x" && for deb in build/deb/loadline_*.deb build/deb/loadline-tools_*.deb; do dpkg-deb -x "$deb" "$work/x"; done
    for page in "$work"/x/usr/share/man/man[17]/*; do man --warnings -E UTF-8 -l "$page" 2>&1 >/dev/null | grep -v "can't break line\|cannot adjust\|cannot break"; done)"
if [ -n "${PACKAGES_TWICE-}" ]; then
    git clone -q . "$work/again"
    (cd "$work/again" && scripts/deb) >"$work/said" 2>&1 || diag "$(cat "$work/said")"
    is "two builds have the same bytes" "$(cd "$work/again/build/deb" && sha256sum ./*.deb)" "$(cd build/deb && sha256sum ./*.deb)"
else
    skip "two builds have the same bytes" "PACKAGES_TWICE=1 builds twice"
fi
done_testing
