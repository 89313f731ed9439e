#include "complaint.h"

#include <stdio.h>

#include "report/report.h"

void complain_at(struct arena *arena, struct place place, struct str text)
{
    fprintf(stderr, "loadline-score: %" STR_FMT, STR_ARG(report_plain(arena, place.file)));
    if (place.line)
        fprintf(stderr, ":%llu", (unsigned long long)place.line);
    if (place.line && place.column)
        fprintf(stderr, ":%llu", (unsigned long long)place.column);
    fprintf(stderr, ": %" STR_FMT "\n", STR_ARG(report_plain(arena, text)));
}
