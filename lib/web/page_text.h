/* page_text: the same answer as JSON or as lines of text, for clients without a JSON parser. */
#ifndef LOADLINE_WEB_PAGE_TEXT_H
#define LOADLINE_WEB_PAGE_TEXT_H

#include "web/page.h"

/* The answer is what was written, as JSON. Where the client likes text/plain better (Accept), it is
 * a line for each value instead: where it is (names and numbers from 0, joined by dots), a tab, the
 * value. Nothing in a value ends its line or steers a terminal: see report_plain(). null is empty;
 * an empty object or array has no line. The last line is "json", a tab and the answer as JSON. Says
 * that the form depends on Accept (Vary). */
enum error page_json_or_text(struct request *r, int status, struct page *page);

#endif
