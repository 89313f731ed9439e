/* conf: loadline.conf. `key = value` lines, `;` or `#` comments, no sections; the last line of a
 * key wins. A list goes on in the next line behind a backslash at the end of one. Keys, types,
 * defaults and limits are rows of conf.def.
 */
#ifndef LOADLINE_SERVICE_CONF_H
#define LOADLINE_SERVICE_CONF_H

#include "base/str.h"

enum { CONF_TEXT_MAX = 199, CONF_LIST_MAX = 1999, CONF_ERROR_SIZE = 512 };

typedef int64_t conf_INT;
typedef struct conf_text {
    char s[CONF_TEXT_MAX + 1];
} conf_TEXT;
typedef struct conf_list {
    char s[CONF_LIST_MAX + 1];
} conf_LIST;
typedef struct conf_rate {
    int64_t count, seconds;
} conf_RATE;

struct conf {
#define CONF(name, type, default_value, min, max, doc) conf_##type name;
#include "service/conf.def"
#undef CONF
};

/* The file named by the environment variable LOADLINE_CONF, else /etc/loadline/loadline.conf. */
const char *conf_path(void);

/* Defaults, then the file. False when it cannot be read or has an unknown key or a bad value: error
 * then holds a sentence that names file and line. */
bool conf_load(struct conf *conf, const char *path, char error[CONF_ERROR_SIZE]);

/* Is GET /metrics on? */
bool conf_has_metrics(const struct conf *conf);

/* Defaults only. */
void conf_defaults(struct conf *conf);

#endif
