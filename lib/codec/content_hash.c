#include "codec/content_hash.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>

#include "base/rand.h"

enum { KEY_SIZE = 16, NONCE_SIZE = 12 };

/* The same for all texts: what is never shown needs no other one each time. */
static const unsigned char nonce[NONCE_SIZE];

/* Of this process, ready with its key; NULL when the library failed. */
static EVP_CIPHER_CTX *keyed(void)
{
    static EVP_CIPHER_CTX *context;
    static bool tried;
    unsigned char key[KEY_SIZE];
    if (tried)
        return context;
    tried = true;
    rand_bytes(key, sizeof key);
    context = EVP_CIPHER_CTX_new();
    if (context && EVP_EncryptInit_ex(context, EVP_aes_128_gcm(), NULL, key, nonce) != 1) {
        EVP_CIPHER_CTX_free(context);
        context = NULL;
    }
    OPENSSL_cleanse(key, sizeof key);
    return context;
}

static bool add(EVP_CIPHER_CTX *cipher, struct str text)
{
    int n;
    return text.n <= CONTENT_HASH_MAX &&
           (!text.n ||
            EVP_EncryptUpdate(cipher, NULL, &n, (const unsigned char *)text.p, (int)text.n) == 1);
}

bool content_hash(struct str context, struct str text, struct content_hash *hash)
{
    EVP_CIPHER_CTX *cipher = keyed();
    unsigned char end[1];
    int n;
    return cipher && EVP_EncryptInit_ex(cipher, NULL, NULL, NULL, nonce) == 1 &&
           add(cipher, context) && add(cipher, text) && EVP_EncryptFinal_ex(cipher, end, &n) == 1 &&
           EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_GET_TAG, sizeof hash->bytes, hash->bytes) == 1;
}
