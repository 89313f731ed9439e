/* inflate and deflate: what gzip, zlib and bad senders make. */
#include "base/arena.h"
#include "base/buf.h"
#include "codec/crc.h"
#include "codec/deflate.h"
#include "codec/inflate.h"
#include "codec/raw.h"
#include "scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>
#include <dlfcn.h>
#include <zlib.h>

/* zlib's, for all that is linked here. It is out of memory after so many calls; negative: never. */
static int calls_left = -1;

int inflate(z_streamp z, int flush)
{
    static int (*real)(z_streamp, int);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "inflate");
    if (calls_left == 0)
        return Z_MEM_ERROR;
    calls_left -= calls_left > 0;
    return real(z, flush);
}

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
    uint64_t total;
};

/* Inflates from pieces of that size, `room` bytes at once. */
static struct result inflated(struct str gzip, size_t piece, size_t room, uint64_t max)
{
    struct pieces pieces = {gzip, piece, false};
    struct inflate *in = inflate_open((struct source){read_piece, &pieces}, max);
    struct source source = inflate_source(in);
    struct buf out = buf_init(arena, SIZE_MAX);
    for (ptrdiff_t n = 1; n > 0;) {
        n = source.read(source.context, buf_reserve(&out, room), room);
        buf_commit(&out, n > 0 ? (size_t)n : 0);
    }
    if (inflate_error(in) != INFLATE_OK) /* it stays */
        assert_int_equal(source.read(source.context, buf_reserve(&out, 1), 1), -1);
    struct result result = {buf_str(&out), inflate_error(in), inflate_total(in)};
    inflate_free(in);
    return result;
}

static bool put(void *context, struct str bytes)
{
    buf_put(context, bytes);
    return true;
}

