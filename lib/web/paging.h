/* paging: long lists a page at a time, newest first.
 *
 * A client asks with limit (1 to PAGING_MAX) and gets the next page by following the answer's Link
 * header (RFC 8288, rel="next"), which carries a cursor: where the page ended, by time and id. Rows
 * that come in meanwhile neither repeat nor hide one.
 */
#ifndef LOADLINE_WEB_PAGING_H
#define LOADLINE_WEB_PAGING_H

#include "store/keyset.h"
#include "web/request.h"

enum { PAGING_DEFAULT = 100, PAGING_MAX = 1000 };

/* What to fetch: a row more than the client asked for, so that one sees whether there are more.
 * INVALID_FIELD. */
enum error paging_read(struct request *r, struct keyset *page);
/* Are there more rows than the client asked for? Of the *n that were fetched takes away the last.
 */
bool paging_has_more(const struct keyset *page, size_t *n);
/* The next page begins after the row with that time and id. */
void paging_next(struct request *r, int64_t time, struct str id);
/* The same for a list with cursors of its own: of what may stand in a query as it is. */
void paging_link(struct request *r, struct str cursor);

#endif
