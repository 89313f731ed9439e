#!/bin/bash
# The model holds nothing that nobody asks for: reading a field costs every push.
cd "$(dirname "$0")/../.." || exit 1
. tests/tap.sh
. tests/lint/unchanged.sh
reads lib cgi-bin bin

# Members of its structures, a line each: declarations without comments, split at ; { and }.
members=$(cat lib/kube/{model,pod,meta}.h | gcc -fpreprocessed -dD -E -P -x c - | grep -v '^#' | tr '\n' ' ' |
    sed 's/LIST([^)]*)/LIST/g' | tr ';{}' '\n' |
    sed -nE 's/^ *(const )?((struct|enum) [a-z_]+|LIST|bool|u?int[0-9]+_t|[a-z_]+_list)[ *]+([a-z_, *]+)$/\4/p' |
    tr ', *' '\n' | grep . | sort -u)
ok "members were found" [ "$(wc -l <<<"$members")" -gt 150 ]

# Read as x.member or x->member, or by a macro that walks a list; not where it is only filled.
readers=$(git ls-files 'lib/*.[ch]' 'bin/*.c' 'cgi-bin/*.c' | grep -vE 'lib/(reader/(schema_.*|collect)\.c|kube/(model|pod|meta)\.h)')
# shellcheck disable=SC2086 # a list
read=$(grep -ohE '(->|\.|\(|, )[a-z_]+\b' $readers | sed -E 's/^[^a-z_]*//' | sort -u)
empty "every member of the model is read by somebody" "$(comm -23 <(echo "$members") <(echo "$read"))"
done_testing
