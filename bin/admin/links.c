#include "links.h"

#include <stdio.h>

#include "service/crypt.h"
#include "store/link.h"

static void print(const struct program *program, const char *path, struct crypt_secret *token)
{
    printf("%s/#/%s%s\n", program->conf.public_url.s, path, token->text);
    crypt_wipe(token, sizeof *token);
}

enum error admin_links_make(struct program *program, const struct tenant_admin_by *by,
                            const struct user *user)
{
    struct crypt_secret token;
    crypt_secret_new(CRYPT_LINK_PREFIX, &token);
    enum error e = tenant_admin_make_link(program->db, by, user, &token);
    if (!e)
        print(program, "link/", &token);
    return e;
}

enum error admin_links_invite(struct program *program, int64_t now)
{
    struct crypt_secret token;
    int64_t expires;
    crypt_secret_new(CRYPT_LINK_PREFIX, &token);
    enum error e = link_create_signup(program->db, &token, now, &expires);
    if (!e)
        print(program, "signup?invitation=", &token);
    return e;
}
