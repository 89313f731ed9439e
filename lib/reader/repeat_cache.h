/* repeat_cache: text that was read before need not be read again.
 *
 * Pods of one owner repeat each other to the byte, but for a name here and a time there. The text
 * of a list, a map or a structure and what became of it are kept, the newest few megabytes of them;
 * when the same bytes stand in the same field again, the reader jumps over them. The bytes are
 * compared, so what is recalled is never wrong; but for what differs from pod to pod and does not
 * change the rest: times, counts, and strings that nobody reads.
 *
 * It is no base/table: it forgets, the newest text takes the place of an older one.
 */
#ifndef LOADLINE_READER_REPEAT_CACHE_H
#define LOADLINE_READER_REPEAT_CACHE_H

#include "codec/jr.h"
#include "reader/scrub.h"
#include "reader/time_memo.h"

struct repeat_cache;
struct repeat_entry;

/* For what jr reads. Times that are recalled are parsed through last_time. */
struct repeat_cache *repeat_cache_new(struct arena *arena, struct jr *jr,
                                      struct time_memo *last_time);

/* What jr's tap feeds: text that is recalled and clean need not be looked at there. */
void repeat_cache_spare(struct repeat_cache *cache, struct scrub *scrub);

/* What is recalled goes into another arena than the cache itself. */
void repeat_cache_keep_in(struct repeat_cache *cache, struct arena *arena);

/* What was noted (see below) is of no use any more: a new object begins. */
void repeat_cache_begin(struct repeat_cache *cache);
/* While redacting: the tap saw `instead`, which is static, in the place of the text between two
 * offsets. */
void repeat_cache_note_edit(struct repeat_cache *cache, uint64_t from, uint64_t to,
                            struct str instead);
/* The edits of the object that was read last, in order; offsets are of the input. Gives the first
 * `max` of them, and says how many there are. */
struct repeat_edit {
    uint64_t at;
    size_t n;
    struct str instead;
};
uint32_t repeat_cache_edits(const struct repeat_cache *cache, struct repeat_edit *to, uint32_t max);
/* Bytes inside of a string, in which nothing is escaped, change nothing: others there do as well.
 */
void repeat_cache_note_wildcard(struct repeat_cache *cache, uint64_t from, uint64_t to);
/* The same of the current value, a string that nobody reads. */
void repeat_cache_note_unread(struct repeat_cache *cache);
/* The current value is the text of a time, or a number, which was put at `to` of the items of the
 * list that is being read. Another one that stands there is put there again. */
void repeat_cache_note_time(struct repeat_cache *cache, struct str text, size_t to);
void repeat_cache_note_number(struct repeat_cache *cache, struct str text, size_t to);
/* What was read of the current object so far does not decide alone what became of it: no text that
 * began before this place is kept. */
void repeat_cache_forget(struct repeat_cache *cache);

/* Where the text of the current value is to be kept, when it has been read. */
struct repeat_place {
    struct repeat_entry *entry; /* NULL: nowhere */
    const void *what;
    uint64_t from;
};

/* The current value is an object or array. When it was read before, puts what became of it, n
 * bytes, at `result` and goes behind it, with the same edits. what: an address that stands for the
 * field. */
bool repeat_cache_recall(struct repeat_cache *cache, const void *what, void *result, size_t n,
                         struct repeat_place *place);
/* The value that repeat_cache_recall() did not know has been read: this is what became of it.
 * own_n: bytes of the items, when it is a list that is not shared; else 0. */
void repeat_cache_keep(struct repeat_cache *cache, struct repeat_place place, const void *result,
                       size_t n, size_t own_n);

#endif
