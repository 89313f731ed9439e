/* retry: what others have locked is tried again, with rests in between.
 */
#ifndef LOADLINE_STORE_RETRY_H
#define LOADLINE_STORE_RETRY_H

#include "base/errors.h"
#include "store/throttle.h"

/* Calls work(), again when others have locked what it wants, and rests after each. DATABASE_BUSY
 * when they do so for too long, which the log says then. */
enum error retry_when_free(struct throttle *throttle, enum error (*work)(void *arg), void *arg);

#endif
