#include "service/totp.h"

#include <liboath/oath.h>

#include "base/rand.h"
#include "base/url.h"
#include "service/crypt.h"

enum { GROUP = 5 /* bytes that are 8 characters of base32 */ };

struct str totp_secret(struct arena *arena)
{
    char *bits = arena_bytes(arena, TOTP_SECRET);
    rand_bytes(bits, TOTP_SECRET);
    return (struct str){bits, TOTP_SECRET};
}

struct str totp_base32(struct arena *arena, struct str bytes, bool lower)
{
    static const char upper_case[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    size_t groups = bytes.n / GROUP, n = 0;
    char *out = arena_bytes(arena, groups * 8);
    for (size_t i = 0; i < groups; i++) {
        uint64_t group = 0;
        for (size_t k = 0; k < GROUP; k++)
            group = group << 8 | (unsigned char)bytes.p[i * GROUP + k];
        for (int shift = 35; shift >= 0; shift -= 5) {
            char c = upper_case[group >> shift & 31];
            out[n++] = lower ? str_lower(c) : c;
        }
    }
    return (struct str){out, n};
}

struct str totp_text(struct arena *arena, struct str secret)
{
    return totp_base32(arena, secret, false);
}

struct str totp_uri(struct arena *arena, struct str email, struct str text)
{
    struct str account = url_encode(arena, email);
    return arena_printf(arena,
                        "otpauth://totp/Loadline:%" STR_FMT "?secret=%" STR_FMT
                        "&issuer=Loadline&algorithm=SHA1&digits=%d&period=%d",
                        STR_ARG(account), STR_ARG(text), TOTP_DIGITS, TOTP_STEP_MS / 1000);
}

/* The code of a step, with a NUL. */
static void code_of(struct str secret, int64_t step, char code[TOTP_DIGITS + 1])
{
    if (oath_hotp_generate(secret.p, secret.n, (uint64_t)step, TOTP_DIGITS, false,
                           OATH_HOTP_DYNAMIC_TRUNCATION, code) != OATH_OK)
        abort(); /* it fails for other numbers of digits, and without memory */
}

bool totp_check(struct str secret, struct str code, int64_t now, int64_t last, int64_t *step)
{
    bool fits = false;
    int64_t today = now / TOTP_STEP_MS;
    if (code.n != TOTP_DIGITS || secret.n == 0 || now < 0)
        return false;
    for (int64_t at = today - TOTP_WINDOW; at <= today + TOTP_WINDOW; at++) {
        char expected[TOTP_DIGITS + 1];
        code_of(secret, at, expected);
        bool same = crypt_equal(expected, code.p, TOTP_DIGITS);
        if (same && at > last && at >= 0 && !fits) {
            fits = true;
            *step = at;
        }
        crypt_wipe(expected, sizeof expected);
    }
    return fits;
}
