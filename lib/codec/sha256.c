#include "codec/sha256.h"

#include <openssl/evp.h>
#include <stdlib.h>

/* libcrypto without SHA-256, or without memory for some bytes, cannot be worked with. */
static void must(bool done)
{
    if (!done)
        abort();
}

void sha256(const struct str *parts, size_t n, unsigned char digest[SHA256])
{
    static EVP_MD *algorithm;
    static EVP_MD_CTX *context; /* one a process: to make one takes longer than a short text */
    unsigned size;
    if (!context) {
        algorithm = EVP_MD_fetch(NULL, "SHA256", NULL);
        context = EVP_MD_CTX_new();
        must(algorithm && context);
    }
    must(EVP_DigestInit_ex(context, algorithm, NULL));
    for (size_t i = 0; i < n; i++)
        must(!parts[i].n || EVP_DigestUpdate(context, parts[i].p, parts[i].n));
    must(EVP_DigestFinal_ex(context, digest, &size) && size == SHA256);
}
