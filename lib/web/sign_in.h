/* sign_in: sessions as the configuration wants them. A token lasts session_lifetime; a session goes
 * on from token to token until session_absolute after its beginning, or until nobody has used it
 * for session_idle.
 */
#ifndef LOADLINE_WEB_SIGN_IN_H
#define LOADLINE_WEB_SIGN_IN_H

#include "store/session.h"
#include "web/request.h"

/* Which sessions are open now. */
struct session_moment sign_in_moment(const struct request *r);
/* The token that this request makes: of a new session, or of `old` when that goes on. */
struct session_start sign_in_start(struct request *r, const struct session *old);
/* The answer to who has got that token, of the identity that the request has now. setup: the
 * session may only set up a second factor. */
enum error sign_in_answer(struct request *r, const struct crypt_secret *token,
                          const struct session_start *start, bool setup);
/* When a session that began then ends, however often it is refreshed. */
int64_t sign_in_end(const struct request *r, int64_t began);

#endif
