#include "store/log_query.h"

#include <stdlib.h>

enum { STEPS_AT_ONCE = 1000 };

/* A line that a page looks at. */
struct log_step {
    struct log_place place;
    int64_t bytes; /* of its message */
};

#define STATEMENTS "store/log_query.def"
#include "db/statements.inc"

struct log_place log_place_after(int64_t time)
{
    return (struct log_place){.time = time, .nanos = 1000000, .id = INT64_MIN};
}

static bool asks_for_some(const struct log_filter *f)
{
    return f->namespace.n || f->pod.n || f->container.n || f->workload.n || f->text.n ||
           f->least > LOG_TRACE;
}

static enum error fetch_steps(struct db *db, struct arena *arena, struct str cluster,
                              const struct log_filter *f, const struct log_place *before,
                              struct log_step **steps, size_t *n)
{
    return DB_ROWS(db, arena, steps, n, log_steps, .cluster = cluster, .before_at = before->time,
                   .before_nanos = before->nanos, .before_line = before->id, .since_at = f->from,
                   .limit = STEPS_AT_ONCE);
}

/* How far back this page looks: since is the last line it looks at, or the beginning of the range.
 * Long lines take as much as many short ones, so bytes count, too. */
static enum error find_reach(struct db *db, struct arena *arena, struct str cluster,
                             const struct log_filter *f, struct log_place *since, bool *more)
{
    int64_t lines = LOG_SCAN_MAX, bytes = LOG_SCAN_BYTES;
    struct log_place at = f->before;
    *more = asks_for_some(f);
    while (*more && lines > 0 && bytes > 0) {
        struct log_step *steps;
        size_t n;
        enum error e = fetch_steps(db, arena, cluster, f, &at, &steps, &n);
        if (e)
            return e;
        for (size_t i = 0; i < n && lines > 0 && bytes > 0; i++) {
            at = steps[i].place;
            bytes -= steps[i].bytes;
            lines--;
        }
        *more = n == STEPS_AT_ONCE || lines == 0 || bytes <= 0;
    }
    *since = *more ? at : (struct log_place){.time = f->from, .id = INT64_MIN};
    return ERR_OK;
}

static enum error fetch(struct db *db, struct arena *arena, struct str cluster,
                        const struct log_filter *f, const struct log_place *since,
                        struct log_found **lines, size_t *n)
{
    const struct log_place *b = &f->before;
    return DB_ROWS(db, arena, lines, n, log_page, .cluster = cluster, .before_at = b->time,
                   .before_nanos = b->nanos, .before_line = b->id, .since_at = since->time,
                   .since_nanos = since->nanos, .since_line = since->id, .least = f->least,
                   .namespace = str_or_empty(f->namespace), .pod = str_or_empty(f->pod),
                   .container = str_or_empty(f->container), .workload = str_or_empty(f->workload),
                   .shapes = f->workload.n ? f->shapes : pod_shapes_of(KIND_NONE),
                   .text = str_or_empty(f->text), .limit = f->limit + 1);
}

/* As many of the lines as belong into a page. */
static size_t page_length(const struct log_filter *f, const struct log_found *lines, size_t count)
{
    size_t n = 0, bytes = 0;
    while (n < count && n < (size_t)f->limit) {
        bytes += lines[n].line.message.n;
        if (n && bytes > LOG_PAGE_BYTES)
            break;
        n++;
    }
    return n;
}

/* Lines of one time are found in the order of their ids; people want that of their pushes. */
static int by_time_and_position(const void *a, const void *b)
{
    const struct log_found *x = a, *y = b;
    if (x->line.time != y->line.time)
        return x->line.time > y->line.time ? -1 : 1;
    if (x->line.nanos != y->line.nanos)
        return x->line.nanos > y->line.nanos ? -1 : 1;
    if (x->line.position != y->line.position)
        return x->line.position > y->line.position ? -1 : 1;
    return (x->line.id < y->line.id) - (x->line.id > y->line.id);
}

enum error log_fetch(struct db *db, struct arena *arena, struct str cluster,
                     const struct log_filter *filter, struct log_page *page)
{
    size_t n;
    assert(filter->limit > 0);
    *page = (struct log_page){0};
    enum error e = find_reach(db, arena, cluster, filter, &page->next, &page->more);
    if (!e)
        e = fetch(db, arena, cluster, filter, &page->next, &page->lines, &n);
    if (e)
        return e;
    page->n = page_length(filter, page->lines, n);
    if (page->n < n) {
        const struct log_line *last = &page->lines[page->n - 1].line;
        page->more = true;
        page->next = (struct log_place){last->time, last->nanos, last->id};
    }
    qsort(page->lines, page->n, sizeof *page->lines, by_time_and_position);
    return ERR_OK;
}
