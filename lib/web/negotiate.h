/* negotiate: what request headers say about the form of the answer (RFC 9110). Pure.
 */
#ifndef LOADLINE_WEB_NEGOTIATE_H
#define LOADLINE_WEB_NEGOTIATE_H

#include "base/str.h"

/* Of Accept-Encoding: is gzip accepted, and not liked less than identity? Absent: no. */
bool negotiate_accepts_gzip(struct str accept_encoding);

/* Of Accept: is text/plain liked better than application/json? Only a client that names text/plain
 * gets it. Absent: no. */
bool negotiate_prefers_text(struct str accept);

/* Of If-None-Match: "*", or one of the tags is this one (quoted, strong). The comparison is the
 * weak one, as RFC 9110 wants it here: W/"x" matches "x". */
bool negotiate_etag_matches(struct str if_none_match, struct str etag);

#endif
