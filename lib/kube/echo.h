/* echo: text that was read before need not be read again.
 *
 * Pods of one owner repeat each other to the byte, but for a name here and a time there. The text
 * of a list, a map or a structure and what became of it are kept, the newest few megabytes of them;
 * when the same bytes stand in the same field again, the reader jumps over them. The bytes are
 * compared, so an echo is never wrong; but for what differs from pod to pod and does not change the
 * rest: times, counts, and strings that nobody reads.
 */
#ifndef LOADLINE_KUBE_ECHO_H
#define LOADLINE_KUBE_ECHO_H

#include "base/arena.h"

struct decoder;
struct echo;

struct echoes;

struct echoes *echoes_new(struct arena *arena);

/* What was noted (see below) is of no use any more: a new object begins. */
void echo_begin(struct decoder *decoder);
/* While redacting: the tap saw `instead`, which is static, in the place of the text between two
 * offsets. */
void echo_note_edit(struct decoder *decoder, uint64_t from, uint64_t to, struct str instead);
/* Bytes inside of a string, in which nothing is escaped, change nothing: others there do as well.
 */
void echo_note_hole(struct decoder *decoder, uint64_t from, uint64_t to);
/* The same of the current value, a string that nobody reads. */
void echo_note_unread(struct decoder *decoder);
/* The current value is the text of a time, or a number, which was put at `to` of the items of the
 * list that is being read. Another one that stands there is put there again. */
void echo_note_time(struct decoder *decoder, struct str text, size_t to);
void echo_note_number(struct decoder *decoder, struct str text, size_t to);
/* What was read of the current object so far does not decide alone what became of it: no text that
 * began before this place is kept. */
void echo_forget(struct decoder *decoder);

/* Where the text of the current value is to be kept, when it has been read. */
struct echo_place {
    struct echo *echo; /* NULL: nowhere */
    const void *what;
    uint64_t from;
};

/* The current value is an object or array. When it is an echo, puts what became of it, n bytes, at
 * `result` and goes behind it, with the same edits. what: an address that stands for the field. */
bool echo_recall(struct decoder *decoder, const void *what, void *result, size_t n,
                 struct echo_place *place);
/* The value that echo_recall() did not know has been read: this is what became of it. own_n: bytes
 * of the items, when it is a list that is not shared; else 0. */
void echo_keep(struct decoder *decoder, struct echo_place place, const void *result, size_t n,
               size_t own_n);

#endif
