/* log: one line an event, to stderr or a file, key=value, values quoted when they need it.
 *
 * A line is at most LOG_LINE_MAX bytes and written by one write(2), so lines of several processes
 * do not mix. What a full disk has cut off is ended before the next line begins. Control
 * characters and quotes in values are escaped: a client cannot forge a line.
 */
#ifndef LOADLINE_BASE_LOG_H
#define LOADLINE_BASE_LOG_H

#include "base/str.h"

enum { LOG_LINE_MAX = 4096 };

enum log_level { LOG_LEVEL_ERROR, LOG_LEVEL_WARN, LOG_LEVEL_INFO, LOG_LEVEL_DEBUG };

/* program: a literal, on every line. path: NULL or "" for stderr, else appended to (mode 0640).
 * False when it cannot be opened; what was in use (stderr at first) stays so. */
bool log_open(const char *program, const char *path, enum log_level level);
/* Opens the same file again (after logrotate). */
void log_reopen(void);

/* Lines after this carry request=<id>; the absent slice ends that. Copied. */
void log_request(struct str id);

/* format is printf's and makes the message; pairs come from the caller as "key=%..." within it.
 * Use log_quote for anything that a client sent. */
void log_write(enum log_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));
#define log_error(...) log_write(LOG_LEVEL_ERROR, __VA_ARGS__)
#define log_warn(...)  log_write(LOG_LEVEL_WARN, __VA_ARGS__)
#define log_info(...)  log_write(LOG_LEVEL_INFO, __VA_ARGS__)
#define log_debug(...) log_write(LOG_LEVEL_DEBUG, __VA_ARGS__)

/* s quoted, with controls, invisible characters and what is no UTF-8 escaped, into a static ring of
 * 8 buffers of 512 bytes; longer values are cut. */
const char *log_quote(struct str s);

#endif
