/* csv: rows of cells into a buf. RFC 4180 quoting, lines end in LF.
 *
 * A text cell that a spreadsheet could take for a formula gets a leading apostrophe: it begins with
 * = + - @, one of these in full width, tab, CR or LF, maybe after blanks. Other control characters,
 * which some spreadsheets leave out in front of a formula and terminals obey, become U+FFFD.
 * Numbers and times are ours and stay as they are.
 */
#ifndef LOADLINE_CODEC_CSV_H
#define LOADLINE_CODEC_CSV_H

#include "base/buf.h"

struct csv {
    struct buf *out;
    bool comma; /* the row has a cell */
};

void csv_init(struct csv *csv, struct buf *out);
/* Absent and empty are both an empty cell. */
void csv_str(struct csv *csv, struct str s);
void csv_int(struct csv *csv, int64_t n);
/* Hundredths with at most two decimals: 1250 -> 12.5, 700 -> 7, -5 -> -0.05. */
void csv_hundredths(struct csv *csv, int64_t n);
/* Ten-thousandths with at most four decimals: 3391 -> 0.3391. */
void csv_ten_thousandths(struct csv *csv, int64_t n);
/* Milliseconds since 1970 as RFC 3339 text; TIME_NONE as an empty cell. */
void csv_time(struct csv *csv, int64_t ms);
void csv_end_row(struct csv *csv);

#endif
