#!/bin/bash
# The dashboard's JavaScript, with the types of its comments; and its HTML.
cd "$(dirname "$0")/../.." || exit 1
. tests/tap.sh
. tests/lint/unchanged.sh
read_tools=(tsc eslint)
# Debian's packages for node lie here, which a node that is not Debian's does not know.
export NODE_PATH=/usr/share/nodejs
reads htdocs tests/lint/dashboard

mapfile -t scripts < <(git ls-files --cached --others --exclude-standard 'htdocs/*.js')
mapfile -t pages < <(git ls-files --cached --others --exclude-standard 'htdocs/*.html')
ok "scripts and pages were found" [ $((${#scripts[@]} > 1 && ${#pages[@]} > 0)) -eq 1 ]
empty "every type is right" "$(tsc --pretty false -p tests/lint/dashboard 2>&1)"
empty "eslint is content" "$(eslint --no-eslintrc --no-inline-config -c tests/lint/dashboard/eslintrc.json --format unix "${scripts[@]}" 2>&1)"
empty "no check of the types is turned off" "$(grep -nE '@ts-(ignore|nocheck|expect-error)|eslint-(disable|enable|env)|\{(any|\*|Function|Object)\}' "${scripts[@]}" /dev/null)"
empty "every file says first what it is for" "$(for file in "${scripts[@]}"; do
    head -n 1 "$file" | grep -q '^/\*\*\|^// ' || echo "$file"
done)"

# What the content security policy would refuse.
empty "pages have no script, style or handler in themselves" "$(grep -noiE '<script[^>]*>[^<]|<script[^>]*>$|<style\b|<[^>]*\s(on[a-z]+|style)\s*=|javascript:' "${pages[@]}" /dev/null | grep -viE '<script[^>]*\bsrc=')"
empty "and load nothing from elsewhere" "$(grep -noE '\b(src|href|action)="(https?:)?//[^"]*' "${pages[@]}" /dev/null)"
empty "nor do scripts and styles" "$(grep -rnE "(import|from|url\(|fetch\()[ (]*[\"']?(https?:)?//" htdocs --include='*.js' --include='*.css')"
done_testing
