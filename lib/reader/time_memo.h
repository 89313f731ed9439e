/* time_memo: the times of an object are often one and the same, and parsed once then. */
#ifndef LOADLINE_READER_TIME_MEMO_H
#define LOADLINE_READER_TIME_MEMO_H

#include "base/clock.h"

/* A text, and the time that it says. Zeroed at first. */
struct time_memo {
    char text[CLOCK_TEXT_SIZE];
    size_t n;
    int64_t time;
};

/* The same as clock_parse(). */
int64_t time_memo_parse(struct time_memo *last, struct str text);

#endif
