/* crypt: passwords, keys and tokens, digests.
 *
 * Passwords are stored as scrypt in Modular Crypt Format. Keys and tokens are 256 random bits,
 * shown once as text and stored as the SHA-256 of that text.
 */
#ifndef LOADLINE_SERVICE_CRYPT_H
#define LOADLINE_SERVICE_CRYPT_H

#include "base/hex.h"
#include "base/str.h"

enum {
    CRYPT_DIGEST = 32,
    CRYPT_MCF_SIZE = 128,
    CRYPT_PASSWORD_MIN = 8,   /* characters that a new one has */
    CRYPT_PASSWORD_MAX = 512, /* bytes */
    CRYPT_SECRET_BYTES = 32,
    CRYPT_SECRET_TEXT = BASE64URL_LEN(CRYPT_SECRET_BYTES) /* characters after the prefix */
};

/* The cost of a password is the logarithm to base 2 of scrypt's N (RFC 7914, section 2), up to 30;
 * r is 8, p is 3. 15 takes about a quarter of a second and 32 MiB; each one more doubles both. */

/* scrypt with a random salt. False when there is no memory, or the password is longer than
 * CRYPT_PASSWORD_MAX or holds a NUL. */
bool crypt_password_hash(struct str password, int64_t cost, char mcf[CRYPT_MCF_SIZE]);
/* Does the password fit? An absent mcf takes as long as one of that cost and is false, so that an
 * answer does not tell by its time whether there is such an account. */
bool crypt_password_verify(struct str password, struct str mcf, int64_t cost);
/* Was it made with less memory or less work than crypt_password_hash() of that cost takes? */
bool crypt_password_is_weak(struct str mcf, int64_t cost);

struct crypt_secret {
    char text[8 + CRYPT_SECRET_TEXT + 1]; /* what the client keeps */
    unsigned char hash[CRYPT_DIGEST];     /* what we keep */
};
#define CRYPT_KEY_PREFIX   "ll_"
#define CRYPT_TOKEN_PREFIX "llt_"
#define CRYPT_LINK_PREFIX  "lli_"
#define CRYPT_STATE_PREFIX "lls_"
/* A new random secret. prefix: one of those above. Wipe it after use. */
void crypt_secret_new(const char *prefix, struct crypt_secret *secret);
/* The hash to look text up by. False when text does not look like a secret with that prefix. */
bool crypt_secret_hash(const char *prefix, struct str text, unsigned char hash[CRYPT_DIGEST]);

void crypt_sha256(struct str bytes, unsigned char digest[CRYPT_DIGEST]);
/* Of the n parts one after another. */
void crypt_hmac_sha256(struct str key, const struct str *parts, size_t n,
                       unsigned char digest[CRYPT_DIGEST]);

/* Constant time in everything but n. */
bool crypt_equal(const void *a, const void *b, size_t n);
/* Zeroes memory, and the compiler cannot leave it out. */
void crypt_wipe(void *p, size_t n);

#endif