static struct str deflated(struct str text, int level, size_t piece)
{
    struct buf out = buf_init(arena, SIZE_MAX);
    struct deflate *gzip = deflate_open((struct sink){put, &out}, level);
    for (size_t at = 0; at < text.n; at += piece)
        assert_true(deflate_put(gzip, str_sub(text, at, piece)));
    assert_true(deflate_finish(gzip));
    assert_false(deflate_put(gzip, STR("more")));
    assert_false(deflate_finish(gzip));
    deflate_free(gzip);
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

static void round_trip(void **state)
{
    (void)state;
    static const size_t SIZES[] = {0, 1, 2, 100, 65535, 65536, 65537, 300000};
    for (size_t i = 0; i < sizeof SIZES / sizeof SIZES[0]; i++)
        for (int level = 1; level <= 9; level += 4) {
            struct str text = sample(SIZES[i]);
            struct str gzip = deflated(text, level, 64 * 1024);
            assert_true(inflate_is_gzip(gzip));
            struct result result = inflated(gzip, 1000, 4096, UINT64_MAX);
            assert_int_equal(result.code, INFLATE_OK);
            assert_int_equal(result.total, text.n);
            assert_true(str_eq(result.text, text));
            arena_reset(arena);
        }
    assert_false(inflate_is_gzip(STR("")));
    assert_false(inflate_is_gzip(STR("\x1F")));
    assert_false(inflate_is_gzip(STR("{}")));
}

/* The same bytes in, in whatever pieces, the same bytes out; no name, no time in the header. */
static void deterministic(void **state)
{
    (void)state;
    struct str text = sample(200000);
    struct str whole = deflated(text, 1, SIZE_MAX / 2), pieces = deflated(text, 1, 777);
    assert_true(str_eq(whole, pieces));
    assert_memory_equal(whole.p, "\x1F\x8B\x08\0\0\0\0\0", 8);
    arena_reset(arena);
}

static void cut_anywhere(void **state)
{
    (void)state;
    struct str text = sample(3000), gzip = deflated(text, 6, 3000);
    for (size_t n = 0; n < gzip.n; n++) {
        struct result result = inflated(str_sub(gzip, 0, n), 1 + n % 40, 1 + n % 4000, UINT64_MAX);
        assert_int_equal(result.code, INFLATE_E_TRUNCATED);
        assert_true(str_has_prefix(text, result.text));
        arena_reset(arena);
        text = sample(3000);
        gzip = deflated(text, 6, 3000);
    }
}

static void any_pieces(void **state)
{
    (void)state;
    struct str text = sample(3000), gzip = deflated(text, 6, 3000);
    for (size_t piece = 1; piece <= gzip.n; piece++)
        for (size_t room = 1; room < 4000; room = room * 3 + 1) {
            struct result result = inflated(gzip, piece, room, UINT64_MAX);
            assert_int_equal(result.code, INFLATE_OK);
            assert_true(str_eq(result.text, text));
        }
    arena_reset(arena);
}

/* A wrong bit anywhere is found, or it was one that means nothing: seven bytes of a header (time,
 * "is text", system) and what fills the last byte of the deflated bits. */
static void any_wrong_bit(void **state)
{
    (void)state;
    struct str text = sample(500), gzip = deflated(text, 6, 500);
    char *wrong = arena_bytes(arena, gzip.n);
    int unnoticed = 0;
    for (size_t i = 0; i < gzip.n; i++)
        for (int bit = 0; bit < 8; bit++) {
            memcpy(wrong, gzip.p, gzip.n);
            wrong[i] = (char)(wrong[i] ^ 1 << bit);
            struct result result = inflated((struct str){wrong, gzip.n}, 64, 4096, 1 << 20);
            assert_true(result.code != INFLATE_OK || str_eq(result.text, text));
            unnoticed += result.code == INFLATE_OK;
        }
    assert_in_range(unnoticed, 49, 49 + 7);
    arena_reset(arena);
}

static struct str joined(struct str a, struct str b)
{
    struct buf out = buf_init(arena, SIZE_MAX);
    buf_put(&out, a);
    buf_put(&out, b);
    return buf_str(&out);
}

static void members(void **state)
{
    (void)state;
    struct str one = sample(1000), two = sample(70000), nothing = deflated(STR(""), 6, 1);
    struct str gzip = joined(deflated(one, 1, 1000), joined(nothing, deflated(two, 9, 70000)));
    for (size_t piece = 1; piece < 3000; piece = piece * 2 + 1) {
        struct result result = inflated(gzip, piece, 1000, 71000);
        assert_int_equal(result.code, INFLATE_OK);
        assert_true(str_eq(result.text, joined(one, two)));
        assert_int_equal(inflated(joined(gzip, STR("x")), piece, 999, 71000).code,
                         INFLATE_E_CORRUPT);
        assert_int_equal(inflated(joined(gzip, STR("\0\0\0")), piece, 999, 71000).code,
                         INFLATE_E_CORRUPT);
        assert_int_equal(inflated(joined(gzip, STR("\x1F\x8B")), piece, 999, 71000).code,
                         INFLATE_E_TRUNCATED);
        assert_int_equal(inflated(gzip, piece, 1000, 70999).code, INFLATE_E_TOTAL);
    }
    arena_reset(arena);
}

static void other_formats(void **state)
{
    (void)state;
    static const struct str TEXTS[] = {{"{\"kind\":\"List\"}", 15},
                                       {"\x78\x9C\x03\x00\x00\x00\x00\x01", 8},
                                       {"PK\3\4", 4},
                                       {"\x1F\x8B\x07\0", 4},
                                       {"\x1F\x8B\x08\xE0", 4}};
    for (size_t i = 0; i < sizeof TEXTS / sizeof TEXTS[0]; i++)
        assert_int_equal(inflated(TEXTS[i], 5, 100, 100).code, INFLATE_E_CORRUPT);
    (void)state;
    arena_reset(arena);
}

/* Every part that a header may have. */
static void long_header(void **state)
{
    (void)state;
    z_stream z = {0};
    unsigned char out[512];
    gz_header header = {.text = 1,
                        .time = 1,
                        .extra = (unsigned char[]){1, 2, 3},
                        .extra_len = 3,
                        .name = (unsigned char[]){"a name"},
                        .comment = (unsigned char[]){"why"},
                        .hcrc = 1};
    assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, 31, 8, 0), Z_OK);
    deflateSetHeader(&z, &header);
    z.next_in = (unsigned char[]){"text"};
    z.avail_in = 4;
    z.next_out = out;
    z.avail_out = sizeof out;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    struct str gzip = {(char *)out, sizeof out - z.avail_out};
    deflateEnd(&z);
    for (size_t piece = 1; piece < 60; piece++) {
        struct result result = inflated(gzip, piece, 3, 4);
        assert_int_equal(result.code, INFLATE_OK);
        assert_true(str_eq(result.text, STR("text")));
    }
    arena_reset(arena);
}

