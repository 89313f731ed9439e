/* log_secrets: what is cut out of the lines of a push before they are kept: what credential_cut()
 * cuts of each, and private keys that go over several.
 */
#ifndef LOADLINE_READER_LOG_SECRETS_H
#define LOADLINE_READER_LOG_SECRETS_H

#include "base/arena.h"

enum { LOG_KEY_LINES_MAX = 128 /* lines that a private key has at most */ };

/* All zeros before the first line. */
struct log_secrets {
    unsigned key_lines; /* that may still come of a key that has begun; 0: none has */
};

/* The next message without its secrets: itself when it has none, else in the arena. */
struct str log_secrets_cut(struct log_secrets *secrets, struct arena *arena, struct str message);

/* Does a key end in the message that has not begun in this push? */
bool log_secrets_ends_key(const struct log_secrets *secrets, struct str message);
/* May the message be a line of that key, in front of its end? */
bool log_secrets_is_key_line(struct str message);

#endif
