#include "offline/scalar.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { NUMBER_MAX = 128 }; /* bytes of a number; a longer one is a string */

static const struct word {
    const char *json;
    const char *const *texts;
} words[] = {
    {"true", (const char *const[]){"y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on",
                                   "On", "ON", NULL}},
    {"false", (const char *const[]){"n", "N", "no", "No", "NO", "false", "False", "FALSE", "off",
                                    "Off", "OFF", NULL}},
    {"null", (const char *const[]){"", "~", "null", "Null", "NULL", NULL}},
};

static size_t put(struct str text, char json[SCALAR_JSON_MAX])
{
    memcpy(json, text.p, text.n);
    return text.n;
}

/* Without "_", which may stand anywhere in a number. */
static bool copy_digits(struct str text, char digits[NUMBER_MAX])
{
    size_t n = 0;
    for (size_t i = 0; i < text.n; i++) {
        if (n == NUMBER_MAX - 1 || !text.p[i])
            return false;
        if (text.p[i] != '_')
            digits[n++] = text.p[i];
    }
    digits[n] = '\0';
    return true;
}

/* The base that the digits say, which are moved behind their prefix. */
static int base_of(const char **digits)
{
    const char *p = *digits;
    int base = 10;
    if (p[0] == '0' && p[1]) {
        char letter = str_lower(p[1]);
        base = letter == 'x' ? 16 : letter == 'b' ? 2 : 8;
        *digits += isdigit((unsigned char)letter) ? 1 : letter == 'o' || base != 8 ? 2 : 0;
    }
    return base;
}

static size_t whole_number(const char *digits, char json[SCALAR_JSON_MAX])
{
    bool negative = *digits == '-';
    uint64_t n = 0;
    digits += *digits == '-' || *digits == '+';
    uint64_t base = (uint64_t)base_of(&digits);
    if (!*digits)
        return 0;
    for (; *digits; digits++) {
        char c = str_lower(*digits);
        uint64_t value = c >= 'a' ? (uint64_t)(c - 'a' + 10) : (uint64_t)(c - '0');
        if (!isalnum((unsigned char)c) || value >= base)
            return 0;
        if (n > (UINT64_MAX - value) / base)
            return 0;
        n = n * base + value;
    }
    if (negative && n > (uint64_t)INT64_MAX + 1)
        return 0;
    int length =
        snprintf(json, SCALAR_JSON_MAX, "%s%llu", negative && n ? "-" : "", (unsigned long long)n);
    return (size_t)length;
}

static const char *skip_digits(const char *p)
{
    while (isdigit((unsigned char)*p))
        p++;
    return p;
}

/* [-+]? ( "." digits | digits [ "." digits? ] ) [ e [-+]? digits ], all of it. */
static bool is_decimal(const char *p)
{
    p += *p == '-' || *p == '+';
    const char *whole = skip_digits(p), *end = whole;
    if (*whole == '.')
        end = skip_digits(whole + 1);
    if (whole == p && end - whole < 2)
        return false;
    if (*end == 'e' || *end == 'E') {
        end += end[1] == '-' || end[1] == '+' ? 2 : 1;
        p = end;
        end = skip_digits(end);
        if (end == p)
            return false;
    }
    return !*end;
}

static size_t other_number(const char *digits, char json[SCALAR_JSON_MAX])
{
    double number = is_decimal(digits) ? strtod(digits, NULL) : (double)NAN;
    if (!isfinite(number))
        return 0;
    return (size_t)snprintf(json, SCALAR_JSON_MAX, "%.17g", number);
}

size_t scalar_json(struct str text, char json[SCALAR_JSON_MAX])
{
    char digits[NUMBER_MAX];
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (text.n <= 5 && str_in(text, words[i].texts))
            return put(str_of(words[i].json), json);
    if (!text.n || (!isdigit((unsigned char)*text.p) && !strchr("+-.", *text.p)))
        return 0;
    if (!copy_digits(text, digits))
        return 0;
    size_t n = *digits == '.' ? 0 : whole_number(digits, json);
    return n ? n : other_number(digits, json);
}
