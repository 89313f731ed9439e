/* collect: what was read becomes the lists of the cluster. */
#ifndef LOADLINE_READER_COLLECT_H
#define LOADLINE_READER_COLLECT_H

#include "reader/reader.h"

/* Moves what was read into the lists of the cluster, in order, each object once. */
void collect_objects(struct reader *reader);

#endif
