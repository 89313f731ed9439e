#include "codec/jr_index.h"

#include "base/hex.h"
#include "codec/jr_mask.h"

enum { NO_FAULT = JR_BLOCK };

/* What differs between machines. All of it is inlined into one loop for each. */
struct kernel {
    void (*mask)(const char *p, struct jr_mask *m);
    unsigned (*count)(uint64_t bits);
    unsigned (*lowest)(uint64_t bits); /* of no bits: anything */
};

void jr_index_reset(struct jr_index *x)
{
    x->carry = (struct jr_carry){0};
    x->sequence = x->low = 0;
    x->code = JR_OK;
    x->text = NULL;
    x->escapes = false;
    x->count = 0;
}

static unsigned lowest_bit(uint64_t bits)
{
    return (unsigned)__builtin_ctzll(bits);
}

JR_INLINE unsigned count_bits(uint64_t bits)
{
    bits -= bits >> 1 & 0x5555555555555555u;
    bits = (bits & 0x3333333333333333u) + (bits >> 2 & 0x3333333333333333u);
    bits = (bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0Fu;
    return (unsigned)(bits * 0x0101010101010101u >> 56);
}

/* Any bit when there is none: no branch, and nothing undefined. */
JR_INLINE unsigned lowest_or_63(uint64_t bits)
{
    return lowest_bit(bits | (uint64_t)1 << 63);
}

/* Bytes that follow an odd number of backslashes. After simdjson's find_escaped. */
JR_INLINE uint64_t find_escaped(uint64_t backslash, uint64_t *carry)
{
    const uint64_t EVEN = 0x5555555555555555u;
    uint64_t escaped = *carry;
    if (__builtin_expect(backslash == 0, 1)) {
        *carry = 0;
        return escaped;
    }
    backslash &= ~escaped;
    uint64_t follows = backslash << 1 | escaped;
    uint64_t odd_starts = backslash & ~EVEN & ~follows, even_starts;
    *carry = __builtin_add_overflow(odd_starts, backslash, &even_starts);
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

/* The part of a block that is looked at byte by byte. */
struct block {
    const char *p;
    size_t left;      /* bytes of input from p on */
    uint64_t odd;     /* bytes of strings that are no ASCII, or control characters */
    uint64_t escapes; /* backslashes that begin an escape in a string */
};

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
static unsigned bad_byte(struct jr_index *x, struct block b, unsigned before)
{
    uint64_t odd = b.odd & ~x->sequence;
    x->sequence = 0;
    while (odd) {
        unsigned i = lowest_bit(odd);
        if (i >= before)
            return NO_FAULT;
        bool control = (unsigned char)b.p[i] < 0x20;
        size_t length = control ? 0 : str_utf8_length((struct str){b.p + i, 4});
        if (length == 0 && is_cut(b.p + i, b.left - i)) {
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

static unsigned bad_escape(struct jr_index *x, struct block b)
{
    uint64_t low = x->low;
    x->low = 0;
    for (; b.escapes; b.escapes &= b.escapes - 1) {
        unsigned i = lowest_bit(b.escapes);
        bool pair = false;
        if (low >> i & 1)
            continue;
        struct escape_fault fault = check_escape(b.p + i, &pair);
        if (fault.code != JR_OK && i + fault.at >= b.left)
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
static __attribute__((noinline)) unsigned check_block(struct jr_index *x, struct block b)
{
    x->escapes |= b.escapes != 0;
    unsigned escape = bad_escape(x, b), byte = bad_byte(x, b, escape);
    return byte < escape ? byte : escape;
}

/* Writes the place of the lowest bit and clears it. */
JR_INLINE void put_lowest(struct kernel k, uint32_t *out, uint64_t *bits, uint32_t at)
{
    uint32_t place = at + k.lowest(*bits);
    __asm__("" : "+r"(place)); /* or else gcc gathers the places into a vector, which is slower */
    *out = place;
    *bits &= *bits - 1;
}

/* Appends the places of the bits. It writes eight at a time, so up to seven entries behind the last
 * are overwritten: a branch for each would be mispredicted once a block. */
JR_INLINE uint32_t *put_tokens(struct kernel k, uint32_t *out, uint64_t bits, uint32_t at)
{
    uint32_t *last = out + k.count(bits);
    for (; out < last; out += 8) {
        put_lowest(k, out, &bits, at);
        put_lowest(k, out + 1, &bits, at);
        put_lowest(k, out + 2, &bits, at);
        put_lowest(k, out + 3, &bits, at);
        put_lowest(k, out + 4, &bits, at);
        put_lowest(k, out + 5, &bits, at);
        put_lowest(k, out + 6, &bits, at);
        put_lowest(k, out + 7, &bits, at);
    }
    return last;
}

/* The tokens of a block. string: from the opening quote to the byte before the closing one. */
JR_INLINE uint64_t find_tokens(const struct jr_mask *m, struct jr_carry *carry, uint64_t *string,
                               uint64_t *escaped)
{
    *escaped = find_escaped(m->backslash, &carry->escaped);
    uint64_t quote = m->quote & ~*escaped;
    *string = prefix_xor(quote) ^ carry->in_string;
    carry->in_string = 0 - (*string >> 63);
    uint64_t scalar = ~(m->structural | m->space | *string | quote);
    uint64_t scalar_start = scalar & ~(scalar << 1 | carry->scalar);
    carry->scalar = scalar >> 63;
    return (m->structural & ~*string) | (quote & *string) | scalar_start;
}

JR_INLINE size_t run(struct jr_index *x, struct kernel k, const char *bytes, size_t from,
                     size_t end, bool final)
{
    struct jr_carry carry = x->carry;
    size_t margin = final ? 1 : JR_BLOCK + JR_AHEAD, stop = from + JR_BATCH * JR_BLOCK;
    uint32_t *out = x->at;
    unsigned fault = NO_FAULT;
    for (; from < stop && from + margin <= end && fault == NO_FAULT; from += JR_BLOCK) {
        struct jr_mask m;
        uint64_t string, escaped;
        k.mask(bytes + from, &m);
        uint64_t tokens = find_tokens(&m, &carry, &string, &escaped);
        uint64_t odd = m.odd & string, escapes = m.backslash & string & ~escaped;
        if (__builtin_expect((odd | escapes | x->sequence) != 0, 0)) {
            size_t left = final ? end - from : SIZE_MAX;
            fault = check_block(x, (struct block){bytes + from, left, odd, escapes});
            tokens &= fault < NO_FAULT ? ((uint64_t)1 << fault) - 1 : UINT64_MAX;
        }
        out = put_tokens(k, out, tokens, (uint32_t)from);
    }
    if (fault != NO_FAULT) {
        carry.in_string = UINT64_MAX; /* where all faults are */
        from -= JR_BLOCK - fault;
    }
    x->carry = carry;
    x->count = (size_t)(out - x->at);
    return from < end ? from : end;
}

static size_t run_portable(struct jr_index *x, const char *bytes, size_t from, size_t end,
                           bool final)
{
    const struct kernel k = {jr_mask_portable, count_bits, lowest_or_63};
    return run(x, k, bytes, from, end, final);
}

#if defined(__SSE2__)
static size_t run_sse2(struct jr_index *x, const char *bytes, size_t from, size_t end, bool final)
{
    const struct kernel k = {jr_mask_sse2, count_bits, lowest_or_63};
    return run(x, k, bytes, from, end, final);
}
#endif

#if defined(JR_HAVE_AVX2)
JR_AVX2_INLINE unsigned count_popcnt(uint64_t bits)
{
    return (unsigned)_mm_popcnt_u64(bits);
}

JR_AVX2_INLINE unsigned lowest_tzcnt(uint64_t bits)
{
    return (unsigned)_tzcnt_u64(bits);
}

static JR_AVX2 size_t run_avx2(struct jr_index *x, const char *bytes, size_t from, size_t end,
                               bool final)
{
    const struct kernel k = {jr_mask_avx2, count_popcnt, lowest_tzcnt};
    return run(x, k, bytes, from, end, final);
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
