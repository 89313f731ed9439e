#!/bin/bash
# make sbom: every program, each library that one loads and each package of scripts/packages, as dpkg has them; in the
# form that CycloneDX 1.5 wants.
. "$(dirname "$0")/lib.sh"
bom=$scratch/bom.json
scripts/sbom "$build" >"$bom" 2>"$scratch/err"
is "it is made" "$? $(cat "$scratch/err")" "0 "
scripts/sbom "$build" >"$scratch/again"
ok "the same build gives the same bytes" cmp -s "$bom" "$scratch/again"
ask_bom() {
    jq -r "$@" "$bom"
}

# ---- what the schema wants: its required members, its sets of words, its patterns
is "the format" "$(ask_bom '[.bomFormat, .specVersion, .version, (.version | type)] | join(" ")')" "CycloneDX 1.5 1 number"
all='[.metadata.component, .components[], (.components[].components // [] | .[])]'
empty "each component has a type and a name" \
    "$(ask_bom "${all}[] | select((.type | IN(\"application\", \"library\", \"file\") | not) or (.name | type != \"string\" or . == \"\")) | tojson")"
empty "each hash is one" "$(ask_bom "${all}[].hashes // [] | .[] | select(.alg != \"SHA-256\" or (.content | test(\"^[a-f0-9]{64}\$\") | not)) | tojson")"
empty "each scope" "$(ask_bom '.components[].scope | select(IN("required", "optional", "excluded") | not)')"
empty "each licence has an id or a name" \
    "$(ask_bom '.components[].licenses // [] | .[] | select((keys != ["license"]) or ((.license | keys) != ["name"]) or .license.name == "") | tojson')"
empty "each property has two texts" "$(ask_bom '.components[].properties[] | select([.name, .value] | map(type) != ["string", "string"]) | tojson')"
is "each reference is one's own" "$(ask_bom '[.metadata.component, .components[]] | map(."bom-ref") | [length == (unique | length), all(. != null)] | join(" ")')" "true true"
empty "dependencies lead to what is there" \
    "$(ask_bom '([.metadata.component, .components[]] | map(."bom-ref")) as $refs | .dependencies[] | .ref, .dependsOn[] | select(IN($refs[]) | not)')"
empty "nothing else is at the top" "$(ask_bom 'keys - ["$schema", "bomFormat", "specVersion", "version", "metadata", "components", "dependencies"] | .[]')"

# ---- what it says
is "each program with its hash" "$(ask_bom '.components[] | select(.properties[0].value == "shipped") | .hashes[0].content' | sort)" \
    "$(find "$build/cgi-bin" "$build/bin" -type f -executable -exec sha256sum {} + | cut -d' ' -f1 | sort)"
loaded=$(find "$build/cgi-bin" "$build/bin" -type f -executable -exec ldd {} + | sed -n 's/.* => \(\/[^ ]*\) .*/\1/p' | sort -u | xargs readlink -f | sort -u)
is "each library that one loads" "$(ask_bom '.components[] | select(.properties[0].value == "linked") | .components[].name' | sort)" "$loaded"
is "with its hash" "$(ask_bom '.components[].components // [] | .[] | .hashes[0].content' | sort)" \
    "$(xargs sha256sum <<<"$loaded" | cut -d' ' -f1 | sort)"
architecture=$(dpkg --print-architecture)
wanted() { # SECTION: of scripts/packages
    sed -n "/^# $1/,/^\$/p" scripts/packages | grep -v '^ *\(#\|$\)' | sed "/\[/{/[[ ]${architecture}[] ]/!d}" | cut -d' ' -f1 | sort
}
for use in run build; do
    is "each package to $use it" "$(ask_bom --arg use $use '.components[] | select(.properties[0].value == $use) | .name' | sort)" "$(wanted $use)"
done
is "what is wanted to build it is not on a host" "$(ask_bom '[.components[] | select(.properties[0].value == "build") | .scope] | unique | join(" ")')" excluded
is "versions are dpkg's" "$(ask_bom '.components[] | select(.purl) | .name + " " + .version' | sort -u)" \
    "$(ask_bom '.components[] | select(.purl) | .name' | xargs dpkg-query -W -f '${Package} ${Version}\n' | sort -u)"
like "a package URL" "$(ask_bom '.components[] | select(.name == "mariadb-server") | .purl')" '^pkg:deb/debian/mariadb-server@1%3A10[^:]*\?arch=[a-z0-9]*&distro=debian-'
empty "each is one" "$(ask_bom '.components[].purl // empty | select(test("^pkg:deb/debian/[a-z0-9.%B-]+@[A-Za-z0-9.%~_-]+\\?arch=[a-z0-9]+&distro=[a-z0-9.-]+$") | not)')"
is "a licence in Debian's words" "$(ask_bom '.components[] | select(.name == "libjson-c5") | .licenses[0].license.name')" Expat
is "a program names what it is linked with" \
    "$(ask_bom '.dependencies[] | select(.ref == "loadline/ingest.fcgi") | .dependsOn[] | select(contains("libfcgi") or contains("libarchive"))' | sed 's/@.*//')" \
    pkg:deb/debian/libfcgi0ldbl
scripts/sbom "$scratch" >/dev/null 2>"$scratch/err"
is "without a build" "$? $(cat "$scratch/err")" "1 sbom: there are no programs below $scratch; run make first"
done_testing
