#include "agent/log_level.h"

enum { LOOKED_AT = 4096 };

static bool is_letter(char c)
{
    c = str_lower(c);
    return c >= 'a' && c <= 'z';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static char at(struct str s, size_t i)
{
    return i < s.n ? s.p[i] : 0;
}

static size_t find(struct str text, size_t from, struct str what)
{
    const char *found = from < text.n ? memmem(text.p + from, text.n - from, what.p, what.n) : NULL;
    return found ? (size_t)(found - text.p) : SIZE_MAX;
}

/* ---- a key that says it ---- */

/* A level as a program calls it; pino and bunyan have numbers. */
static bool level_of_word(struct str word, enum log_severity *level)
{
    static const char *const errors[] = {"error", "err", "eror", "severe", "50", NULL};
    static const char *const fatals[] = {"fatal", "critical", "crit",      "panic", "dpanic",
                                         "emerg", "alert",    "emergency", "60",    NULL};
    static const char *const others[] = {"trace", "debug",   "info",    "information", "notice",
                                         "warn",  "warning", "default", "10",          "20",
                                         "30",    "40",      NULL};
    char lower[16];
    if (!word.n || word.n >= sizeof lower)
        return false;
    for (size_t i = 0; i < word.n; i++)
        lower[i] = str_lower(word.p[i]);
    word.p = lower;
    *level = str_in(word, errors) ? LOG_ERROR : str_in(word, fatals) ? LOG_FATAL : LOG_INFO;
    return *level != LOG_INFO || str_in(word, others);
}

/* Behind a key at `from`: `":"error"`, `=error`, `="error"`. */
static bool level_behind(struct str line, size_t from, enum log_severity *level)
{
    size_t i = from + (at(line, from) == '"');
    while (at(line, i) == ' ')
        i++;
    if (at(line, i) != ':' && at(line, i) != '=')
        return false;
    i++;
    while (at(line, i) == ' ')
        i++;
    i += at(line, i) == '"';
    size_t end = i;
    while (is_letter(at(line, end)) || is_digit(at(line, end)))
        end++;
    return level_of_word(str_sub(line, i, end - i), level);
}

static bool level_of_key(struct str line, enum log_severity *level)
{
    static const struct str keys[] = {STR("level"), STR("severity"), STR("lvl"), STR("Level"),
                                      STR("levelname")};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        for (size_t i = find(line, 0, keys[k]); i != SIZE_MAX; i = find(line, i + 1, keys[k]))
            if (!(i && is_letter(line.p[i - 1])) && level_behind(line, i + keys[k].n, level))
                return true;
    return false;
}

/* ---- other ways ---- */

/* klog, as Kubernetes' own programs write: E0317 12:00:00.000000 */
static bool level_of_klog(struct str line, enum log_severity *level)
{
    char first = at(line, 0);
    if (!first || !strchr("IWEF", first) || at(line, 5) != ' ' || at(line, 8) != ':')
        return false;
    for (size_t i = 1; i < 5; i++)
        if (!is_digit(at(line, i)))
            return false;
    *level = first == 'E' ? LOG_ERROR : first == 'F' ? LOG_FATAL : LOG_INFO;
    return true;
}

enum log_severity log_level(struct str line)
{
    static const struct {
        struct str text;
        bool end; /* it is a part of a word: only its end counts */
        enum log_severity level;
    } words[] = {
        {STR("FATAL"), false, LOG_FATAL},
        {STR("PANIC"), false, LOG_FATAL},
        {STR("CRITICAL"), false, LOG_FATAL},
        {STR("EMERG"), false, LOG_FATAL},
        {STR("panic:"), false, LOG_FATAL},
        {STR("fatal:"), false, LOG_FATAL},
        {STR("fatal error:"), false, LOG_FATAL},
        {STR("[emerg]"), true, LOG_FATAL},
        {STR("[crit]"), true, LOG_FATAL},
        {STR("[alert]"), true, LOG_FATAL},
        {STR("ERROR"), false, LOG_ERROR},
        {STR("SEVERE"), false, LOG_ERROR},
        {STR("[error]"), true, LOG_ERROR},
        {STR("error:"), false, LOG_ERROR},
        {STR("Error:"), true, LOG_ERROR},
        {STR("Exception:"), true, LOG_ERROR},
        {STR("Exception in thread"), false, LOG_ERROR},
        {STR("Traceback (most recent call last)"), false, LOG_ERROR},
    };
    enum log_severity level = LOG_INFO;
    line = str_sub(line, 0, LOOKED_AT);
    if (level_of_key(line, &level) || level_of_klog(line, &level))
        return level;
    for (size_t w = 0; w < sizeof words / sizeof *words; w++)
        for (size_t i = find(line, 0, words[w].text); i != SIZE_MAX;
             i = find(line, i + 1, words[w].text))
            if ((words[w].end || !i || !is_letter(line.p[i - 1])) &&
                !is_letter(at(line, i + words[w].text.n)))
                return words[w].level;
    return LOG_INFO;
}
