/* guessable: how soon somebody who knows what people choose would guess a password (libzxcvbn: the
 * commonest passwords, words, names, rows of keys, dates, and letters replaced by digits). */
#ifndef LOADLINE_SERVICE_GUESSABLE_H
#define LOADLINE_SERVICE_GUESSABLE_H

#include "base/str.h"

/* Is it among the first `guesses` that such a one would try, who also knows the e-mail address and
 * its parts? It looks at the first GUESSABLE_BYTES of the password and takes some milliseconds.
 * Without NUL. guesses 0: no. */
enum { GUESSABLE_BYTES = 64 };
bool guessable(struct str password, struct str email, int64_t guesses);

#endif
