#include "service/seal.h"

#include <errno.h>
#include <openssl/evp.h>

#include "base/hex.h"
#include "base/rand.h"
#include "service/crypt.h"

enum { NONCE = 12, TAG = 16, LINE_MAX_BYTES = 2 * SEAL_KEY + 2 };

/* The first byte says how the rest is kept. */
enum { PLAIN = 'P', AES_256_GCM = 'A' };

/* ---- keys ---- */

static bool key_of(struct str digits, unsigned char key[SEAL_KEY])
{
    if (digits.n != 2 * SEAL_KEY)
        return false;
    for (size_t i = 0; i < SEAL_KEY; i++) {
        int high = hex_digit(digits.p[2 * i]), low = hex_digit(digits.p[2 * i + 1]);
        if (high < 0 || low < 0)
            return false;
        key[i] = (unsigned char)(high << 4 | low);
    }
    return true;
}

static const char *read_keys(FILE *file, struct seal_keys *keys)
{
    char line[LINE_MAX_BYTES + 1];
    const char *problem = NULL;
    while (!problem && fgets(line, sizeof line, file)) {
        if (keys->n == SEAL_KEYS_MAX)
            problem = "there are too many keys";
        else if (!key_of(str_trim(str_of(line)), keys->key[keys->n++]))
            problem = "a line is not 64 hexadecimal digits";
    }
    crypt_wipe(line, sizeof line);
    if (ferror(file))
        return strerror(errno);
    return problem || keys->n ? problem : "there is no key";
}

bool seal_keys_load(const char *path, struct seal_keys *keys, char error[SEAL_ERROR_SIZE])
{
    *keys = (struct seal_keys){0};
    if (!path[0])
        return true;
    FILE *file = fopen(path, "re");
    const char *problem = file ? NULL : strerror(errno);
    if (file) {
        setvbuf(file, NULL, _IONBF, 0); /* keys stay in no buffer but ours */
        problem = read_keys(file, keys);
        fclose(file);
    }
    if (problem) {
        crypt_wipe(keys, sizeof *keys);
        snprintf(error, SEAL_ERROR_SIZE, "%s: %s", path, problem);
    }
    return !problem;
}

/* ---- sealing ---- */

static struct str seal_plain(struct arena *arena, struct str plain)
{
    char *out = arena_bytes(arena, plain.n + 1);
    out[0] = PLAIN;
    memcpy(out + 1, plain.p ? plain.p : "", plain.n);
    return (struct str){out, plain.n + 1};
}

static const unsigned char *bytes_of(struct str s)
{
    return (const unsigned char *)(s.p ? s.p : "");
}

static void require(bool done)
{
    if (!done)
        abort(); /* libcrypto without AES-GCM cannot be worked with */
}

struct str seal(struct arena *arena, const struct seal_keys *keys, struct str context,
                struct str plain)
{
    if (keys->n == 0)
        return seal_plain(arena, plain);
    unsigned char *out = (unsigned char *)arena_bytes(arena, plain.n + SEAL_OVERHEAD);
    unsigned char *nonce = out + 1, *text = nonce + NONCE;
    int n;
    out[0] = AES_256_GCM;
    rand_bytes(nonce, NONCE);
    EVP_CIPHER_CTX *cipher = EVP_CIPHER_CTX_new();
    require(cipher &&
            EVP_EncryptInit_ex(cipher, EVP_aes_256_gcm(), NULL, keys->key[0], nonce) == 1 &&
            EVP_EncryptUpdate(cipher, NULL, &n, bytes_of(context), (int)context.n) == 1 &&
            EVP_EncryptUpdate(cipher, text, &n, bytes_of(plain), (int)plain.n) == 1 &&
            EVP_EncryptFinal_ex(cipher, text + plain.n, &n) == 1 &&
            EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_GCM_GET_TAG, TAG, text + plain.n) == 1);
    EVP_CIPHER_CTX_free(cipher);
    return (struct str){(char *)out, plain.n + SEAL_OVERHEAD};
}

/* sealed: without its first byte, and long enough. out has room for the text. */
static bool open_with(const unsigned char key[SEAL_KEY], struct str context, struct str sealed,
                      unsigned char *out)
{
    const unsigned char *nonce = bytes_of(sealed), *text = nonce + NONCE;
    size_t length = sealed.n - NONCE - TAG;
    unsigned char tag[TAG];
    int n;
    memcpy(tag, text + length, TAG);
    EVP_CIPHER_CTX *cipher = EVP_CIPHER_CTX_new();
    require(cipher && EVP_DecryptInit_ex(cipher, EVP_aes_256_gcm(), NULL, key, nonce) == 1 &&
            EVP_DecryptUpdate(cipher, NULL, &n, bytes_of(context), (int)context.n) == 1 &&
            EVP_DecryptUpdate(cipher, out, &n, text, (int)length) == 1 &&
            EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_GCM_SET_TAG, TAG, tag) == 1);
    bool genuine = EVP_DecryptFinal_ex(cipher, out + length, &n) == 1;
    EVP_CIPHER_CTX_free(cipher);
    return genuine;
}

bool seal_open(struct arena *arena, const struct seal_keys *keys, struct str context,
               struct str sealed, struct str *plain)
{
    *plain = (struct str){0};
    if (sealed.n == 0)
        return false;
    struct str rest = str_sub(sealed, 1, sealed.n);
    if (sealed.p[0] == PLAIN) {
        *plain = rest;
        return true;
    }
    if (sealed.p[0] != AES_256_GCM || sealed.n < SEAL_OVERHEAD)
        return false;
    char *out = arena_bytes(arena, sealed.n);
    for (size_t i = 0; i < keys->n; i++) {
        if (!open_with(keys->key[i], context, rest, (unsigned char *)out))
            continue;
        *plain = (struct str){out, sealed.n - SEAL_OVERHEAD};
        return true;
    }
    return false;
}
