/* crc: CRC-32 as gzip has it. With carry-less multiplication where the machine has it, which takes
 * a tenth of zlib's time; else zlib's. */
#ifndef LOADLINE_CODEC_CRC_H
#define LOADLINE_CODEC_CRC_H

#include "base/str.h"

/* crc: 0 to begin with, or the result so far. */
uint32_t crc_update(uint32_t crc, struct str bytes);
/* The same, by zlib: for tests. */
uint32_t crc_update_plain(uint32_t crc, struct str bytes);

#endif
