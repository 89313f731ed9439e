/* zstd: what it writes it reads, and what bad senders make is refused. */
#include "base/arena.h"
#include "base/buf.h"
#include "codec/decompress.h"
#include "codec/zstd.h"
#include "scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>
#include <zstd.h>

struct pieces {
    struct str text;
    size_t size;
    bool fails; /* at the end */
};

static ptrdiff_t read_piece(void *context, char *dst, size_t cap)
{
    struct pieces *pieces = context;
    struct str piece = str_sub(pieces->text, 0, pieces->size < cap ? pieces->size : cap);
    if (piece.n == 0 && pieces->fails)
        return -1;
    if (piece.n)
        memcpy(dst, piece.p, piece.n);
    pieces->text = str_sub(pieces->text, piece.n, pieces->text.n);
    return (ptrdiff_t)piece.n;
}

struct result {
    struct str text;
    enum inflate_code code;
};

/* Reads from pieces of that size, `room` bytes at once. */
static struct result unpacked(struct str zstd, size_t piece, size_t room, uint64_t max)
{
    struct pieces pieces = {zstd, piece, false};
    struct zstd_reader *in = zstd_reader_open((struct source){read_piece, &pieces}, max);
    struct source source = zstd_reader_source(in);
    struct buf out = buf_init(arena, SIZE_MAX);
    for (ptrdiff_t n = 1; n > 0;) {
        n = source.read(source.context, buf_reserve(&out, room), room);
        buf_commit(&out, n > 0 ? (size_t)n : 0);
    }
    if (zstd_reader_error(in) != INFLATE_OK) /* it stays */
        assert_int_equal(source.read(source.context, buf_reserve(&out, 1), 1), -1);
    struct result result = {buf_str(&out), zstd_reader_error(in)};
    zstd_reader_free(in);
    return result;
}

static bool put(void *context, struct str bytes)
{
    buf_put(context, bytes);
    return true;
}

static struct str packed(struct str text, int level, size_t piece)
{
    struct buf out = buf_init(arena, SIZE_MAX);
    struct zstd_writer *zstd = zstd_writer_open((struct sink){put, &out}, level);
    for (size_t at = 0; at < text.n; at += piece)
        assert_true(zstd_writer_put(zstd, str_sub(text, at, piece)));
    assert_true(zstd_writer_finish(zstd));
    assert_false(zstd_writer_put(zstd, STR("more")));
    assert_false(zstd_writer_finish(zstd));
    zstd_writer_free(zstd);
    return buf_str(&out);
}

/* Text that repeats itself, but not too much. */
static struct str sample(size_t n)
{
    struct buf out = buf_init(arena, SIZE_MAX);
    for (unsigned i = 0; out.n < n; i++)
        buf_printf(&out, "{\"name\":\"pod-%u\",\"uid\":\"%08x\"}\n", i, i * 2654435761u);
    return str_sub(buf_str(&out), 0, n);
}

static struct str joined(struct str a, struct str b)
{
    struct buf out = buf_init(arena, SIZE_MAX);
    buf_put(&out, a);
    buf_put(&out, b);
    return buf_str(&out);
}

/* A frame that is passed over, with n bytes in it. */
static struct str skippable(unsigned kind, uint32_t n)
{
    struct buf out = buf_init(arena, SIZE_MAX);
    buf_putc(&out, (char)(0x50 + kind));
    buf_put(&out, STR("\x2A\x4D\x18"));
    for (int i = 0; i < 4; i++)
        buf_putc(&out, (char)(n >> 8 * i));
    buf_put(&out, sample(n));
    return buf_str(&out);
}

static void round_trip(void **state)
{
    (void)state;
    static const size_t SIZES[] = {0, 1, 2, 100, 65535, 65536, 131072, 131073, 3000000};
    for (size_t i = 0; i < sizeof SIZES / sizeof SIZES[0]; i++)
        for (int level = 1; level <= 19; level += 9) {
            struct str text = sample(SIZES[i]);
            struct str zstd = packed(text, level, 64 * 1024);
            assert_true(zstd_is_start(zstd));
            struct result result = unpacked(zstd, 1000, 4096, text.n);
            assert_int_equal(result.code, INFLATE_OK);
            assert_true(str_eq(result.text, text));
            arena_reset(arena);
        }
}

