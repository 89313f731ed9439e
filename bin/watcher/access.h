/* access: how the API server is reached, and as whom. */
#ifndef LOADLINE_BIN_WATCHER_ACCESS_H
#define LOADLINE_BIN_WATCHER_ACCESS_H

#include "agent/memory.h"

/* Of each pair of a file and a text at most one is set; NULL or empty: there is none. Files are
 * read again for every connection: accounts' tokens and certificates rotate. */
struct access {
    char *server; /* "https://10.96.0.1:443", without a slash at the end */
    char *ca_file, *certificate_file, *key_file, *token_file;
    struct bytes ca, certificate, key;
    char *token;
    bool insecure; /* the server's certificate is not checked */
};

/* Of the service account that a pod runs as. False after a complaint on stderr. */
bool access_in_cluster(struct access *access);
void access_free(struct access *access);

/* The token of now in a header "Authorization: Bearer ..."; "" without one. In *text, until the
 * next call with it. False when the file cannot be read. */
bool access_authorization(const struct access *access, struct bytes *text);

/* What a small file holds (64 KiB at most), without white space at its ends. False when it cannot
 * be read. */
bool access_read_file(const char *path, struct bytes *text);

#endif
