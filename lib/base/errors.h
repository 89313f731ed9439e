/* errors: what can go wrong, as the client sees it. One row each in errors.def.
 *
 * Functions that can fail return enum error; ERR_OK is 0. The log gets the cause where it is first
 * seen; the client gets the code and a sentence.
 */
#ifndef LOADLINE_BASE_ERRORS_H
#define LOADLINE_BASE_ERRORS_H

#include "base/str.h"

enum error {
    ERR_OK,
#define ERROR(name, status, code, sentence) ERR_##name,
#include "base/errors.def"
#undef ERROR
    ERR_COUNT
};

int error_status(enum error e);          /* HTTP status; 200 for ERR_OK */
struct str error_code(enum error e);     /* "bad_json" */
struct str error_sentence(enum error e); /* for a person */

/* The error for a status that the web server in front answers itself: the first row of that status,
 * else that of 400 or 500. */
enum error error_of_status(int status);

#endif
