#include "web/risks_answer.h"

#include "store/gate_summary.h"

struct lines {
    uint32_t n, before_exempt; /* all; and those before the first risk that is exempt */
};

static struct lines count(struct str lines)
{
    struct lines counted = {0};
    struct str line;
    bool exempt = false;
    for (; lines.n; counted.n++) {
        str_cut(lines, '\n', &line, &lines);
        exempt = exempt || str_has(line, STR("\"exempt\":"));
        counted.before_exempt += !exempt;
    }
    return counted;
}

static uint32_t count_objects(struct str array)
{
    uint32_t n = 0, depth = 0;
    bool in_string = false;
    for (size_t i = 0; i < array.n; i++) {
        char c = array.p[i];
        if (c == '"')
            in_string = !in_string;
        else if (in_string)
            i += c == '\\'; /* passes over what is escaped */
        else if (c == '{')
            n += depth++ == 0;
        else if (c == '}')
            depth--;
    }
    return n;
}

void risks_answer_write(struct jw *w, struct str findings, struct str lines)
{
    uint32_t found = count_objects(findings);
    struct lines counted = found ? count(lines) : (struct lines){0};
    uint32_t over =
        counted.n + found > GATE_SUMMARY_RISKS_MAX ? counted.n + found - GATE_SUMMARY_RISKS_MAX : 0;
    uint32_t from = counted.before_exempt > over ? counted.before_exempt - over : 0;
    struct str line,
        inner = findings.n > 2 ? str_sub(findings, 1, findings.n - 2) : (struct str){0};
    jw_key(w, STR("risks"));
    jw_array(w);
    if (inner.n)
        jw_raw(w, inner);
    for (uint32_t i = 0; lines.n; i++) {
        str_cut(lines, '\n', &line, &lines);
        if (i < from || i >= from + over)
            jw_raw(w, line);
    }
    jw_array_end(w);
}
