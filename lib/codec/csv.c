#include "codec/csv.h"

#include <ctype.h>

#include "base/clock.h"
#include "codec/hundredths.h"

void csv_init(struct csv *csv, struct buf *out)
{
    *csv = (struct csv){.out = out};
}

static void cell(struct csv *csv, struct str s)
{
    if (csv->comma)
        buf_putc(csv->out, ',');
    csv->comma = true;
    buf_put(csv->out, s);
}

/* What a spreadsheet may leave out in front of a formula: Unicode's White_Space, and what has no
 * width. */
static const struct str blanks[] = {
    STR(" "),
    STR("\v"),
    STR("\f"),
    STR("\xC2\x85"),
    STR("\xC2\xA0"),
    STR("\xE1\x9A\x80"),
    STR("\xE2\x80\x80"),
    STR("\xE2\x80\x81"),
    STR("\xE2\x80\x82"),
    STR("\xE2\x80\x83"),
    STR("\xE2\x80\x84"),
    STR("\xE2\x80\x85"),
    STR("\xE2\x80\x86"),
    STR("\xE2\x80\x87"),
    STR("\xE2\x80\x88"),
    STR("\xE2\x80\x89"),
    STR("\xE2\x80\x8A"),
    STR("\xE2\x80\x8B"),
    STR("\xE2\x80\x8C"),
    STR("\xE2\x80\x8D"),
    STR("\xE2\x80\xA8"),
    STR("\xE2\x80\xA9"),
    STR("\xE2\x80\xAF"),
    STR("\xE2\x81\x9F"),
    STR("\xE2\x81\xA0"),
    STR("\xE3\x80\x80"),
    STR("\xEF\xBB\xBF"),
};

/* What begins a formula, also as East Asian input methods write it: full-width = + - @. */
static const struct str signs[] = {
    STR("="),
    STR("+"),
    STR("-"),
    STR("@"),
    STR("\t"),
    STR("\r"),
    STR("\n"),
    STR("\xEF\xBC\x9D"),
    STR("\xEF\xBC\x8B"),
    STR("\xEF\xBC\x8D"),
    STR("\xEF\xBC\xA0"),
};

/* The length of the first of these that s begins with; 0: with none. */
static size_t begins_with(struct str s, const struct str *ones, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (str_has_prefix(s, ones[i]))
            return ones[i].n;
    return 0;
}

static bool is_formula(struct str s)
{
    size_t n;
    if (s.n && isalnum((unsigned char)s.p[0])) /* almost all are */
        return false;
    while ((n = begins_with(s, blanks, sizeof blanks / sizeof *blanks)) > 0)
        s = str_sub(s, n, s.n);
    return begins_with(s, signs, sizeof signs / sizeof *signs) > 0;
}

static bool needs_quotes(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] == '"' || s.p[i] == ',' || s.p[i] == '\n' || s.p[i] == '\r')
            return true;
    return false;
}

/* Tabs and the ends of lines are text. */
static size_t control_length(struct str s)
{
    unsigned char c = (unsigned char)s.p[0];
    if (c < 0x20)
        return c != '\t' && c != '\n' && c != '\r';
    if (c == 0x7f)
        return 1;
    return c == 0xC2 && s.n > 1 && (unsigned char)s.p[1] < 0xA0 ? 2 : 0; /* C1 */
}

static void put_text(struct csv *csv, struct str s)
{
    size_t from = 0, n;
    for (size_t i = 0; i < s.n; i += n ? n : 1) {
        n = control_length(str_sub(s, i, s.n));
        if (!n)
            continue;
        buf_put(csv->out, str_sub(s, from, i - from));
        buf_put(csv->out, STR("\xEF\xBF\xBD"));
        from = i + n;
    }
    buf_put(csv->out, str_sub(s, from, s.n));
}

void csv_str(struct csv *csv, struct str s)
{
    struct str apostrophe = is_formula(s) ? STR("'") : STR("");
    if (!needs_quotes(s)) {
        cell(csv, apostrophe);
        put_text(csv, s);
        return;
    }
    cell(csv, STR("\""));
    buf_put(csv->out, apostrophe);
    while (s.p) {
        struct str part;
        str_cut(s, '"', &part, &s);
        put_text(csv, part);
        buf_put(csv->out, s.p ? STR("\"\"") : STR("\""));
    }
}

void csv_int(struct csv *csv, int64_t n)
{
    cell(csv, STR(""));
    buf_put_int(csv->out, n);
}

void csv_hundredths(struct csv *csv, int64_t n)
{
    char text[HUNDREDTHS_SIZE];
    cell(csv, hundredths_format(n, text));
}

void csv_ten_thousandths(struct csv *csv, int64_t n)
{
    char text[HUNDREDTHS_SIZE];
    cell(csv, hundredths_format_fine(n, text));
}

void csv_time(struct csv *csv, int64_t ms)
{
    char text[CLOCK_TEXT_SIZE];
    cell(csv, clock_format(ms, text));
}

void csv_end_row(struct csv *csv)
{
    buf_putc(csv->out, '\n');
    csv->comma = false;
}
