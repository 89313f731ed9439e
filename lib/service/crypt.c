#include "service/crypt.h"

#include <libscrypt.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <stdio.h>

#include "base/rand.h"

enum { SCRYPT_BLOCK = 8, SCRYPT_PARALLEL = 3 };

/* The hash of a password that nobody knows. What goes before it are the parameters. */
static const char nobody[] =
    "bG9hZGxpbmUgbm9ib2R5IQ==$"
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==";

/* libscrypt takes C strings. */
static bool password_text(struct str password, char text[CRYPT_PASSWORD_MAX + 1])
{
    if (password.n > CRYPT_PASSWORD_MAX || (password.n && memchr(password.p, '\0', password.n)))
        return false;
    if (password.n)
        memcpy(text, password.p, password.n);
    text[password.n] = '\0';
    return true;
}

bool crypt_password_hash(struct str password, int64_t cost, char mcf[CRYPT_MCF_SIZE])
{
    char text[CRYPT_PASSWORD_MAX + 1];
    if (!password_text(password, text))
        return false;
    bool done = libscrypt_hash(mcf, text, (uint32_t)1 << cost, SCRYPT_BLOCK, SCRYPT_PARALLEL) > 0;
    crypt_wipe(text, sizeof text);
    return done;
}

bool crypt_password_verify(struct str password, struct str mcf, int64_t cost)
{
    char text[CRYPT_PASSWORD_MAX + 1], hash[CRYPT_MCF_SIZE + 1];
    bool known = mcf.p && mcf.n <= CRYPT_MCF_SIZE;
    if (!password_text(password, text))
        return false;
    if (known)
        snprintf(hash, sizeof hash, "%" STR_FMT, STR_ARG(mcf));
    else
        snprintf(hash, sizeof hash, "$s1$%02x%02x%02x$%s", (unsigned)cost, SCRYPT_BLOCK,
                 SCRYPT_PARALLEL, nobody);
    bool fits = libscrypt_check(hash, text) > 0;
    crypt_wipe(text, sizeof text);
    crypt_wipe(hash, sizeof hash);
    return fits && known;
}

/* "$s1$" and two hexadecimal digits each for log2 of the cost, block size and parallelism. */
bool crypt_password_is_weak(struct str mcf, int64_t cost)
{
    uint64_t parameter[3] = {0};
    size_t start = sizeof "$s1$" - 1;
    if (!str_has_prefix(mcf, STR("$s1$")) || mcf.n < start + 6)
        return true;
    for (size_t i = 0; i < 6; i++) {
        int digit = hex_digit(mcf.p[start + i]);
        if (digit < 0)
            return true;
        parameter[i / 2] = parameter[i / 2] << 4 | (unsigned)digit;
    }
    if (parameter[0] > 31)
        return false;
    uint64_t memory = (1ull << parameter[0]) * parameter[1], wanted = (1ull << cost) * SCRYPT_BLOCK;
    return memory < wanted || memory * parameter[2] < wanted * SCRYPT_PARALLEL;
}

void crypt_secret_new(const char *prefix, struct crypt_secret *secret)
{
    unsigned char bits[CRYPT_SECRET_BYTES];
    size_t n = strlen(prefix);
    rand_bytes(bits, sizeof bits);
    memcpy(secret->text, prefix, n);
    base64url_encode(bits, sizeof bits, secret->text + n);
    crypt_sha256(str_of(secret->text), secret->hash);
    crypt_wipe(bits, sizeof bits);
}

bool crypt_secret_hash(const char *prefix, struct str text, unsigned char hash[CRYPT_DIGEST])
{
    struct str head = str_of(prefix);
    if (!str_has_prefix(text, head) || text.n != head.n + CRYPT_SECRET_TEXT)
        return false;
    for (size_t i = head.n; i < text.n; i++)
        if (!text.p[i] || !strchr(BASE64URL_ALPHABET, text.p[i]))
            return false;
    crypt_sha256(text, hash);
    return true;
}

void crypt_sha256(struct str bytes, unsigned char digest[CRYPT_DIGEST])
{
    unsigned n;
    if (!EVP_Digest(bytes.p ? bytes.p : "", bytes.n, digest, &n, EVP_sha256(), NULL))
        abort(); /* libcrypto without SHA-256 cannot be worked with */
}

void crypt_hmac_sha256(struct str key, const struct str *parts, size_t n,
                       unsigned char digest[CRYPT_DIGEST])
{
    EVP_PKEY *pkey = EVP_PKEY_new_raw_private_key(
        EVP_PKEY_HMAC, NULL, (const unsigned char *)(key.p ? key.p : ""), key.n);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    size_t digest_n = CRYPT_DIGEST;
    bool good = pkey && context && EVP_DigestSignInit(context, NULL, EVP_sha256(), NULL, pkey);
    for (size_t i = 0; i < n && good; i++)
        good = !parts[i].n || EVP_DigestSignUpdate(context, parts[i].p, parts[i].n);
    if (!good || !EVP_DigestSignFinal(context, digest, &digest_n))
        abort(); /* out of memory, or libcrypto cannot be worked with */
    EVP_MD_CTX_free(context);
    EVP_PKEY_free(pkey);
}

bool crypt_equal(const void *a, const void *b, size_t n)
{
    return CRYPTO_memcmp(a, b, n) == 0;
}

void crypt_wipe(void *p, size_t n)
{
    OPENSSL_cleanse(p, n);
}
