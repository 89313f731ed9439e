/* sealing: the keys of channel_keys, for requests that read or write what is sealed. */
#ifndef LOADLINE_WEB_SEALING_H
#define LOADLINE_WEB_SEALING_H

#include "service/seal.h"
#include "web/request.h"

/* Wiped when the request is over. INTERNAL, and a line in the log, when they cannot be read. */
enum error sealing_keys(struct request *r, struct seal_keys **keys);
/* For who can do without them: none when they cannot be read. What is sealed does not open then,
 * and what is stored plain stays so when it is written. Never NULL. */
struct seal_keys *sealing_keys_or_none(struct request *r);

#endif
