/* scrub: a filter of JSON that cuts secrets out of its strings (kube/credential_cut.h).
 *
 * Of the bytes that are kept of a snapshot all pass through it, also what no schema knows and what
 * the repeat cache jumps over. It looks for marks in the bytes as they are, and at a string only
 * when there is one: an ordinary document costs less than an instruction a byte. What it gives is
 * JSON again, with the same structure and everything else byte for byte.
 */
#ifndef LOADLINE_READER_SCRUB_H
#define LOADLINE_READER_SCRUB_H

#include "base/arena.h"
#include "codec/source.h"
#include "codec/text_part.h"

enum {
    /* A string is looked at as a whole, with the ones behind it that belong to it. A longer one
     * with a mark in it is cut whole. */
    SCRUB_HELD_MAX = 64 * 1024,
    /* One without a mark is held until it ends, so that what is kept of it does not depend on the
     * pieces in which it arrives. A longer one that arrives in pieces is cut whole. Objects of
     * Kubernetes are not that large. */
    SCRUB_PLAIN_MAX = 2 * 1024 * 1024,
    SCRUB_PIECE_MIN = 4 * 1024
};

struct scrub;

/* Puts what is kept into `out`. out.put == NULL: it only looks, and refuses everything from the
 * first secret on. In the arena. */
struct scrub *scrub_new(struct arena *arena, struct sink out);
/* Pieces wait for one another until they are so many bytes: SCRUB_PIECE_MIN at first, 0: none
 * waits. */
void scrub_set_piece_min(struct scrub *scrub, size_t n);
/* What the filter is fed through: well-formed JSON in any pieces, with no strings at the top level.
 * When it is not well formed, what
 * was put out must be thrown away. */
struct sink scrub_sink(struct scrub *scrub);
/* ---- text that was put before ---- */

/* What is known of the text of a whole object or array. */
enum scrub_known {
    SCRUB_UNKNOWN,
    SCRUB_HAS_SECRETS,
    SCRUB_CLEAN,   /* nothing is cut of it */
    SCRUB_MARKLESS /* nor would it be if other ordinary texts stood in its strings */
};
enum scrub_known scrub_look(struct scrub *scrub, struct str text);
/* Takes text that is clean: it is not looked at unless what came before it is still held back. */
void scrub_pass(struct scrub *scrub, struct str text);
/* The same of a part: another sink gets it, if there is one, and if it need not be looked at. */
void scrub_pass_part(struct scrub *scrub, const struct text_view *text, uint64_t content,
                     uint64_t lead);
/* The same of a run of parts. Only when it may: nothing is held back then, and there is a sink. */
bool scrub_may_pass_run(const struct scrub *scrub);
void scrub_pass_run(struct scrub *scrub, const struct text_run *run);
void scrub_set_parts(struct scrub *scrub, struct part_sink parts);

/* ---- places ---- */

/* Bytes taken so far. */
uint64_t scrub_taken(const struct scrub *scrub);
/* Where a place of what was taken, outside of strings, stands in what was put. After scrub_end(),
 * of places in ascending order: *from is what the look-up before has left there, 0 at first. */
uint64_t scrub_place(const struct scrub *scrub, uint64_t taken, uint32_t *from);

/* There is no more: puts what was held back. False when the sink refused, or a secret was met. */
bool scrub_end(struct scrub *scrub);
/* Was one met? */
bool scrub_found(const struct scrub *scrub);

#endif
