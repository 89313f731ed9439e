#include "password.h"

#include <stdio.h>
#include <string.h>

#include "base/hex.h"
#include "base/rand.h"
#include "service/crypt.h"

enum { PASSWORD_BYTES = 15, LINE_MAX_BYTES = 1024 };

static bool fail_with(const char *problem)
{
    fprintf(stderr, "loadline-admin: %s\n", problem);
    return false;
}

static void make_password(char line[LINE_MAX_BYTES])
{
    unsigned char bits[PASSWORD_BYTES];
    rand_bytes(bits, sizeof bits);
    base64url_encode(bits, sizeof bits, line);
    crypt_wipe(bits, sizeof bits);
}

static bool read_password(char line[LINE_MAX_BYTES])
{
    if (!fgets(line, LINE_MAX_BYTES, stdin))
        return false;
    line[strcspn(line, "\r\n")] = '\0';
    return str_is_utf8(str_of(line)) && str_utf8_count(str_of(line)) >= CRYPT_PASSWORD_MIN;
}

static bool set_password(struct program *program, const struct tenant_admin_by *by,
                         const struct user *user, struct str password)
{
    char hash[CRYPT_MCF_SIZE];
    if (!crypt_password_hash(password, program->conf.password_cost, hash))
        return fail_with("the password is too long");
    enum error e = tenant_admin_set_password(program->db, program->arena, by, user, str_of(hash));
    if (e)
        fprintf(stderr, "loadline-admin: %" STR_FMT "\n", STR_ARG(error_sentence(e)));
    return !e;
}

bool admin_password_set(struct program *program, const struct tenant_admin_by *by,
                        const struct user *user, bool from_stdin)
{
    char password[LINE_MAX_BYTES] = "";
    bool good = true;
    if (!from_stdin)
        make_password(password);
    else if (!read_password(password))
        good = fail_with(
            "the first line of standard input must be a password of at least 8 characters");
    good = good && set_password(program, by, user, str_of(password));
    if (good && !from_stdin)
        printf("%s\n", password);
    crypt_wipe(password, sizeof password);
    return good;
}
