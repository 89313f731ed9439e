/* What is of no kind that is read is counted, by kind. */
#include "reading.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#define COUNT(array)     (sizeof(array) / sizeof *(array))
#define POD              "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'p'}}"
#define A(version, kind) "{'apiVersion':'" version "','kind':'" kind "','metadata':{'name':'a'}}"
#define WIDGET           A("example.com/v1", "Widget")
#define GADGET           A("example.com/v1", "Gadget")
#define KIND_63          "Kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk"
#define BARE             "{'metadata':{'name':'a'}}"

/* "Widget example.com/v1 2, Gadget  1" */
static struct str unread_text(const struct reading *reading)
{
    struct buf out = buf_init(reading->arena, SIZE_MAX);
    const struct unread_kind *kind;
    LIST_EACH (kind, reading->cluster->unread)
        buf_printf(&out, "%s%" STR_FMT " %" STR_FMT " %u", out.n ? ", " : "", STR_ARG(kind->kind),
                   STR_ARG(kind->api_version), kind->objects);
    return buf_str(&out);
}

static void kinds_are_counted(void **state)
{
    (void)state;
    static const struct {
        const char *document, *expected;
    } rows[] = {
        {POD, ""},
        {POD WIDGET, "Widget example.com/v1 1"},
        {"[" POD "," GADGET "," WIDGET "," WIDGET "]",
         "Widget example.com/v1 2, Gadget example.com/v1 1"},
        {"[" WIDGET "," GADGET "," POD "]", "Gadget example.com/v1 1, Widget example.com/v1 1"},
        {"[" A("example.com/v2", "Widget") "," WIDGET "," POD "]",
         "Widget example.com/v1 1, Widget example.com/v2 1"},
        /* names that no API server takes: one byte over, and what is told stays short */
        {A("example.com/v1", KIND_63) A("example.com/v1", KIND_63 "k") POD,
         KIND_63 " example.com/v1 1, others  1"},
        {A("v" KIND_63 KIND_63 KIND_63 KIND_63 KIND_63 "v", "Widget") A("e.com/v1", KIND_63 KIND_63)
             WIDGET POD,
         "Widget example.com/v1 1, Widget v" KIND_63 KIND_63 KIND_63 KIND_63 KIND_63 "v 1, "
         "others  1"},
        {A("vv" KIND_63 KIND_63 KIND_63 KIND_63 KIND_63 "v", "Widget") WIDGET POD,
         "Widget example.com/v1 1, others  1"},
        /* a kind that is read, of another API */
        {"[" A("example.com/v1", "Pod") "," POD "]", "Pod example.com/v1 1"},
        /* lists that say what is in them */
        {"{'kind':'WidgetList','apiVersion':'example.com/v1','items':[" BARE "," BARE "]}" POD,
         "Widget example.com/v1 2"},
        {"{'items':[" BARE "],'kind':'WidgetList','apiVersion':'example.com/v1'}" POD,
         "Widget example.com/v1 1"},
        {"{'kind':'List','apiVersion':'v1','items':[" BARE "," POD "]}", "  1"},
        /* collections */
        {"{'pods':[" POD "],'widgets':[" BARE ",1," BARE "],'gadgets':[],'things':{'items':[]}}",
         "widgets  3, things  0"},
        {"{'pods':[" POD "],'version':'1','widgets':null}", ""},
        {"{'pods':[{},{'foo':1}," POD "]}", "  2"},
    };
    for (size_t i = 0; i < COUNT(rows); i++)
        for (size_t piece = 0; piece < 2; piece++)
            for (enum reading_mode mode = READING_PLAIN; mode <= READING_REDACT;
                 mode += READING_REDACT) {
                struct reading reading = reading_open(rows[i].document, mode, piece);
                assert_non_null(reading.cluster);
                struct str got = unread_text(&reading);
                if (!str_eq(got, str_of(rows[i].expected)))
                    fail_msg("%s\n     got: %" STR_FMT "\nexpected: %s", rows[i].document,
                             STR_ARG(got), rows[i].expected);
                reading_close(&reading);
            }
}

/* However many kinds somebody makes up, those beyond the first thousand are one. */
static void many_kinds_cost_little(void **state)
{
    (void)state;
    enum { KINDS = 3000 };
    struct arena *arena = arena_new(64 * 1024 * 1024);
    struct buf out = buf_init(arena, SIZE_MAX);
    buf_put(&out, STR("{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"p\"}}"));
    for (int i = 0; i < 2 * KINDS; i++)
        buf_printf(&out, "{\"apiVersion\":\"v1\",\"kind\":\"K%d\",\"metadata\":{}}", i % KINDS);
    struct reading reading = reading_of(buf_str(&out), READING_PLAIN, 0);
    assert_non_null(reading.cluster);
    assert_int_equal(reading.cluster->unread.n, 1001);
    assert_true(str_eq(reading.cluster->unread.items[0].kind, STR("others")));
    assert_int_equal(reading.cluster->unread.items[0].objects, 2 * (KINDS - 1000));
    assert_int_equal(reading.cluster->unread.items[1].objects, 2);
    reading_close(&reading);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_are_counted),
        cmocka_unit_test(many_kinds_cost_little),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
