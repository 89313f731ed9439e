#include "codec/keyed_hash.h"

#include <openssl/evp.h>
#include <stdlib.h>

enum { SHORT_MAX = 512 };

struct keyed_hash {
    EVP_MAC_CTX *mac;
    bool begun;
    unsigned char key[KEYED_HASH_KEY];
    size_t waiting_n; /* short pieces wait for one another: libcrypto takes its time for each */
    unsigned char waiting[SHORT_MAX];
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
    hash->waiting_n = 0;
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

static void put(struct keyed_hash *hash, const void *bytes, size_t n)
{
    begin(hash);
    if (n)
        must(EVP_MAC_update(hash->mac, bytes, n));
}

static void put_waiting(struct keyed_hash *hash)
{
    put(hash, hash->waiting, hash->waiting_n);
    hash->waiting_n = 0;
}

void keyed_hash_put(struct keyed_hash *hash, struct str bytes)
{
    if (bytes.n > SHORT_MAX - hash->waiting_n)
        put_waiting(hash);
    if (bytes.n > SHORT_MAX) {
        put(hash, bytes.p, bytes.n);
    } else if (bytes.n) {
        memcpy(hash->waiting + hash->waiting_n, bytes.p, bytes.n);
        hash->waiting_n += bytes.n;
    }
}

void keyed_hash_end(struct keyed_hash *hash, char digest[KEYED_HASH])
{
    size_t n;
    put_waiting(hash);
    must(EVP_MAC_final(hash->mac, (unsigned char *)digest, &n, KEYED_HASH) && n == KEYED_HASH);
    hash->begun = false;
}
