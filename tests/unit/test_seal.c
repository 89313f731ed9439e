/* seal: what is sealed opens with its key and in its context only. */
#include <setjmp.h>
#include <stdarg.h>
#include <unistd.h>
#include <cmocka.h>

#include "scratch.h"
#include "service/seal.h"

#define KEY_A "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
#define KEY_B "FFEEDDCCBBAA99887766554433221100ffeeddccbbaa99887766554433221100"

/* The keys of a file with this text. */
static bool load(const char *text, struct seal_keys *keys)
{
    char path[] = "/tmp/loadline-seal-XXXXXX", error[SEAL_ERROR_SIZE] = "";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    bool loaded = seal_keys_load(path, keys, error);
    unlink(path);
    assert_int_equal(loaded, !error[0]);
    assert_null(strstr(error, "00112233"));
    return loaded;
}

static void keys_are_read_strictly(void **state)
{
    static const struct {
        const char *text;
        size_t keys; /* 0: refused */
    } rows[] = {
        {KEY_A, 1},
        {KEY_A "\n", 1},
        {KEY_A "\r\n" KEY_B "\r\n", 2},
        {KEY_A "\n" KEY_B "\n" KEY_A "\n" KEY_B "\n" KEY_A "\n" KEY_B "\n" KEY_A "\n" KEY_B, 8},
        {KEY_A "\n" KEY_B "\n" KEY_A "\n" KEY_B "\n" KEY_A "\n" KEY_B "\n" KEY_A "\n" KEY_B
               "\n" KEY_A "\n",
         0},
        {"", 0},
        {"\n", 0},
        {KEY_A "0\n", 0},
        {KEY_A KEY_B "\n", 0},
        {KEY_A "\n0011\n", 0},
        {"g0112233445566778899aabbccddeeff00112233445566778899aabbccddeeff\n", 0},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct seal_keys keys;
        bool loaded = load(rows[i].text, &keys);
        assert_int_equal(loaded, rows[i].keys > 0);
        assert_int_equal(keys.n, rows[i].keys);
    }
    struct seal_keys keys;
    char error[SEAL_ERROR_SIZE];
    assert_true(seal_keys_load("", &keys, error));
    assert_int_equal(keys.n, 0);
    assert_false(seal_keys_load("/nonexistent/keys", &keys, error));
    assert_non_null(strstr(error, "/nonexistent/keys"));
}

static void opens_in_its_context_only(void **state)
{
    static const struct {
        const char *sealing, *opening, *context;
        bool opens;
    } rows[] = {
        {KEY_A, KEY_A, "channel-1", true},  {KEY_A, KEY_B "\n" KEY_A, "channel-1", true},
        {KEY_A, KEY_B, "channel-1", false}, {KEY_A, KEY_A, "channel-2", false},
        {KEY_A, NULL, "channel-1", false},  {NULL, KEY_A, "channel-2", true},
        {NULL, NULL, "channel-1", true},
    };
    static const struct str plain[] = {
        {"https://hooks.example.com/services/T0/B0/x", 42}, {"", 0}, {"a\0b", 3}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows) * COUNT(plain); i++) {
        struct seal_keys sealing = {0}, opening = {0};
        struct str text = plain[i % COUNT(plain)], opened;
        size_t row = i / COUNT(plain);
        if (rows[row].sealing)
            load(rows[row].sealing, &sealing);
        if (rows[row].opening)
            load(rows[row].opening, &opening);
        struct str sealed = seal(arena, &sealing, STR("channel-1"), text);
        assert_true(sealed.n <= text.n + SEAL_OVERHEAD);
        assert_int_equal(seal_open(arena, &opening, str_of(rows[row].context), sealed, &opened),
                         rows[row].opens);
        assert_true(!rows[row].opens || str_eq(opened, text));
        assert_true(rows[row].opens || !opened.p);
    }
}

/* Neither readable nor the same twice; any byte changed or missing, and it does not open. */
static void hides_and_notices(void **state)
{
    (void)state;
    struct seal_keys keys;
    struct str plain = STR("whsec_secret"), opened;
    load(KEY_A, &keys);
    struct str a = seal(arena, &keys, STR("c"), plain), b = seal(arena, &keys, STR("c"), plain);
    assert_false(str_eq(a, b));
    assert_false(str_has(a, STR("secret")));
    for (size_t i = 0; i < a.n; i++) {
        struct str damaged = arena_str(arena, a);
        ((char *)damaged.p)[i] ^= 1;
        assert_false(seal_open(arena, &keys, STR("c"), damaged, &opened));
        assert_false(seal_open(arena, &keys, STR("c"), str_sub(a, 0, i), &opened));
    }
    assert_false(seal_open(arena, &keys, STR("c"), (struct str){0}, &opened));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_are_read_strictly),
        cmocka_unit_test(opens_in_its_context_only),
        cmocka_unit_test(hides_and_notices),
    };
    return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
