#include "access.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#define ACCOUNT "/var/run/secrets/kubernetes.io/serviceaccount"

enum { FILE_MAX = 64 * 1024 };

bool access_read_file(const char *path, struct bytes *text)
{
    char piece[4096];
    size_t n;
    FILE *file = fopen(path, "re");
    text->n = 0;
    if (!file)
        return false;
    while (text->n <= FILE_MAX && (n = fread(piece, 1, sizeof piece, file)) > 0)
        bytes_put(text, (struct str){piece, n});
    bool good = !ferror(file) && text->n <= FILE_MAX;
    fclose(file);
    struct str trimmed = str_trim(bytes_str(text));
    if (trimmed.n)
        memmove(text->p, trimmed.p, trimmed.n);
    text->n = trimmed.n;
    if (!good && !errno)
        errno = EFBIG;
    return good;
}

bool access_in_cluster(struct access *access)
{
    const char *host = getenv("KUBERNETES_SERVICE_HOST"),
               *port = getenv("KUBERNETES_SERVICE_PORT_HTTPS"),
               *account = getenv("LOADLINE_ACCOUNT");
    struct bytes text = {0};
    char name[4096];
    if (!port)
        port = getenv("KUBERNETES_SERVICE_PORT");
    if (!host || !*host || !port || !*port) {
        fputs("loadline-agent: this is no pod of a cluster (KUBERNETES_SERVICE_HOST is not set); "
              "--kubeconfig FILE says where the cluster is\n",
              stderr);
        return false;
    }
    snprintf(name, sizeof name, strchr(host, ':') ? "https://[%s]:%s" : "https://%s:%s", host,
             port);
    access->server = memory_text(str_of(name));
    account = account && *account ? account : ACCOUNT;
    snprintf(name, sizeof name, "%s/ca.crt", account);
    access->ca_file = memory_text(str_of(name));
    snprintf(name, sizeof name, "%s/token", account);
    access->token_file = memory_text(str_of(name));
    errno = 0;
    bool good = access_read_file(access->token_file, &text) && text.n;
    if (!good)
        fprintf(stderr, "loadline-agent: cannot read the account's token: %s: %s\n",
                access->token_file, errno ? strerror(errno) : "it is empty");
    bytes_free(&text);
    return good;
}

bool access_authorization(const struct access *access, struct bytes *text)
{
    struct bytes token = {0};
    bool good = true;
    text->n = 0;
    if (access->token_file)
        good = access_read_file(access->token_file, &token) && token.n;
    else if (access->token)
        bytes_put(&token, str_of(access->token));
    if (token.n) {
        bytes_put(text, STR("Authorization: Bearer "));
        bytes_put(text, bytes_str(&token));
    }
    bytes_putc(text, 0);
    bytes_free(&token);
    return good;
}

void access_free(struct access *access)
{
    free(access->server);
    free(access->ca_file);
    free(access->certificate_file);
    free(access->key_file);
    free(access->token_file);
    free(access->token);
    bytes_free(&access->ca);
    bytes_free(&access->certificate);
    bytes_free(&access->key);
    *access = (struct access){0};
}
