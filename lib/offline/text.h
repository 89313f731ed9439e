/* text: a file of JSON or YAML without what is neither: a byte order mark, the logs that
 * `kubectl cluster-info dump` prints between its objects, and lines of "---" between documents of
 * JSON. Of a line that is left out its end stays, so every line keeps its number.
 */
#ifndef LOADLINE_OFFLINE_TEXT_H
#define LOADLINE_OFFLINE_TEXT_H

#include "codec/source.h"

enum { TEXT_WINDOW = 64 * 1024, TEXT_SPECIAL_MAX = 1024 /* bytes of a line that is looked at */ };

struct text {
    struct source from;
    bool json;               /* else YAML */
    bool braces;             /* of YAML: "{{" was met, as in templates */
    bool stray_log;          /* reading failed at the end of a log that never began */
    bool unended_log;        /* ... or at the end of the file, inside of a log */
    uint64_t line, log_line; /* reached, and where the last log began; from 1 */
    /* inside */
    bool started, ended, dropping, inside_log;
    char log_end[TEXT_SPECIAL_MAX];
    size_t log_end_n, at, n;
    bool line_start;
    char window[TEXT_WINDOW];
};

void text_open(struct text *text, struct source from, bool json);
/* Lives as long as `text`. */
struct source text_source(struct text *text);

#endif
