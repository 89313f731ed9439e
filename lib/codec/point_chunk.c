#include "codec/point_chunk.h"

#include "base/asserts.h"
#include "codec/varint.h"

/* The bytes: VERSION, how many points, and the columns in the order of the table. A column is made
 * of tokens: an even one says that the next token / 2 + 1 values are 0, an odd one is a value,
 * zigzag. A value is how much the column's differs from the one before; of the first column, of
 * times since the hour began, by how much that does. */
enum { VERSION = 1, SCORE_UNIT = 100 };
#define TOKEN_MAX ((uint64_t)1 << 40)

enum column { TIMES, EXACT, SCORES, NODES, PODS, RISKS, FORMULAS, COLUMNS };

static const struct range {
    int64_t min, max;
} ranges[COLUMNS] = {
    [TIMES] = {0, POINT_CHUNK_MS - 1}, [EXACT] = {0, UINT16_MAX}, [SCORES] = {0, UINT8_MAX},
    [NODES] = {0, UINT32_MAX},         [PODS] = {0, UINT32_MAX},  [RISKS] = {0, UINT32_MAX},
    [FORMULAS] = {0, UINT8_MAX},
};

/* What is expected of a column at a point, and how it goes on. A score is expected to be the exact
 * one, rounded down. */
struct walk {
    enum column column;
    int64_t last, step;
};

static int64_t expected(const struct walk *walk, const struct chunk_point *point)
{
    if (walk->column == SCORES)
        return point->score_exact / SCORE_UNIT;
    return walk->last + walk->step;
}

static void go_on(struct walk *walk, int64_t value)
{
    if (walk->column == TIMES)
        walk->step = value - walk->last;
    walk->last = value;
}

/* ---- writing ---- */

static int64_t get(const struct chunk_point *point, enum column column, int64_t start)
{
    switch (column) {
    case TIMES:
        return point->time - start;
    case EXACT:
        return point->score_exact;
    case SCORES:
        return point->score;
    case NODES:
        return point->nodes;
    case PODS:
        return point->pods;
    case RISKS:
        return point->risks;
    case FORMULAS:
        return point->formula;
    case COLUMNS:
        break;
    }
    return 0;
}

static uint64_t zigzag(int64_t value)
{
    return value < 0 ? ((uint64_t)-value << 1) - 1 : (uint64_t)value << 1;
}

static void end_zeros(struct buf *out, uint64_t *zeros)
{
    if (*zeros)
        varint_put(out, (*zeros - 1) << 1);
    *zeros = 0;
}

static void put_column(struct buf *out, enum column column, int64_t start,
                       const struct chunk_point *points, size_t n)
{
    struct walk walk = {.column = column};
    uint64_t zeros = 0;
    for (size_t i = 0; i < n; i++) {
        int64_t value = get(&points[i], column, start);
        int64_t difference = value - expected(&walk, &points[i]);
        go_on(&walk, value);
        if (difference == 0) {
            zeros++;
            continue;
        }
        end_zeros(out, &zeros);
        varint_put(out, zigzag(difference) << 1 | 1);
    }
    end_zeros(out, &zeros);
}

struct str point_chunk_encode(struct arena *arena, int64_t start, const struct chunk_point *points,
                              size_t n)
{
    assert(n >= 1 && n <= POINT_CHUNK_MAX);
    struct buf out = buf_init(arena, SIZE_MAX);
    buf_putc(&out, VERSION);
    varint_put(&out, n);
    for (int column = 0; column < COLUMNS; column++)
        put_column(&out, (enum column)column, start, points, n);
    return buf_str(&out);
}

/* ---- reading ---- */

static void set(struct chunk_point *point, enum column column, int64_t start, int64_t value)
{
    switch (column) {
    case TIMES:
        point->time = start + value;
        break;
    case EXACT:
        point->score_exact = (uint16_t)value;
        break;
    case SCORES:
        point->score = (uint8_t)value;
        break;
    case NODES:
        point->nodes = (uint32_t)value;
        break;
    case PODS:
        point->pods = (uint32_t)value;
        break;
    case RISKS:
        point->risks = (uint32_t)value;
        break;
    case FORMULAS:
        point->formula = (uint8_t)value;
        break;
    case COLUMNS:
        break;
    }
}

/* How many values follow that are so much more than expected. */
static inline bool take_token(struct str *bytes, uint64_t *count, int64_t *difference)
{
    uint64_t token;
    struct str rest = *bytes;
    if (!varint_take(&rest, TOKEN_MAX, &token))
        return false;
    *bytes = rest;
    *count = token & 1 ? 1 : (token >> 1) + 1;
    *difference = token & 2 ? -(int64_t)((token >> 2) + 1) : (int64_t)(token >> 2);
    *difference = token & 1 ? *difference : 0;
    return true;
}

/* Inline: for each column the compiler makes a loop that asks of no other. */
static inline __attribute__((always_inline)) bool take_column(struct str *bytes, enum column column,
                                                              int64_t start,
                                                              struct chunk_point *points, size_t n)
{
    struct walk walk = {.column = column};
    struct str rest = *bytes;
    uint64_t count;
    int64_t difference;
    for (size_t i = 0; i < n;) {
        if (!take_token(&rest, &count, &difference) || count > n - i)
            return false;
        for (size_t end = i + count; i < end; i++) {
            int64_t value = expected(&walk, &points[i]) + difference;
            if (value < ranges[column].min || value > ranges[column].max)
                return false;
            if (column == TIMES && value < walk.last)
                return false;
            go_on(&walk, value);
            set(&points[i], column, start, value);
        }
    }
    *bytes = rest;
    return true;
}

bool point_chunk_decode(struct str bytes, int64_t start, struct chunk_point *points, size_t *n)
{
    uint64_t count;
    *n = 0;
    if (bytes.n == 0 || bytes.p[0] != VERSION)
        return false;
    bytes = str_sub(bytes, 1, bytes.n);
    if (!varint_take(&bytes, POINT_CHUNK_MAX, &count) || count == 0)
        return false;
    size_t points_n = (size_t)count;
    if (!take_column(&bytes, TIMES, start, points, points_n) ||
        !take_column(&bytes, EXACT, start, points, points_n) ||
        !take_column(&bytes, SCORES, start, points, points_n) ||
        !take_column(&bytes, NODES, start, points, points_n) ||
        !take_column(&bytes, PODS, start, points, points_n) ||
        !take_column(&bytes, RISKS, start, points, points_n) ||
        !take_column(&bytes, FORMULAS, start, points, points_n) || bytes.n)
        return false;
    *n = points_n;
    return true;
}
