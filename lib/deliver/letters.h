/* letters: mails the links that are due (store/link.h). Each try makes a new token, so what an
 * earlier try may have sent is dead. */
#ifndef LOADLINE_DELIVER_LETTERS_H
#define LOADLINE_DELIVER_LETTERS_H

#include "service/conf.h"
#include "db/db.h"

/* Some of them. Does nothing without mail_program. Each takes ten seconds at most. The arena is
 * reset. */
void letters_send(const struct conf *conf, struct db *db, struct arena *arena);
/* When a letter that has been tried so many times is tried again; TIME_NONE: not any more. */
int64_t letters_again(int64_t tries, int64_t now);

#endif
