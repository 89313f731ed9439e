/* Real snapshots come back from their base, and what becomes of them from its delta. */
#include "base/buf.h"
#include "codec/decompress.h"
#include "deltas.h"

#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

enum { PIECE = 32 * 1024, ROOM = 64 * 1024, LARGEST = 64 << 20 };

static struct str read_gzip(struct arena *own, const char *path)
{
    struct buf packed = buf_init(own, SIZE_MAX / 2), out = packed;
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t n = 1;
    while (n) {
        n = fread(buf_reserve(&packed, ROOM), 1, ROOM, file);
        buf_commit(&packed, n);
    }
    fclose(file);
    struct str bytes = buf_str(&packed);
    struct decompress *in = decompress_open(COMPRESSION_GZIP, source_of(&bytes), UINT64_MAX);
    struct source source = decompress_source(in);
    assert_non_null(buf_reserve(&out, LARGEST));
    for (ptrdiff_t more = 1; more > 0;) {
        more = source.read(source.context, buf_reserve(&out, ROOM), ROOM);
        buf_commit(&out, more > 0 ? (size_t)more : 0);
    }
    decompress_free(in);
    return buf_str(&out);
}

/* Every so many bytes some are other ones, left out, or put in. */
static struct str churn(struct arena *own, struct str text, unsigned seed)
{
    struct buf out = buf_init(own, SIZE_MAX / 2);
    assert_non_null(buf_reserve(&out, text.n + text.n / 4 + LARGEST / 64));
    for (size_t at = 0; at < text.n;) {
        size_t step = 20000 + str_hash(seed, str_sub(text, at, 16)) % 60000;
        struct str part = str_sub(text, at, step);
        buf_put(&out, part);
        at += part.n;
        switch (seed++ % 4) {
        case 0:
            buf_put(&out, STR("{\"inserted\":true},"));
            break;
        case 1:
            at += 37; /* left out */
            break;
        case 2:
            buf_put(&out, str_sub(part, 0, 9000)); /* twice */
            break;
        default:
            buf_putc(&out, (char)('a' + seed % 26));
            at++;
        }
    }
    return buf_str(&out);
}

static void come_back(const char *path)
{
    struct arena *kept = arena_new((size_t)1 << 30), *own = arena_new((size_t)1 << 30);
    struct str text = read_gzip(kept, path);
    struct delta_stored stored = delta_store_text(kept, text, PIECE);
    struct delta_result again = delta_read_text(own, &stored, (struct str){0}, ROOM);
    assert_true(again.right && str_eq(again.text, text));
    for (unsigned seed = 1; seed < 4; seed++) {
        arena_reset(own);
        delta_round_trip(own, &stored, churn(own, text, seed));
    }
    delta_base_free(stored.base);
    arena_free(own);
    arena_free(kept);
}

static glob_t found;

static void real_snapshots_come_back(void **state)
{
    (void)state;
    for (size_t i = 0; i < found.gl_pathc; i++)
        come_back(found.gl_pathv[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(real_snapshots_come_back)};
    const char *shared = getenv("LOADLINE_SHARED");
    char pattern[4096];
    snprintf(pattern, sizeof pattern, "%s/snapshots/*.json.gz", shared ? shared : "../shared");
    if (glob(pattern, 0, NULL, &found) != 0) {
        printf("1..0 # SKIP there is no %s\n", pattern);
        return 0;
    }
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    globfree(&found);
    return failed;
}
