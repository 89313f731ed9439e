/* output: standard output as what a program answers: what could not be written is an error. */
#ifndef LOADLINE_BASE_OUTPUT_H
#define LOADLINE_BASE_OUTPUT_H

#include "base/str.h"

/* Prints that. False when it was not taken. */
bool output_put(struct str bytes);
/* Writes what is still held. False when not all of what was printed so far has been taken; that is
 * said on stderr, in a sentence that begins with the program's name. */
bool output_end(const char *program);

#endif
