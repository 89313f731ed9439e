/* pause: how long to wait before the next try. */
#ifndef LOADLINE_BIN_WATCHER_PAUSE_H
#define LOADLINE_BIN_WATCHER_PAUSE_H

#include <stdint.h>

/* After so many failures in a row: 1, 2, 4, ... s, `most` ms at the most, of which up to a half is
 * left out by chance, so that many agents do not come back at once. At least what the server asked
 * for (0: nothing). */
int64_t pause_ms(unsigned failures, int64_t most, int64_t asked);
/* From `least` up to `most`, by chance. */
int64_t pause_between(int64_t least, int64_t most);

#endif
