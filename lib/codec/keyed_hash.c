#include "codec/keyed_hash.h"

#include <openssl/evp.h>
#include <stdlib.h>

struct keyed_hash {
    EVP_MAC_CTX *mac;
    bool begun;
    unsigned char key[KEYED_HASH_KEY];
};

/* libcrypto without Poly1305 cannot be worked with. */
static void must(bool done)
{
    if (!done)
        abort();
}

struct keyed_hash *keyed_hash_new(const char *key)
{
    struct keyed_hash *hash = malloc(sizeof *hash);
    EVP_MAC *poly1305 = EVP_MAC_fetch(NULL, "POLY1305", NULL);
    EVP_MAC_CTX *mac = poly1305 ? EVP_MAC_CTX_new(poly1305) : NULL;
    EVP_MAC_free(poly1305); /* the context has its own reference */
    if (!hash || !mac) {
        EVP_MAC_CTX_free(mac);
        free(hash);
        return NULL;
    }
    hash->mac = mac;
    hash->begun = false;
    memcpy(hash->key, key, KEYED_HASH_KEY);
    return hash;
}

void keyed_hash_free(struct keyed_hash *hash)
{
    if (!hash)
        return;
    EVP_MAC_CTX_free(hash->mac);
    free(hash);
}

static void begin(struct keyed_hash *hash)
{
    if (!hash->begun)
        must(EVP_MAC_init(hash->mac, hash->key, sizeof hash->key, NULL));
    hash->begun = true;
}

void keyed_hash_put(struct keyed_hash *hash, struct str bytes)
{
    begin(hash);
    if (bytes.n)
        must(EVP_MAC_update(hash->mac, (const unsigned char *)bytes.p, bytes.n));
}

void keyed_hash_end(struct keyed_hash *hash, char digest[KEYED_HASH])
{
    size_t n;
    begin(hash);
    must(EVP_MAC_final(hash->mac, (unsigned char *)digest, &n, KEYED_HASH) && n == KEYED_HASH);
    hash->begun = false;
}
