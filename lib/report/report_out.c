#include "report/report_out.h"

bool report_spill(struct buf *out, struct sink sink, size_t at_least)
{
    if (out->n < at_least)
        return true;
    if (out->full)
        return false;
    bool taken = sink.put(sink.context, buf_str(out));
    out->n = 0;
    return taken;
}

void report_frameworks(struct jw *w, const char *frameworks)
{
    struct str rest = str_of(frameworks), one;
    jw_key(w, STR("frameworks"));
    jw_array(w);
    while (str_next_word(&rest, &one))
        jw_str(w, one);
    jw_array_end(w);
}
