#include "codec/content_hash.h"

#include "base/rand.h"
#include "codec/keyed_hash.h"

_Static_assert(sizeof(struct content_hash) == KEYED_HASH, "a content hash is a keyed hash");

/* Of this process; NULL without memory. */
static struct keyed_hash *keyed(void)
{
    static struct keyed_hash *hash;
    char key[KEYED_HASH_KEY];
    if (!hash) {
        rand_bytes(key, sizeof key);
        hash = keyed_hash_new(key);
        explicit_bzero(key, sizeof key);
    }
    return hash;
}

bool content_hash(struct str context, struct str text, struct content_hash *hash)
{
    struct keyed_hash *keyed_hash = keyed();
    if (!keyed_hash || text.n > CONTENT_HASH_MAX)
        return false;
    keyed_hash_put(keyed_hash, context);
    keyed_hash_put(keyed_hash, text);
    keyed_hash_end(keyed_hash, (char *)hash->bytes);
    return true;
}
