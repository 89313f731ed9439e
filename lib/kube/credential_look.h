/* credential_look: what was seen of a text while secrets are searched for in it. Who asks where the
 * next blank stands, from many places one behind another, has the text read once. Nobody but
 * credential*.c includes it.
 */
#ifndef LOADLINE_KUBE_CREDENTIAL_LOOK_H
#define LOADLINE_KUBE_CREDENTIAL_LOOK_H

#include "kube/credential.h"

enum { CREDENTIAL_LOOK = 512 }; /* bytes that decide whether it is a secret */

/* NUL behind the end. */
static inline char credential_char_at(struct str text, size_t at)
{
    return at < text.n ? text.p[at] : '\0';
}

static inline bool credential_is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static inline bool credential_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Of a name that may promise a secret. */
static inline bool credential_is_name_char(char c)
{
    return credential_is_letter(c) || credential_is_digit(c) || c == '_' || c == '-' || c == '.';
}

static inline bool credential_is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static inline bool credential_is_quote(char c)
{
    return c == '"' || c == '\'' || c == '`';
}

/* Of the name of an object. */
static inline bool credential_is_object_char(char c)
{
    return (c >= 'a' && c <= 'z') || credential_is_digit(c) || c == '-' || c == '.';
}

/* What is asked for. */
enum credential_stop {
    CREDENTIAL_STOP_WORD,      /* a blank, a control character, a quote */
    CREDENTIAL_STOP_AUTHORITY, /* what ends the host of an address */
    CREDENTIAL_STOP_LINE,      /* a control character, a quote, a backslash, ']' */
    CREDENTIAL_STOP_TOKEN,     /* no character of a token */
    CREDENTIAL_STOP_NAME,      /* no character of a name */
    CREDENTIAL_STOP_OBJECT,    /* no character of the name of an object */
    CREDENTIAL_STOP_ARGUMENT,  /* what ends an argument of a command, or the command */
    CREDENTIAL_STOP_LETTER,
    CREDENTIAL_STOP_DIGIT,
    CREDENTIAL_STOP_BARE,    /* what ends a value without quotes */
    CREDENTIAL_STOP_ADDRESS, /* "://" */
    CREDENTIAL_STOPS
};

enum { CREDENTIAL_RUNS = 12 };

struct credential_look {
    struct str text;
    unsigned known, runs_n; /* known: bits of what is in `seen` */
    struct credential_seen {
        size_t from, to; /* nothing stops in between */
        bool ends;       /* at `to` something does */
    } seen[CREDENTIAL_STOPS];
    struct credential_run {
        const char *also;
        struct credential_seen seen;
    } runs[CREDENTIAL_RUNS];
    size_t back_from, back;        /* see credential_look_back() */
    struct credential_range named; /* the last name that was judged, and is none */
    uint64_t steps;                /* bytes that were looked at one by one */
};

void credential_look_init(struct credential_look *look, struct str text);
/* The first place behind `from`, or there, where such a thing stands, `most` bytes away at most. */
size_t credential_look_for(struct credential_look *look, enum credential_stop stop, size_t from,
                           size_t most);
/* Does one stand in [from, to)? An address does when it begins there. */
bool credential_look_has(struct credential_look *look, enum credential_stop stop, size_t from,
                         size_t to);
/* Where letters, digits and characters of `also`, which is of a shape, end that begin at `from`;
 * `most` bytes away at most. */
size_t credential_look_run(struct credential_look *look, const char *also, size_t from,
                           size_t most);
/* Behind the last blank, control character, quote or '=' before `at`; CREDENTIAL_LOOK bytes away at
 * most. */
size_t credential_look_back(struct credential_look *look, size_t at);

#endif
