/* hundredths: a number kept in hundredths as decimal text: 1250 -> "12.5", 700 -> "7", -5 ->
 * "-0.05". */
#ifndef LOADLINE_CODEC_HUNDREDTHS_H
#define LOADLINE_CODEC_HUNDREDTHS_H

#include "base/str.h"

enum { HUNDREDTHS_SIZE = 32 };

struct str hundredths_format(int64_t n, char out[HUNDREDTHS_SIZE]);
/* Always with two decimals: 700 -> "7.00". */
struct str hundredths_format_padded(int64_t n, char out[HUNDREDTHS_SIZE]);
/* The same of hundredths of hundredths: 3391 -> "0.3391". */
struct str hundredths_format_fine(int64_t n, char out[HUNDREDTHS_SIZE]);

#endif
