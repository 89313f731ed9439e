#include "service/webhook.h"

#include <openssl/evp.h>

#include "base/rand.h"

enum { SECRET_BYTES = 32, BASE64_SIZE = 44 + 1 };

void webhook_secret_new(char secret[WEBHOOK_SECRET_TEXT + 1])
{
    unsigned char bits[SECRET_BYTES];
    size_t prefix = sizeof WEBHOOK_SECRET_PREFIX - 1;
    rand_bytes(bits, sizeof bits);
    memcpy(secret, WEBHOOK_SECRET_PREFIX, prefix);
    EVP_EncodeBlock((unsigned char *)secret + prefix, bits, sizeof bits);
    crypt_wipe(bits, sizeof bits);
}

static bool key_of(struct str secret, unsigned char key[SECRET_BYTES + 1])
{
    if (secret.n != WEBHOOK_SECRET_TEXT || !str_has_prefix(secret, STR(WEBHOOK_SECRET_PREFIX)))
        return false;
    struct str text = str_sub(secret, sizeof WEBHOOK_SECRET_PREFIX - 1, secret.n);
    return EVP_DecodeBlock(key, (const unsigned char *)text.p, (int)text.n) == SECRET_BYTES + 1;
}

/* Signatures of the parts one after another: the body is not copied. */
static void sign(const struct webhook_message *message, struct str key,
                 char text[WEBHOOK_SIGNATURE_TEXT + 1])
{
    char time[32];
    unsigned char digest[CRYPT_DIGEST];
    int n = snprintf(time, sizeof time, ".%lld.", (long long)(message->time / 1000));
    struct str parts[] = {message->id, {time, (size_t)n}, message->body};
    crypt_hmac_sha256(key, parts, sizeof parts / sizeof *parts, digest);
    memcpy(text, "v1,", 3);
    EVP_EncodeBlock((unsigned char *)text + 3, digest, sizeof digest);
}

void webhook_sign(const struct webhook_message *message,
                  const struct str secrets[WEBHOOK_SIGNATURES_MAX],
                  char signatures[WEBHOOK_SIGNATURE_SIZE])
{
    char *end = signatures;
    *end = '\0';
    for (size_t i = 0; i < WEBHOOK_SIGNATURES_MAX; i++) {
        unsigned char key[SECRET_BYTES + 1];
        if (!key_of(secrets[i], key))
            continue;
        if (end > signatures)
            *end++ = ' ';
        sign(message, (struct str){(const char *)key, SECRET_BYTES}, end);
        end += WEBHOOK_SIGNATURE_TEXT;
        crypt_wipe(key, sizeof key);
    }
}
