/* hosts: the database servers that an option file names, in the order in which they are to be
 * asked.
 *
 * host = db1.example, db2.example:3307 names several, for MariaDB Galera. The client library goes
 * through such a list when it connects, so what is needed here is only to have another one at its
 * beginning, once a server has proved to be of no use: it accepts connections and is frozen, is
 * read-only, or is cut off from its group.
 */
#ifndef LOADLINE_DB_HOSTS_H
#define LOADLINE_DB_HOSTS_H

#include <stdbool.h>
#include <stddef.h>

enum { HOSTS_MAX = 1024 }; /* bytes of a list, with its NUL */

struct hosts {
    char list[HOSTS_MAX]; /* "db1,db2:3307", without blanks; empty: one host, or none is named */
    bool bare_verify;     /* ssl-verify-server-cert has no value: the client library, unlike the
                             server's programs, does not check the server's name then */
};

/* Reads what the group [loadline] of the option file says. Files that it includes are not looked
 * into. A list that is longer than HOSTS_MAX, or a file that cannot be read, is as none: the client
 * library says what is wrong with it. */
void hosts_read(struct hosts *hosts, const char *option_file);
/* Are there several? */
bool hosts_several(const struct hosts *hosts);
/* The host that was connected to, the first that answers, is of no use: those that follow it in the
 * list come first from here on, and it comes last. One that is not in the list moves the first to
 * the end, as does "" when it is not known which one it was. port: 0 when it is not known. */
void hosts_pass_over(struct hosts *hosts, const char *host, unsigned port);

#endif
