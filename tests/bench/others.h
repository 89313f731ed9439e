/* others: the routes that ours is measured against, of a gzip snapshot in memory. They end the
 * program when the bytes are not what they should be.
 */
#ifndef LOADLINE_TESTS_BENCH_OTHERS_H
#define LOADLINE_TESTS_BENCH_OTHERS_H

#include "base/str.h"

/* zlib as everybody calls it, its checksum included, into a window of 64 KiB that nobody reads. */
void others_inflate(struct str gzip);
/* The same, parsed by json-c piece by piece into a document. */
void others_json_c(struct str gzip);
/* ... of which everything is looked at that the model holds. */
void others_json_c_walk(struct str gzip);
/* What was freed goes back to the system: else malloc puts hundreds of thousands of pieces together
 * when somebody else allocates next. */
void others_forget(void);

#endif
