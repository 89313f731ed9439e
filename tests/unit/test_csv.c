#include "codec/csv.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "base/clock.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void cells(void **state)
{
    static const struct {
        const char *text, *want;
    } rows[] = {
        {"", ""},
        {"plain", "plain"},
        {" spaced ", " spaced "},
        {"a,b", "\"a,b\""},
        {"a\"b", "\"a\"\"b\""},
        {"\"", "\"\"\"\""},
        {"\"\"", "\"\"\"\"\"\""},
        {"a\nb", "\"a\nb\""},
        {"a\rb", "\"a\rb\""},
        {"=1+1", "'=1+1"},
        {"\n=1+1", "\"'\n=1+1\""},
        {"+1", "'+1"},
        {"-1", "'-1"},
        {"@SUM(A1)", "'@SUM(A1)"},
        {"\tx", "'\tx"},
        {"\rx", "\"'\rx\""},
        {"=\"a\",b", "\"'=\"\"a\"\",b\""},
        {"a=1", "a=1"},
        {" =1+1", "' =1+1"},
        {"  \v\f@x", "'  \xEF\xBF\xBD\xEF\xBF\xBD@x"},
        {"\x01=1", "\xEF\xBF\xBD=1"},
        {"a\x1B[2J\x7F", "a\xEF\xBF\xBD[2J\xEF\xBF\xBD"},
        {"\xC2\x9B=1,", "\"\xEF\xBF\xBD=1,\""},
        {"\xC2\xA0\xC2", "\xC2\xA0\xC2"},
        {"a\tb", "a\tb"},
        {" \t", "' \t"},
        {" a=1", " a=1"},
        {"   ", "   "},
        {"\xC2\xA0=1", "'\xC2\xA0=1"},
        {"\xE3\x80\x80-1", "'\xE3\x80\x80-1"},
        {"\xE2\x80\x8B+1", "'\xE2\x80\x8B+1"},
        {"\xEF\xBB\xBF=1", "'\xEF\xBB\xBF=1"},
        {"\xEF\xBB", "\xEF\xBB"},
        {"\xEF\xBC\x9D"
         "1+1",
         "'\xEF\xBC\x9D"
         "1+1"},
        {"\xEF\xBC\x8B"
         "1",
         "'\xEF\xBC\x8B"
         "1"},
        {"\xEF\xBC\x8D"
         "1",
         "'\xEF\xBC\x8D"
         "1"},
        {"\xEF\xBC\xA0SUM(A1)", "'\xEF\xBC\xA0SUM(A1)"},
        {" \xEF\xBC\x9D"
         "1,2",
         "\"' \xEF\xBC\x9D"
         "1,2\""},
        {"\xEF\xBC\xA1", "\xEF\xBC\xA1"},
        {"'quoted", "'quoted"},
        {"\xC3\xA9", "\xC3\xA9"},
    };
    (void)state;
    struct arena *arena = arena_new(1 << 20);
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct buf out = buf_init(arena, 1000);
        struct csv csv;
        csv_init(&csv, &out);
        csv_str(&csv, str_of(rows[i].text));
        csv_str(&csv, str_of(rows[i].text));
        csv_end_row(&csv);
        char want[200];
        snprintf(want, sizeof want, "%s,%s\n", rows[i].want, rows[i].want);
        assert_string_equal(arena_str(arena, buf_str(&out)).p, want);
    }
    arena_free(arena);
}

static void rows(void **state)
{
    (void)state;
    struct arena *arena = arena_new(1 << 20);
    struct buf out = buf_init(arena, 1000);
    struct csv csv;
    csv_init(&csv, &out);
    csv_time(&csv, INT64_C(1773749659000));
    csv_time(&csv, TIME_NONE);
    csv_int(&csv, -5);
    csv_hundredths(&csv, -5);
    csv_hundredths(&csv, 1250);
    csv_hundredths(&csv, 700);
    csv_hundredths(&csv, 0);
    csv_ten_thousandths(&csv, 3391);
    csv_ten_thousandths(&csv, 20500);
    csv_str(&csv, (struct str){NULL, 0});
    csv_end_row(&csv);
    csv_end_row(&csv);
    csv_int(&csv, INT64_MIN);
    csv_end_row(&csv);
    assert_string_equal(
        arena_str(arena, buf_str(&out)).p,
        "2026-03-17T12:14:19.000Z,,-5,-0.05,12.5,7,0,0.3391,2.05,\n\n-9223372036854775808\n");
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells),
        cmocka_unit_test(rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
