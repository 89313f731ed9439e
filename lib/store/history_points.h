/* history_points: the single points of a score history, wherever they are: rows of score_history,
 * or packed by the hour in score_chunks (store/history_pack.h). A chunk that cannot be read is
 * logged, and INTERNAL. */
#ifndef LOADLINE_STORE_HISTORY_POINTS_H
#define LOADLINE_STORE_HISTORY_POINTS_H

#include "codec/point_chunk.h"
#include "db/db.h"
#include "store/history_step.h"

/* Adds what there is from one moment to another, both included, newest first, to steps that hold
 * what is newer: each point by itself (step 0), or by steps of so many milliseconds. Those by steps
 * in a db_read(), because points move from rows to chunks; each by itself is one statement. */
enum error history_points_take(struct db *db, struct arena *arena, struct str cluster, int64_t step,
                               int64_t from, int64_t to, struct history_steps *steps);

/* The time of the last point between two moments, both included; TIME_NONE when there is none. */
enum error history_last(struct db *db, struct arena *arena, struct str cluster, int64_t from,
                        int64_t to, int64_t *time);
/* The last of the points that follow one another from that moment on without a free millisecond,
 * until another moment, included. Of points that are packed it does not know: the moment itself
 * when it has no other. */
enum error history_run_end(struct db *db, struct arena *arena, struct str cluster, int64_t from,
                           int64_t to, int64_t *time);
/* The time of the first point after a moment, until another one, included; TIME_NONE when there is
 * none. */
enum error history_next(struct db *db, struct arena *arena, struct str cluster, int64_t after,
                        int64_t to, int64_t *time);
/* Is there a packed point of exactly that time? */
enum error history_is_packed(struct db *db, struct arena *arena, struct str cluster, int64_t time,
                             bool *packed);

/* When the chunk begins that has a point of that time, when one has it. */
int64_t history_hour(int64_t time);
/* Reads a chunk, into room for POINT_CHUNK_MAX. */
enum error history_chunk_read(struct str cluster, int64_t start, struct str body,
                              struct chunk_point *points, size_t *n);

#endif
