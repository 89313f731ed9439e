#include "codec/csv.h"

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

static bool is_formula(struct str s)
{
    return s.n && str_has(STR("=+-@\t\r\n"), str_sub(s, 0, 1));
}

static bool needs_quotes(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] == '"' || s.p[i] == ',' || s.p[i] == '\n' || s.p[i] == '\r')
            return true;
    return false;
}

void csv_str(struct csv *csv, struct str s)
{
    struct str apostrophe = is_formula(s) ? STR("'") : STR("");
    if (!needs_quotes(s)) {
        cell(csv, apostrophe);
        buf_put(csv->out, s);
        return;
    }
    cell(csv, STR("\""));
    buf_put(csv->out, apostrophe);
    while (s.p) {
        struct str part;
        str_cut(s, '"', &part, &s);
        buf_put(csv->out, part);
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