/* A gigabyte of nothing is stopped after what is allowed, one byte under, just so, one over. */
static void bomb(void **state)
{
    (void)state;
    struct buf out = buf_init(arena, SIZE_MAX);
    struct deflate *gzip = deflate_open((struct sink){put, &out}, 9);
    static const char ZEROS[1 << 16];
    for (int i = 0; i < 1 << 10; i++)
        assert_true(deflate_put(gzip, (struct str){ZEROS, sizeof ZEROS}));
    assert_true(deflate_finish(gzip));
    deflate_free(gzip);
    for (uint64_t max = (64 << 20) - 1; max <= (64 << 20) + 1; max++) {
        struct str bytes = buf_str(&out);
        struct inflate *in = inflate_open(source_of(&bytes), max);
        struct source source = inflate_source(in);
        static char room[100000];
        uint64_t got = 0;
        ptrdiff_t n;
        while ((n = source.read(source.context, room, sizeof room)) > 0)
            got += (uint64_t)n;
        bool over = max < 64 << 20;
        assert_int_equal(n, over ? -1 : 0);
        assert_int_equal(inflate_error(in), over ? INFLATE_E_TOTAL : INFLATE_OK);
        assert_true(got <= max && (over || got == 64 << 20));
        inflate_free(in);
    }
    arena_reset(arena);
}

static void source_fails(void **state)
{
    (void)state;
    struct str gzip = deflated(sample(1000), 6, 1000);
    for (size_t n = 0; n <= gzip.n; n++) {
        struct pieces pieces = {str_sub(gzip, 0, n), 7, true};
        struct inflate *in = inflate_open((struct source){read_piece, &pieces}, 1 << 20);
        struct source source = inflate_source(in);
        char room[100];
        ptrdiff_t got;
        while ((got = source.read(source.context, room, sizeof room)) > 0)
            ;
        assert_int_equal(got, -1);
        assert_int_equal(inflate_error(in), INFLATE_E_SOURCE);
        inflate_free(in);
    }
    inflate_free(NULL);
    deflate_free(NULL);
    arena_reset(arena);
}

/* zlib allocates its window in the midst of it, ISA-L never. */
static void no_memory(void **state)
{
    (void)state;
    struct str text = sample(100000);
    struct str gzip = deflated(text, 6, 1000);
    calls_left = 3;
    struct result result = inflated(gzip, 1000, 4096, 1 << 20);
    bool zlib = calls_left == 0;
    calls_left = -1;
    assert_int_equal(result.code, zlib ? INFLATE_E_MEMORY : INFLATE_OK);
    assert_true(zlib ? result.text.n < text.n : str_eq(result.text, text));
    assert_int_equal(inflated(gzip, 1000, 4096, 1 << 20).code, INFLATE_OK);
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
    struct deflate *gzip = deflate_open((struct sink){refuse, NULL}, 1);
    struct str text = sample(1 << 20);
    assert_false(deflate_put(gzip, text));
    assert_false(deflate_put(gzip, STR("")));
    assert_false(deflate_finish(gzip));
    deflate_free(gzip);
    arena_reset(arena);
}

/* The folded CRC and that of the library are zlib's, of every length, alignment and beginning. */
static void checksums(void **state)
{
    (void)state;
    struct str text = sample(5000);
    assert_int_equal(crc_update(0, STR("123456789")), 0xCBF43926);
    for (size_t n = 0; n < 1000; n++) {
        struct str piece = str_sub(text, n % 33, n);
        uint32_t begin = (uint32_t)(n * 2654435761u);
        assert_int_equal(crc_update(begin, piece), crc_update_plain(begin, piece));
        assert_int_equal(raw_crc(begin, piece), crc_update_plain(begin, piece));
    }
    assert_int_equal(crc_update(crc_update(0, str_sub(text, 0, 1234)), str_sub(text, 1234, 5000)),
                     crc_update_plain(0, text));
    arena_reset(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trip),    cmocka_unit_test(deterministic),
        cmocka_unit_test(cut_anywhere),  cmocka_unit_test(any_pieces),
        cmocka_unit_test(any_wrong_bit), cmocka_unit_test(members),
        cmocka_unit_test(other_formats), cmocka_unit_test(long_header),
        cmocka_unit_test(bomb),          cmocka_unit_test(source_fails),
        cmocka_unit_test(sink_refuses),  cmocka_unit_test(checksums),
        cmocka_unit_test(no_memory),
    };
    return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
