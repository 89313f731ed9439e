#include "codec/jr_index.h"

#include "base/hex.h"
#include "codec/jr_mask.h"

enum { NO_FAULT = JR_BLOCK };

typedef void mask_kernel(const char *p, struct jr_mask *m);
typedef unsigned bit_counter(uint64_t bits);

/* One block on its way to tokens. */
struct block {
    const char *p;
    size_t left; /* bytes of input from p on */
    struct jr_mask mask;
    uint64_t escaped, quote;
    uint64_t string; /* from the opening quote to the byte before the closing one */
};

void jr_index_reset(struct jr_index *x)
{
    x->in_string = x->escaped = x->scalar = x->sequence = x->low = 0;
    x->code = JR_OK;
    x->text = NULL;
    x->escapes = false;
    x->count = 0;
}

static unsigned lowest_bit(uint64_t bits)
{
    return (unsigned)__builtin_ctzll(bits);
}

#define HIGHEST ((uint64_t)1 << 63)

JR_INLINE unsigned count_bits(uint64_t bits)
{
    bits -= bits >> 1 & 0x5555555555555555u;
    bits = (bits & 0x3333333333333333u) + (bits >> 2 & 0x3333333333333333u);
    bits = (bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0Fu;
    return (unsigned)(bits * 0x0101010101010101u >> 56);
}

/* Bytes that follow an odd number of backslashes. After simdjson's find_escaped. */
JR_INLINE uint64_t find_escaped(struct jr_index *x, uint64_t backslash)
{
    const uint64_t EVEN = 0x5555555555555555u;
    uint64_t escaped = x->escaped;
    if (__builtin_expect(backslash == 0, 1)) {
        x->escaped = 0;
        return escaped;
    }
    backslash &= ~escaped;
    uint64_t follows = backslash << 1 | escaped;
    uint64_t odd_starts = backslash & ~EVEN & ~follows, even_starts;
    x->escaped = __builtin_add_overflow(odd_starts, backslash, &even_starts);
    return (EVEN ^ even_starts << 1) & follows;
}

/* Bit i is the parity of bits 0 to i: from a quote up to before the next one. */
JR_INLINE uint64_t prefix_xor(uint64_t bits)
{
    bits ^= bits << 1;
    bits ^= bits << 2;
    bits ^= bits << 4;
    bits ^= bits << 8;
    bits ^= bits << 16;
    return bits ^ bits << 32;
}

/* Does the input end inside of the UTF-8 sequence at p? */
static bool is_cut(const char *p, size_t left)
{
    unsigned char lead = (unsigned char)*p;
    size_t wanted = lead < 0xC2 || lead > 0xF4 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    size_t n = 1;
    while (n < wanted && n < left && ((unsigned char)p[n] & 0xC0) == 0x80)
        n++;
    return n == left && n < wanted;
}

/* Looks at the bytes of strings that are no ASCII, or control characters, up to a fault found. */
static unsigned bad_byte(struct jr_index *x, const struct block *b, unsigned before)
{
    uint64_t odd = b->mask.odd & b->string & ~x->sequence;
    x->sequence = 0;
    while (odd) {
        unsigned i = lowest_bit(odd);
        if (i >= before)
            return NO_FAULT;
        bool control = (unsigned char)b->p[i] < 0x20;
        size_t length = control ? 0 : str_utf8_length((struct str){b->p + i, 4});
        if (length == 0 && is_cut(b->p + i, b->left - i)) {
            x->sequence = UINT64_MAX; /* that is the reader's to tell */
            return NO_FAULT;
        }
        if (length == 0) {
            x->code = control ? JR_E_SYNTAX : JR_E_UTF8;
            x->text = control ? "a control character in a string" : "not UTF-8";
            return i;
        }
        uint64_t sequence = (1u << length) - 1;
        odd &= ~(sequence << i);
        x->sequence = i > JR_BLOCK - 4 ? sequence >> (JR_BLOCK - i) : 0;
    }
    return NO_FAULT;
}

/* The value of the four hexadecimal digits at p; -1 when they are not, and *bad is the first that
 * is not one. */
static int hex4(const char *p, unsigned *bad)
{
    int value = 0;
    for (*bad = 0; *bad < 4; ++*bad) {
        int digit = hex_digit(p[*bad]);
        if (digit < 0)
            return -1;
        value = value * 16 + digit;
    }
    return value;
}

struct escape_fault {
    enum jr_code code;
    size_t at; /* of the byte at fault, from the backslash */
    const char *text;
};

/* Checks the \u escape at p, the second one of a surrogate pair too; *pair then. */
static struct escape_fault check_unicode(const char *p, bool *pair)
{
    static const char DIGITS[] = "\\u needs four hexadecimal digits";
    static const char LONE[] = "half of a surrogate pair";
    unsigned bad;
    int code = hex4(p + 2, &bad);
    if (code < 0)
        return (struct escape_fault){JR_E_SYNTAX, 2 + bad, DIGITS};
    if (code >> 10 == 0xDC00 >> 10)
        return (struct escape_fault){JR_E_UTF8, 0, LONE};
    if (code >> 10 != 0xD800 >> 10)
        return (struct escape_fault){JR_OK, 0, NULL};
    if (p[6] != '\\' || p[7] != 'u')
        return (struct escape_fault){JR_E_UTF8, p[6] != '\\' ? 6 : 7, LONE};
    code = hex4(p + 8, &bad);
    if (code < 0)
        return (struct escape_fault){JR_E_SYNTAX, 8 + bad, DIGITS};
    if (code >> 10 != 0xDC00 >> 10)
        return (struct escape_fault){JR_E_UTF8, 6, LONE};
    *pair = true;
    return (struct escape_fault){JR_OK, 0, NULL};
}

static struct escape_fault check_escape(const char *p, bool *pair)
{
    switch (p[1]) {
    case '"':
    case '\\':
    case '/':
    case 'b':
    case 'f':
    case 'n':
    case 'r':
    case 't':
        return (struct escape_fault){JR_OK, 0, NULL};
    case 'u':
        return check_unicode(p, pair);
    default:
        return (struct escape_fault){JR_E_SYNTAX, 1, "not an escape"};
    }
}

static unsigned bad_escape(struct jr_index *x, const struct block *b)
{
    uint64_t low = x->low, starts = b->mask.backslash & b->string & ~b->escaped;
    x->low = 0;
    for (; starts; starts &= starts - 1) {
        unsigned i = lowest_bit(starts);
        bool pair = false;
        if (low >> i & 1)
            continue;
        struct escape_fault fault = check_escape(b->p + i, &pair);
        if (fault.code != JR_OK && i + fault.at >= b->left)
            return NO_FAULT;
        if (fault.code != JR_OK) {
            x->code = fault.code;
            x->text = fault.text;
            return i;
        }
        if (pair && i + 6 < JR_BLOCK)
            low |= (uint64_t)1 << (i + 6);
        else if (pair)
            x->low = (uint64_t)1 << (i + 6 - JR_BLOCK);
    }
    return NO_FAULT;
}

/* The first fault of a block, NO_FAULT when it has none. */
static __attribute__((noinline)) unsigned check_block(struct jr_index *x, const struct block *b)
{
    unsigned escape = bad_escape(x, b), byte = bad_byte(x, b, escape);
    return byte < escape ? byte : escape;
}

/* Writes the place of the lowest bit and clears it. */
JR_INLINE void put_lowest(uint32_t *out, uint64_t *bits, uint32_t at)
{
    uint32_t place = at + lowest_bit(*bits | HIGHEST);
    __asm__("" : "+r"(place)); /* or else gcc gathers the places into a vector, which is slower */
    *out = place;
    *bits &= *bits - 1;
}

/* Appends the places of the bits. It writes eight at a time, so up to seven entries behind the last
 * are overwritten: a branch for each would be mispredicted once a block. */
JR_INLINE void put_tokens(struct jr_index *x, bit_counter *count, uint64_t bits, uint32_t at)
{
    uint32_t *out = x->at + x->count;
    x->count += count(bits);
    for (uint32_t *last = x->at + x->count; out < last; out += 8) {
        put_lowest(out, &bits, at);
        put_lowest(out + 1, &bits, at);
        put_lowest(out + 2, &bits, at);
        put_lowest(out + 3, &bits, at);
        put_lowest(out + 4, &bits, at);
        put_lowest(out + 5, &bits, at);
        put_lowest(out + 6, &bits, at);
        put_lowest(out + 7, &bits, at);
    }
}

/* Indexes one block; the result is where in it a fault was found. */
JR_INLINE unsigned index_block(struct jr_index *x, struct block *b, bit_counter *count, size_t at)
{
    b->escaped = find_escaped(x, b->mask.backslash);
    b->quote = b->mask.quote & ~b->escaped;
    b->string = prefix_xor(b->quote) ^ x->in_string;
    x->in_string = 0 - (b->string >> 63);
    uint64_t scalar = ~(b->mask.structural | b->mask.space | b->string | b->quote);
    uint64_t scalar_start = scalar & ~(scalar << 1 | x->scalar);
    x->scalar = scalar >> 63;
    uint64_t token = (b->mask.structural & ~b->string) | b->quote | scalar_start;
    uint64_t look = (b->mask.odd | b->mask.backslash) & b->string;
    unsigned fault = NO_FAULT;
    if (__builtin_expect((look | x->sequence) != 0, 0)) {
        fault = check_block(x, b);
        x->escapes |= b->mask.backslash != 0;
        if (fault != NO_FAULT)
            token &= ((uint64_t)1 << fault) - 1;
    }
    put_tokens(x, count, token, (uint32_t)at);
    return fault;
}

JR_INLINE size_t run(struct jr_index *x, mask_kernel *kernel, bit_counter *count, const char *bytes,
                     size_t from, size_t end, bool final)
{
    size_t margin = final ? 1 : JR_BLOCK + JR_AHEAD;
    for (int i = 0; i < JR_BATCH && from + margin <= end; i++) {
        struct block b = {.p = bytes + from, .left = final ? end - from : SIZE_MAX};
        kernel(b.p, &b.mask);
        unsigned fault = index_block(x, &b, count, from);
        if (fault != NO_FAULT)
            return from + fault;
        from += JR_BLOCK;
    }
    return from < end ? from : end;
}

static size_t run_portable(struct jr_index *x, const char *bytes, size_t from, size_t end,
                           bool final)
{
    return run(x, jr_mask_portable, count_bits, bytes, from, end, final);
}

#if defined(__SSE2__)
static size_t run_sse2(struct jr_index *x, const char *bytes, size_t from, size_t end, bool final)
{
    return run(x, jr_mask_sse2, count_bits, bytes, from, end, final);
}
#endif

#if defined(JR_HAVE_AVX2)
JR_AVX2_INLINE unsigned count_bits_avx2(uint64_t bits)
{
    return (unsigned)__builtin_popcountll(bits);
}

static JR_AVX2 size_t run_avx2(struct jr_index *x, const char *bytes, size_t from, size_t end,
                               bool final)
{
    return run(x, jr_mask_avx2, count_bits_avx2, bytes, from, end, final);
}
#endif

enum jr_kernel jr_kernel_best(void)
{
#if defined(JR_HAVE_AVX2)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
        __builtin_cpu_supports("popcnt"))
        return JR_KERNEL_AVX2;
#endif
#if defined(__SSE2__)
    return JR_KERNEL_SSE2;
#else
    return JR_KERNEL_PORTABLE;
#endif
}

size_t jr_index_run(struct jr_index *x, enum jr_kernel kernel, const char *bytes, size_t from,
                    size_t end, bool final)
{
    x->count = 0;
    x->escapes = false;
#if defined(JR_HAVE_AVX2)
    if (kernel == JR_KERNEL_AVX2)
        return run_avx2(x, bytes, from, end, final);
#endif
#if defined(__SSE2__)
    if (kernel == JR_KERNEL_SSE2)
        return run_sse2(x, bytes, from, end, final);
#endif
    (void)kernel;
    return run_portable(x, bytes, from, end, final);
}
