#include "reader/time_memo.h"

int64_t time_memo_parse(struct time_memo *last, struct str text)
{
    if (text.n == 0 || text.n > sizeof last->text)
        return clock_parse(text);
    if (text.n != last->n || memcmp(text.p, last->text, text.n) != 0) {
        memcpy(last->text, text.p, text.n);
        last->n = text.n;
        last->time = clock_parse(text);
    }
    return last->time;
}
