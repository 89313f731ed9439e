/* jr over the table of documents, in every way it can be read and cut at every byte. */
#include "jr_documents.h"
#include "jr_dump.h"
#include "scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

enum { PADS = 97 }; /* blanks in front: each byte stands at each place of a block */

static const char *shown(struct str s)
{
    return arena_printf(arena, "%" STR_FMT, STR_ARG(str_sub(s, 0, 300))).p;
}

static void report(const struct jr_document *document, struct jr_setting s, size_t pad,
                   const struct jr_dump *dump)
{
    print_error(
        "%s\nway %d kernel %d window %zu piece %zu pad %zu\nread %s\nerror %d at %lld: %s\n",
        shown(document->text), (int)s.way, (int)s.kernel, s.window, s.piece, pad, shown(dump->json),
        (int)dump->error.code, (long long)(dump->error.offset - pad),
        dump->error.text ? dump->error.text : "");
}

static bool is_right(const struct jr_document *document, struct jr_setting s, size_t pad,
                     const struct jr_dump *dump, struct str text)
{
    if (dump->error.code != document->code)
        return false;
    if (document->code != JR_OK)
        return dump->error.offset == document->offset + pad && dump->error.text != NULL;
    struct str json = document->json ? str_of(document->json) : document->text;
    bool whole = s.way == JR_WAY_WALK || s.way == JR_WAY_REWIND || s.way == JR_WAY_JUMP ||
                 s.way == JR_WAY_UNREAD;
    return (!whole || str_eq(dump->json, json)) &&
           (s.way == JR_WAY_REPLACE || str_eq(dump->tapped, text));
}

static void check(const struct jr_document *document, struct jr_setting s, size_t pad)
{
    char *padded = arena_bytes(arena, pad + document->text.n);
    memset(padded, ' ', pad);
    memcpy(padded + pad, document->text.p, document->text.n);
    struct str text = {padded, pad + document->text.n};
    struct jr_dump dump = jr_dump(arena, text, s);
    if (!is_right(document, s, pad, &dump, text)) {
        report(document, s, pad, &dump);
        fail();
    }
    arena_reset(arena);
}

static void whole(void **state)
{
    (void)state;
    for (size_t i = 0; i < JR_DOCUMENTS_COUNT; i++)
        for (enum jr_kernel kernel = 0; jr_has_kernel(kernel); kernel++)
            for (enum jr_way way = 0; way < JR_WAYS; way++)
                check(&JR_DOCUMENTS[i],
                      (struct jr_setting){way, kernel, 64 * 1024, SIZE_MAX, JR_WIDE}, 0);
}

/* In pieces of every size, and of one byte in windows of many sizes, at every place of a block. */
static void cut(void **state)
{
    (void)state;
    enum jr_kernel best = jr_kernel_best();
    for (size_t i = 0; i < JR_DOCUMENTS_COUNT; i++)
        for (size_t pad = 0; pad < PADS; pad++)
            for (enum jr_way way = 0; way < JR_WAYS; way++) {
                enum jr_kernel kernel = (enum jr_kernel)(pad % (best + 1u));
                struct jr_setting s = {way, kernel, JR_WINDOW_MIN + pad, 1, JR_WIDE};
                check(&JR_DOCUMENTS[i], s, pad);
                s = (struct jr_setting){way, best, JR_WINDOW_MIN, pad + 1, JR_WIDE};
                check(&JR_DOCUMENTS[i], s, PADS - pad);
            }
}

/* Every prefix of a right document is itself right, or is cut inside of a value. */
static void prefixes(void **state)
{
    (void)state;
    static const char TEXT[] =
        "{\"a\":[1,-2.5e3,true,{\"b\\n\":\"\\ud83d\\ude00 \xE2\x82\xAC\"},null],"
        "\"c\":{\"d\":\"\"},\"e\":[]} [0]";
    size_t document = strlen(TEXT) - strlen(" [0]");
    for (size_t n = 0; n <= strlen(TEXT); n++)
        for (enum jr_way way = 0; way < JR_WAYS; way++) {
            struct jr_setting s = {way, jr_kernel_best(), JR_WINDOW_MIN, 1 + n % 7, JR_WIDE};
            struct jr_dump dump = jr_dump(arena, (struct str){TEXT, n}, s);
            bool right = n == 0 || n == document || n == document + 1 || n == strlen(TEXT);
            assert_int_equal(dump.error.code, right ? JR_OK : JR_E_TRUNCATED);
            assert_int_equal(dump.error.offset, right ? 0 : n);
            arena_reset(arena);
        }
}

/* What the tap saw with strings replaced reads as what was read. */
static void replaces(void **state)
{
    (void)state;
    for (size_t i = 0; i < JR_DOCUMENTS_COUNT; i++) {
        if (JR_DOCUMENTS[i].code != JR_OK)
            continue;
        struct jr_setting s = {JR_WAY_REPLACE, jr_kernel_best(), JR_WINDOW_MIN + i, 1 + i % 50,
                               JR_WIDE};
        struct jr_dump replaced = jr_dump(arena, JR_DOCUMENTS[i].text, s);
        s.way = JR_WAY_WALK;
        struct jr_dump again = jr_dump(arena, replaced.tapped, s);
        assert_int_equal(again.error.code, JR_OK);
        assert_string_equal(shown(again.json), shown(replaced.json));
        assert_true(str_eq(again.json, replaced.json));
        arena_reset(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole),
        cmocka_unit_test(cut),
        cmocka_unit_test(prefixes),
        cmocka_unit_test(replaces),
    };
    return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
