/* letters: mails the links that are due (store/link.h). Each try makes a new token, so what an
 * earlier try may have sent is dead. */
#ifndef LOADLINE_DELIVER_LETTERS_H
#define LOADLINE_DELIVER_LETTERS_H

#include <signal.h>
#include <stdbool.h>

#include "service/program.h"

/* Mails those that are due every second, until clock_monotonic() is `until` (0: once) or *stop is
 * set. Each takes ten seconds at most. Does nothing without mail_program. False: the database could
 * not be asked in the end. */
bool letters_run(struct program *program, int64_t until, const volatile sig_atomic_t *stop);
/* When a letter that has been tried so many times is tried again; TIME_NONE: not any more. */
int64_t letters_again(int64_t tries, int64_t now);

#endif
