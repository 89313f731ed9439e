# outline.awk: what a shell library is to a script that sources it. Its functions, in place of what they do, say whether they
# take arguments; which variables they set and read, and to which functions they give arguments, stands at the end. What is
# outside of functions, or is a function of one line, stays as it is.
#
#   awk -f tests/lint/outline.awk -v into=DIR LIBRARY... again=1 LIBRARY...     the outline of each is DIR/LIBRARY

# names TEXT, INTO, MOST: takes so many names from its beginning, up to the first word that is none.
function names(text, into, most,    word, count, i) {
    count = split(text, word, /[ ;)]+/)
    for (i = 1; i <= count && most > 0; i++) {
        if (word[i] ~ /^-/ || word[i] == "") continue
        if (word[i] !~ /^[A-Za-z_][A-Za-z0-9_]*(=.*)?$/) break
        sub(/=.*/, "", word[i])
        into[word[i]]
        most--
    }
}

# follows REGEX: what stands behind it in the line, or nothing.
function follows(regex) {
    return match($0, "(^|[ ;{(])" regex " ") ? substr($0, RSTART + RLENGTH) : ""
}

function bare(text) {
    gsub(/[^A-Za-z0-9_]/, "", text)
    return text
}

# One that is read with something in its place where it is not set may be unset.
function note_reads(    rest, name) {
    for (rest = $0; match(rest, /[$][{]?[#!]?[A-Za-z_][A-Za-z0-9_]*/); rest = substr(rest, RSTART + RLENGTH)) {
        name = bare(substr(rest, RSTART, RLENGTH))
        used[name]
        if (substr(rest, RSTART + 1, 1) == "{" && substr(rest, RSTART + RLENGTH) ~ /^:?[-+=?]/) may_be_unset[name]
    }
    rest = $0
    gsub(/'[^']*'/, "", rest)
    if (rest ~ /[$][{]?#?[0-9@*#]/) arguments = 1
}

# Neither within quotes nor behind an option.
function note_assignments(    rest, found) {
    rest = $0
    gsub(/'[^']*'|"[^"]*"/, "", rest)
    gsub(/ --?[A-Za-z-]+ [A-Za-z_]+=/, " ", rest)
    for (; match(rest, /(^|[ ;({&|])[A-Za-z_][A-Za-z0-9_]*[+]?=[(]?/); rest = substr(rest, RSTART + RLENGTH)) {
        found = substr(rest, RSTART, RLENGTH)
        if (found ~ /[(]$/) lists[bare(found)]
        else set[bare(found)]
    }
}

function note_calls(    rest, name) {
    for (rest = $0; match(rest, /(^|[ ;(!"])[A-Za-z_][A-Za-z0-9_]* +[^ ;|&)=]/); rest = substr(rest, RSTART + RLENGTH - 1)) {
        name = bare(substr(rest, RSTART, RLENGTH - 1))
        if (name in functions) given[name]
    }
}

# Of the function that ends here: what is its own is nobody else's.
function end_function(    name) {
    print head (arguments ? " : \"$@\"; }" : " :; }") >out
    for (name in used) if (!(name in own)) all_used[name]
    for (name in lists) if (!(name in own)) all_lists[name]
    for (name in set) if (!(name in own)) all_set[name]
    head = ""
}

function end_library(    name, reads) {
    for (name in all_lists) print name "=(\"$(:)\")" >out
    for (name in all_set) if (!(name in all_lists)) print name "=$(:)" >out
    for (name in all_used) reads = reads " \"${" name (name in may_be_unset ? "-" : "") "}\""
    print ":" reads >out
    print "gives_arguments() {\n    :" >out
    for (name in given) print "    " name " given" >out
    print "}" >out
    close(out)
    split("", all_used); split("", all_set); split("", all_lists); split("", given); split("", may_be_unset)
}

!again {
    if (match($0, /^[A-Za-z_][A-Za-z0-9_]*\(\)/)) functions[bare(substr($0, 1, RLENGTH))]
    next
}
FNR == 1 {
    if (out != "") end_library()
    out = into "/" FILENAME
}
/^[A-Za-z_][A-Za-z0-9_]*\(\) \{$/ {
    head = $0
    arguments = 0
    split("", own); split("", set); split("", lists); split("", used)
    next
}
head == "" {
    if ($0 !~ /^ *#/ || /^# shellcheck/) print >out
    next
}
/^\}/ { end_function(); next }
{
    names(follows("local"), own, 99)
    names(follows("read"), set, 99)
    names(follows("for"), set, 1)
    names(follows("printf -v"), set, 1)
    names(follows("(mapfile|readarray)"), lists, 1)
    note_reads()
    note_assignments()
    note_calls()
}
END { end_library() }
