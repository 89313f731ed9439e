#include "findings.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "codec/jw.h"

static const char *const states[] = {"ok", "none", "warn", "wrong"};

void findings_add(struct findings *findings, enum finding_state state, const char *what,
                  const char *format, ...)
{
    va_list args;
    if (findings->n == FINDINGS_MAX)
        return;
    struct finding *finding = &findings->items[findings->n++];
    finding->what = what;
    finding->state = state;
    va_start(args, format);
    vsnprintf(finding->text, FINDING_TEXT, format, args);
    va_end(args);
}

bool findings_complain(const struct findings *findings, const char *what)
{
    for (size_t i = 0; i < findings->n; i++)
        if (findings->items[i].state >= FINDING_WARN && strcmp(findings->items[i].what, what) == 0)
            return true;
    return false;
}

bool findings_are_wrong(const struct findings *findings)
{
    for (size_t i = 0; i < findings->n; i++)
        if (findings->items[i].state == FINDING_WRONG)
            return true;
    return false;
}

static void print_json(const struct findings *findings, struct arena *arena)
{
    struct buf out = buf_init(arena, FINDINGS_MAX * FINDING_TEXT * 8);
    struct jw jw;
    jw_init(&jw, &out);
    jw_array(&jw);
    for (size_t i = 0; i < findings->n; i++) {
        const struct finding *finding = &findings->items[i];
        jw_object(&jw);
        JW_STR(&jw, "check", str_of(finding->what));
        JW_STR(&jw, "state", str_of(states[finding->state]));
        JW_STR(&jw, "message", str_of(finding->text));
        jw_object_end(&jw);
    }
    jw_array_end(&jw);
    struct str text = buf_str(&out);
    printf("%" STR_FMT "\n", STR_ARG(text));
}

void findings_print(const struct findings *findings, bool as_json)
{
    struct arena *arena = as_json ? arena_new(1 << 20) : NULL;
    if (arena)
        print_json(findings, arena);
    for (size_t i = 0; !as_json && i < findings->n; i++)
        printf("%-6s %-14s %s\n", states[findings->items[i].state], findings->items[i].what,
               findings->items[i].text);
    arena_free(arena);
}
