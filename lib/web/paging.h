/* paging: long lists a page at a time, newest first.
 *
 * A client asks with limit (1 to PAGING_MAX) and gets the next page by following the answer's Link
 * header (RFC 8288, rel="next"), which carries a cursor: where the page ended, by time and id. Rows
 * that come in meanwhile neither repeat nor hide one.
 */
#ifndef LOADLINE_WEB_PAGING_H
#define LOADLINE_WEB_PAGING_H

#include "web/request.h"

enum { PAGING_DEFAULT = 100, PAGING_MAX = 1000 };

struct paging {
    int64_t limit;
    /* Rows older than this one; of rows of the same time, those with a smaller id. */
    int64_t time;
    struct str id; /* UUID */
};

/* INVALID_FIELD. */
enum error paging_read(struct request *r, struct paging *paging);

/* There are more rows after the one with that time and id. Fetch limit + 1 rows to know. */
void paging_next(struct request *r, int64_t time, struct str id);
/* The same for a list with cursors of its own. cursor: letters, digits, '.', '-' and '_'. */
void paging_link(struct request *r, struct str cursor);

#endif
