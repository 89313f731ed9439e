/* seal: what must be read back but not from a copy of the database, such as the URL of a channel:
 * encrypted with AES-256-GCM under a key that is in a file beside the configuration.
 *
 * Without a key things are stored plain, and are sealed when they are next written after there is
 * one.
 */
#ifndef LOADLINE_SERVICE_SEAL_H
#define LOADLINE_SERVICE_SEAL_H

#include "base/arena.h"

enum { SEAL_KEY = 32, SEAL_KEYS_MAX = 8, SEAL_OVERHEAD = 1 + 12 + 16, SEAL_ERROR_SIZE = 512 };

/* The first seals, each opens: so a new key is put first and the old one stays until nothing needs
 * it any more. */
struct seal_keys {
    size_t n;
    unsigned char key[SEAL_KEYS_MAX][SEAL_KEY];
};

/* path: a file of 1 to SEAL_KEYS_MAX keys, 64 hexadecimal digits each, a line each; "": no keys.
 * False when it cannot be read or is anything else; error is then a sentence. Wipe the keys after
 * use. */
bool seal_keys_load(const char *path, struct seal_keys *keys, char error[SEAL_ERROR_SIZE]);

/* context: what the thing belongs to, so that it opens nowhere else. At most SEAL_OVERHEAD bytes
 * longer than plain. */
struct str seal(struct arena *arena, const struct seal_keys *keys, struct str context,
                struct str plain);
/* False when no key opens it: it is of another key or another context, or damaged. */
bool seal_open(struct arena *arena, const struct seal_keys *keys, struct str context,
               struct str sealed, struct str *plain);

#endif
