/* mail: hands a message to the system's mail program, which speaks as sendmail does. */
#ifndef LOADLINE_DELIVER_MAIL_H
#define LOADLINE_DELIVER_MAIL_H

#include <stdbool.h>

/* All of it without control characters but the newlines of text. */
struct mail {
    const char *from, *to; /* addresses */
    const char *subject;   /* ASCII */
    const char *text;      /* UTF-8, lines of at most 900 bytes; at most 4 KiB */
};

/* Runs `program -i -f FROM -- TO` with the message on standard input, for ten seconds at most. True
 * when it ended with 0: then it has the message. Nothing of it is read, and nothing kept. */
bool mail_send(const char *program, const struct mail *mail);

#endif
