/* str: a slice of bytes that somebody else owns.
 *
 * A slice is a pointer and a length; nothing assumes a NUL at the end. A slice with p == NULL is
 * "absent", one with n == 0 is "empty"; most callers treat both alike. Slices are passed by value
 * and never freed: they live as long as the memory they point into (usually an arena).
 */
#ifndef LOADLINE_BASE_STR_H
#define LOADLINE_BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct str {
    const char *p;
    size_t n;
};

/* A slice of a string literal, STR("Pod"); in what is static, too. */
#define STR(literal) ((struct str){"" literal, sizeof(literal) - 1})
static inline int str_arg_n(struct str s)
{
    return s.n > INT32_MAX ? INT32_MAX : (int)s.n;
}

static inline const char *str_arg_p(struct str s)
{
    return s.p ? s.p : "";
}

/* For printf: printf("%" STR_FMT, STR_ARG(s)); lengths are cut at INT_MAX. What it is given is
 * evaluated twice. */
#define STR_FMT    ".*s"
#define STR_ARG(s) str_arg_n(s), str_arg_p(s)

/* A slice of a NUL-terminated string; of NULL, the absent slice. */
static inline struct str str_of(const char *cstr)
{
    return (struct str){cstr, cstr ? strlen(cstr) : 0};
}

/* An absent slice becomes an empty one. */
static inline struct str str_or_empty(struct str s)
{
    return s.p ? s : STR("");
}

static inline bool str_eq(struct str a, struct str b)
{
    return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

/* ASCII letters only, whatever the locale. */
static inline char str_lower(char c)
{
    return (char)(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
}
bool str_eq_nocase(struct str a, struct str b);
/* Order of bytes, like memcmp: <0, 0, >0. A prefix sorts first. */
int str_cmp(struct str a, struct str b);
/* The same for qsort() and bsearch() of slices. */
int str_order(const void *a, const void *b);
static inline bool str_has_prefix(struct str s, struct str prefix)
{
    return s.n >= prefix.n && str_eq((struct str){s.p, prefix.n}, prefix);
}

static inline bool str_has_suffix(struct str s, struct str suffix)
{
    return s.n >= suffix.n && str_eq((struct str){s.p + (s.n - suffix.n), suffix.n}, suffix);
}

/* Does needle occur in s? An empty needle does. */
bool str_has(struct str s, struct str needle);
/* Is it one of the words? The list ends with NULL. */
bool str_in(struct str s, const char *const *words);

/* Splits s at the first sep: *head before it, *tail after it. False (head = s, tail absent) when
 * sep does not occur. head or tail may be NULL, and may be &s. */
bool str_cut(struct str s, char sep, struct str *head, struct str *tail);
/* The same at the last sep. */
bool str_cut_last(struct str s, char sep, struct str *head, struct str *tail);
/* Takes the next of the words in *rest, which blanks (' ') separate. False when there is none. */
bool str_next_word(struct str *rest, struct str *word);
/* Without the ASCII white space at both ends. */
struct str str_trim(struct str s);
/* From byte `from`, at most n bytes; never outside s. */
struct str str_sub(struct str s, size_t from, size_t n);

/* How many decimal digits s begins with. */
size_t str_digits(struct str s);
/* The whole of s as a decimal number: no sign for u64, optional '-' for i64, no white space.
 * False, with *out untouched, when it is not one or does not fit. */
bool str_to_u64(struct str s, uint64_t *out);
bool str_to_i64(struct str s, int64_t *out);
/* The same, but what does not fit is the nearest of INT64_MAX and -INT64_MAX; so is INT64_MIN. */
bool str_to_i64_saturated(struct str s, int64_t *out);

/* 8-4-4-4-12 hexadecimal digits, of either case. */
bool str_is_uuid(struct str s);
/* The nil UUID, which nothing has: RFC 9562, 5.9. */
#define UUID_NIL "00000000-0000-0000-0000-000000000000"

/* The length of the UTF-8 sequence at the start of s; 0 when there is none or s cuts it. */
size_t str_utf8_length(struct str s);
/* The same, and 0 for characters that nobody sees: controls, which also steer terminals, and what
 * turns the direction of a text, breaks its lines or has no width. A text with one reads as
 * another. */
size_t str_visible_length(struct str s);
/* Strict UTF-8 (RFC 3629): no surrogates, no overlong forms, nothing above U+10FFFF. */
bool str_is_utf8(struct str s);
/* How many characters it has; of UTF-8. */
size_t str_utf8_count(struct str s);
/* The longest prefix of s of at most n bytes that does not cut a UTF-8 sequence. */
struct str str_utf8_prefix(struct str s, size_t n);
/* 64-bit FNV-1a; seed 0 starts a new hash, another result goes on with it. Stable for ever: risk
 * ids depend on it. */
uint64_t str_hash(uint64_t seed, struct str s);

#endif
