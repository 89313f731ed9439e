/* jr against json-c (strict, UTF-8 validated): what the one accepts the other accepts, but for the
 * differences that are listed here. */
#include "jr_documents.h"
#include "jr_dump.h"
#include "scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>
#include <json-c/json.h>

enum { MUTATIONS = 100000 };

static bool json_c_accepts(struct str text)
{
    struct json_tokener *tokener = json_tokener_new_ex(JR_DEPTH_MAX + 1);
    json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
    char *copy = arena_bytes(arena, text.n + 1);
    memcpy(copy, text.p, text.n);
    copy[text.n] = '\0';
    struct json_object *object = json_tokener_parse_ex(tokener, copy, (int)text.n + 1);
    bool accepted = json_tokener_get_error(tokener) == json_tokener_success;
    json_object_put(object);
    json_tokener_free(tokener);
    return accepted;
}

/* What json-c 0.16 takes although RFC 8259 does not. `at` is what jr complains of, to the end. */

static bool control_character(struct str text, const struct jr_error *error, struct str at)
{
    (void)text;
    return error->code == JR_E_SYNTAX && at.n && (unsigned char)at.p[0] < 0x20;
}

static bool single_quotes(struct str text, const struct jr_error *error, struct str at)
{
    (void)text;
    return error->code == JR_E_SYNTAX && at.n && at.p[0] == '\'';
}

/* 00, -01, -.5, 1., 1.e5 */
static bool number_grammar(struct str text, const struct jr_error *error, struct str at)
{
    (void)text;
    if (error->code == JR_E_TRUNCATED)
        return str_has_suffix(text, STR("."));
    return error->code == JR_E_SYNTAX && str_eq(str_of(error->text), STR("not a number")) &&
           (at.n == 0 || str_has(STR("0123456789.eE ]},"), str_sub(at, 0, 1)));
}

static bool not_finite(struct str text, const struct jr_error *error, struct str at)
{
    (void)text;
    return error->code == JR_E_SYNTAX && at.n && (at.p[0] == 'N' || at.p[0] == 'I');
}

static bool lone_surrogate(struct str text, const struct jr_error *error, struct str at)
{
    (void)text;
    return error->code == JR_E_UTF8 && str_has_prefix(at, STR("\\u"));
}

/* It looks at the shape only: overlong forms, surrogates and code points that are not pass. */
static bool shape_of_utf8(struct str text, const struct jr_error *error, struct str at)
{
    (void)text;
    return error->code == JR_E_UTF8 && at.n && (unsigned char)at.p[0] >= 0xC0;
}

/* The NUL that ends its input also ends it earlier. */
static bool nul(struct str text, const struct jr_error *error, struct str at)
{
    (void)error;
    (void)at;
    return memchr(text.p, 0, text.n) != NULL;
}

static bool our_limits(struct str text, const struct jr_error *error, struct str at)
{
    (void)text;
    (void)at;
    return error->code == JR_E_DEPTH || error->code == JR_E_STRING;
}

static bool is_lax(struct str text, const struct jr_error *error)
{
    static bool (*const LAX[])(struct str, const struct jr_error *, struct str) = {
        control_character, single_quotes, number_grammar, not_finite, lone_surrogate,
        shape_of_utf8,     nul,           our_limits};
    for (size_t i = 0; i < COUNT(LAX); i++)
        if (LAX[i](text, error, str_sub(text, error->offset, text.n)))
            return true;
    return false;
}

/* jr takes several values one after another, or none. */
static bool is_one_value(struct str text)
{
    struct jr *r = jr_open(arena, source_of(&text), JR_WIDE);
    return jr_next(r) > JR_END && jr_next(r) == JR_END;
}

static void compare(struct str text)
{
    struct jr_setting s = {JR_WAY_WALK, jr_kernel_best(), JR_WINDOW_MIN, 1 + text.n % 17, JR_WIDE};
    struct jr_dump dump = jr_dump(arena, text, s);
    bool ours = dump.error.code == JR_OK, theirs = json_c_accepts(text);
    bool expected = ours ? theirs || !is_one_value(text) : !theirs || is_lax(text, &dump.error);
    if (!expected) {
        print_error("json-c %s\n%s\njr: %s at %llu\n", theirs ? "accepts" : "refuses",
                    arena_str(arena, text).p, ours ? "accepts" : dump.error.text,
                    (unsigned long long)dump.error.offset);
        fail();
    }
    arena_reset(arena);
}

static void documents(void **state)
{
    (void)state;
    for (size_t i = 0; i < JR_DOCUMENTS_COUNT; i++)
        compare(JR_DOCUMENTS[i].text);
}

static unsigned pick(size_t n)
{
    static uint64_t random = 42;
    random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)((random >> 33) % n);
}

/* Overwrites, cuts out, or puts in a few bytes; text has room for them. */
static size_t mutate(char *text, size_t n)
{
    static const char *const BITS[] = {
        "\"", "\\", "{",    "}",    "[", "]", ":",  ",",       "0",    "-",    ".",        "e",
        " ",  "\n", "\x7F", "\xC3", "u", "a", "\t", "\\ud83d", "true", "null", "\xE2\x82", "/"};
    size_t at = pick(n + 1), cut = pick(3) < n - at ? pick(3) : 0;
    struct str bit = str_of(BITS[pick(COUNT(BITS))]);
    if (cut > n - at || pick(4) == 0)
        cut = 0;
    if (pick(4) == 0)
        bit.n = 0;
    memmove(text + at + bit.n, text + at + cut, n - at - cut);
    memcpy(text + at, bit.p, bit.n);
    return n - cut + bit.n;
}

static void mutations(void **state)
{
    (void)state;
    for (int i = 0; i < MUTATIONS; i++) {
        struct str text = JR_DOCUMENTS[pick(JR_DOCUMENTS_COUNT)].text;
        char copy[512];
        if (text.n > sizeof copy - 64)
            continue;
        memcpy(copy, text.p, text.n);
        size_t n = text.n;
        for (unsigned times = 1 + pick(3); times > 0; times--)
            n = mutate(copy, n);
        compare((struct str){copy, n});
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(documents),
        cmocka_unit_test(mutations),
    };
    return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