static void what_it_is(void **state)
{
    (void)state;
    static const struct {
        struct str start;
        enum compression compression;
    } rows[] = {
        {STR("\x28\xB5\x2F\xFD"), COMPRESSION_ZSTD},
        {STR("\x50\x2A\x4D\x18"), COMPRESSION_ZSTD},
        {STR("\x5F\x2A\x4D\x18..."), COMPRESSION_ZSTD},
        {STR("\x1F\x8B"), COMPRESSION_GZIP},
        {STR("\x28\xB5\x2F"), COMPRESSION_NONE},
        {STR("\x60\x2A\x4D\x18"), COMPRESSION_NONE},
        {STR("\x27\xB5\x2F\xFD"), COMPRESSION_NONE},
        {STR("\x50\xB5\x2F\xFD"), COMPRESSION_NONE},
        {STR("(this)"), COMPRESSION_NONE},
        {STR("{}"), COMPRESSION_NONE},
        {STR(""), COMPRESSION_NONE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(compression_of(rows[i].start), rows[i].compression);
    assert_true(str_eq(compression_name(COMPRESSION_NONE), STR("identity")));
    assert_true(str_eq(compression_name(COMPRESSION_ZSTD), STR("zstd")));
}

/* The same bytes in, in whatever pieces, the same bytes out. */
static void any_pieces_in(void **state)
{
    (void)state;
    struct str text = sample(400000), whole = packed(text, 1, SIZE_MAX / 2);
    assert_true(str_eq(whole, packed(text, 1, 777)));
    assert_true(str_eq(whole, packed(text, 1, 1)));
    arena_reset(arena);
}

static void any_pieces_out(void **state)
{
    (void)state;
    struct str text = sample(3000);
    struct str zstd = joined(skippable(3, 5), joined(packed(text, 6, 3000), skippable(0, 0)));
    for (size_t piece = 1; piece <= zstd.n; piece++)
        for (size_t room = 1; room < 4000; room = room * 3 + 1) {
            struct result result = unpacked(zstd, piece, room, text.n);
            assert_int_equal(result.code, INFLATE_OK);
            assert_true(str_eq(result.text, text));
        }
    arena_reset(arena);
}

static void cut_anywhere(void **state)
{
    (void)state;
    for (size_t n = 0;; n++) {
        struct str text = sample(3000), zstd = joined(skippable(1, 9), packed(text, 6, 3000));
        bool whole = n == zstd.n, skipped = n == 17;
        struct result result = unpacked(str_sub(zstd, 0, n), 1 + n % 40, 1 + n % 4000, 3000);
        assert_int_equal(result.code, whole || skipped ? INFLATE_OK : INFLATE_E_TRUNCATED);
        assert_true(str_has_prefix(text, result.text));
        arena_reset(arena);
        if (whole)
            break;
    }
}

/* A wrong bit anywhere is found, or the text is the same without it: a bit of the header that is
 * not used, a larger window, what fills the last bytes of bits. */
static void any_wrong_bit(void **state)
{
    (void)state;
    struct str text = sample(500), zstd = packed(text, 6, 500);
    char *wrong = arena_bytes(arena, zstd.n);
    int unnoticed = 0;
    for (size_t i = 0; i < zstd.n; i++)
        for (int bit = 0; bit < 8; bit++) {
            memcpy(wrong, zstd.p, zstd.n);
            wrong[i] = (char)(wrong[i] ^ 1 << bit);
            struct result result = unpacked((struct str){wrong, zstd.n}, 64, 4096, 1 << 20);
            assert_true(result.code != INFLATE_OK || str_eq(result.text, text));
            unnoticed += result.code == INFLATE_OK;
        }
    assert_in_range(unnoticed, 1, 48);
    arena_reset(arena);
}

static void frames(void **state)
{
    (void)state;
    struct str one = sample(1000), two = sample(70000), nothing = packed(STR(""), 6, 1);
    struct str zstd = joined(skippable(0, 100000), packed(one, 1, 1000));
    zstd = joined(zstd, joined(nothing, joined(skippable(15, 1), packed(two, 9, 70000))));
    for (size_t piece = 1; piece < 3000; piece = piece * 2 + 1) {
        struct result result = unpacked(zstd, piece, 1000, 71000);
        assert_int_equal(result.code, INFLATE_OK);
        assert_true(str_eq(result.text, joined(one, two)));
        assert_int_equal(unpacked(joined(zstd, skippable(7, 3)), piece, 999, 71000).code,
                         INFLATE_OK);
        assert_int_equal(unpacked(zstd, piece, 1000, 70999).code, INFLATE_E_TOTAL);
    }
    assert_int_equal(unpacked(skippable(0, 7), 5, 100, 0).code, INFLATE_OK);
    arena_reset(arena);
}

static void what_follows(void **state)
{
    (void)state;
    static const struct {
        struct str more;
        enum inflate_code code;
    } rows[] = {
        {STR("x"), INFLATE_E_CORRUPT},
        {STR("\n"), INFLATE_E_CORRUPT},
        {STR("\0\0\0"), INFLATE_E_CORRUPT},
        {STR("\0\0\0\0\0\0\0\0"), INFLATE_E_CORRUPT},
        {STR("{\"kind\":\"List\"}"), INFLATE_E_CORRUPT},
        {STR("\x1F\x8B\x08\0\0\0\0\0"), INFLATE_E_CORRUPT},
        {STR("\x28"), INFLATE_E_TRUNCATED},
        {STR("\x28\xB5\x2F"), INFLATE_E_TRUNCATED},
        {STR("\x28\xB5\x2F\xFD"), INFLATE_E_TRUNCATED},
        {STR("\x5A\x2A"), INFLATE_E_TRUNCATED},
        {STR("\x28\xB5\x2F\xFE"), INFLATE_E_CORRUPT},
    };
    struct str zstd = packed(sample(300), 3, 300);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (size_t piece = 1; piece < 100; piece += 7) {
            struct result result = unpacked(joined(zstd, rows[i].more), piece, 500, 1000);
            assert_int_equal(result.code, rows[i].code);
            assert_int_equal(unpacked(rows[i].more, piece, 500, 1000).code, rows[i].code);
        }
    assert_int_equal(unpacked(STR(""), 1, 1, 1).code, INFLATE_E_TRUNCATED);
    arena_reset(arena);
}

/* libzstd takes the formats of its first years as well: nobody sends them, and few look at them. */
static void former_formats(void **state)
{
    (void)state;
    static const char *const formats[] = {
        "\x1E\xB5\x2F\xFD", "\xFD\x2F\xB5\x1E", "\x22\xB5\x2F\xFD", "\x23\xB5\x2F\xFD",
        "\x24\xB5\x2F\xFD", "\x25\xB5\x2F\xFD", "\x26\xB5\x2F\xFD", "\x27\xB5\x2F\xFD"};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        char former[64] = {0};
        struct str zstd = {former, sizeof former};
        memcpy(former, formats[i], 4);
        assert_false(zstd_is_start(zstd));
        assert_int_equal(unpacked(zstd, 64, 100, 100).code, INFLATE_E_CORRUPT);
    }
    arena_reset(arena);
}

/* Text as another sender compresses it. */
static struct str sent(struct str text, int window_log, struct str dictionary)
{
    ZSTD_CCtx *z = ZSTD_createCCtx();
    size_t cap = ZSTD_compressBound(text.n);
    char *out = arena_bytes(arena, cap);
    ZSTD_CCtx_setParameter(z, ZSTD_c_windowLog, window_log);
    ZSTD_CCtx_loadDictionary(z, dictionary.p, dictionary.n);
    ZSTD_inBuffer input = {text.p, text.n, 0};
    ZSTD_outBuffer output = {out, cap, 0};
    /* In two steps: the size is then not in the header, and the window is what was asked for. */
    assert_false(ZSTD_isError(ZSTD_compressStream2(z, &output, &input, ZSTD_e_flush)));
    assert_int_equal(ZSTD_compressStream2(z, &output, &input, ZSTD_e_end), 0);
    ZSTD_freeCCtx(z);
    return (struct str){out, output.pos};
}

static void windows(void **state)
{
    (void)state;
    struct str text = sample(100000);
    for (int window = 10; window <= 27; window++) {
        struct result result = unpacked(sent(text, window, STR("")), 5000, 5000, text.n);
        bool allowed = 1 << window <= ZSTD_WINDOW_MAX;
        assert_int_equal(result.code, allowed ? INFLATE_OK : INFLATE_E_WINDOW);
        assert_true(!allowed || str_eq(result.text, text));
    }
    arena_reset(arena);
}

/* What was compressed with a dictionary cannot be read without it. */
static void dictionary(void **state)
{
    (void)state;
    struct str text = sample(2000);
    struct result result = unpacked(sent(text, 17, text), 5000, 5000, text.n);
    assert_int_equal(result.code, INFLATE_E_CORRUPT);
    arena_reset(arena);
}

/* 64 MiB of nothing are stopped after what is allowed, one byte under, just so, one over. */
static void bomb(void **state)
{
    (void)state;
    struct buf out = buf_init(arena, SIZE_MAX);
    struct zstd_writer *zstd = zstd_writer_open((struct sink){put, &out}, 9);
    static const char ZEROS[1 << 16];
    for (int i = 0; i < 1 << 10; i++)
        assert_true(zstd_writer_put(zstd, (struct str){ZEROS, sizeof ZEROS}));
    assert_true(zstd_writer_finish(zstd));
    zstd_writer_free(zstd);
    for (uint64_t max = (64 << 20) - 1; max <= (64 << 20) + 1; max++) {
        struct str bytes = buf_str(&out);
        struct zstd_reader *in = zstd_reader_open(source_of(&bytes), max);
        struct source source = zstd_reader_source(in);
        static char room[100000];
        uint64_t got = 0;
        ptrdiff_t n;
        while ((n = source.read(source.context, room, sizeof room)) > 0)
            got += (uint64_t)n;
        bool over = max < 64 << 20;
        assert_int_equal(n, over ? -1 : 0);
        assert_int_equal(zstd_reader_error(in), over ? INFLATE_E_TOTAL : INFLATE_OK);
        assert_true(got <= max && (over || got == 64 << 20));
        zstd_reader_free(in);
    }
    arena_reset(arena);
}

static void source_fails(void **state)
{
    (void)state;
    struct str zstd = packed(sample(1000), 6, 1000);
    for (size_t n = 0; n <= zstd.n; n++) {
        struct pieces pieces = {str_sub(zstd, 0, n), 7, true};
        struct zstd_reader *in = zstd_reader_open((struct source){read_piece, &pieces}, 1 << 20);
        struct source source = zstd_reader_source(in);
        char room[100];
        ptrdiff_t got;
        while ((got = source.read(source.context, room, sizeof room)) > 0)
            ;
        assert_int_equal(got, -1);
        assert_int_equal(zstd_reader_error(in), INFLATE_E_SOURCE);
        zstd_reader_free(in);
    }
    zstd_reader_free(NULL);
    zstd_writer_free(NULL);
    decompress_free(NULL);
    arena_reset(arena);
}

static bool refuse(void *context, struct str bytes)
{
    (void)context;
    (void)bytes;
    return false;
}

static void sink_refuses(void **state)
{
    (void)state;
    struct zstd_writer *zstd = zstd_writer_open((struct sink){refuse, NULL}, 1);
    assert_false(zstd_writer_put(zstd, sample(4 << 20)));
    assert_false(zstd_writer_put(zstd, STR("")));
    assert_false(zstd_writer_finish(zstd));
    zstd_writer_free(zstd);
    arena_reset(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trip),     cmocka_unit_test(what_it_is),
        cmocka_unit_test(any_pieces_in),  cmocka_unit_test(any_pieces_out),
        cmocka_unit_test(cut_anywhere),   cmocka_unit_test(any_wrong_bit),
        cmocka_unit_test(frames),         cmocka_unit_test(what_follows),
        cmocka_unit_test(former_formats), cmocka_unit_test(windows),
        cmocka_unit_test(dictionary),     cmocka_unit_test(bomb),
        cmocka_unit_test(source_fails),   cmocka_unit_test(sink_refuses),
    };
    return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
