/* meter: unpacking takes CPU in proportion to its bytes, or ends.
 *
 * A few bytes of gzip or zstd can announce tables that take long to build, and then nothing that
 * comes of them. So the CPU of this thread is measured while it unpacks, and held against what went
 * in or came out, whichever is more. What people push takes a tenth of that.
 */
#ifndef LOADLINE_WEB_METER_H
#define LOADLINE_WEB_METER_H

#include "codec/source.h"

/* What it may take: so much for each byte, and so much all the same. */
enum { METER_NANOS_A_BYTE = 40, METER_NANOS_FREE = 50 * 1000 * 1000 };

struct meter {
    struct source packed, plain;
    int64_t (*clock)(void); /* nanoseconds of CPU */
    int64_t deadline;       /* monotonic, ms: when unpacking and reading must be over */
    uint64_t in, out;       /* bytes */
    int64_t spent, since;   /* ns; since: TIME_NONE while it does not unpack */
    enum { METER_FINE, METER_TOO_MUCH, METER_LATE } end;
};

/* clock: NULL, the CPU of this thread. */
void meter_init(struct meter *meter, struct source packed, int64_t deadline,
                int64_t (*clock)(void));
/* What the unpacker is to read: fails once it was too much. */
struct source meter_packed(struct meter *meter);
/* What the unpacker makes of it, measured. */
struct source meter_plain(struct meter *meter, struct source plain);

#endif
