#include "store/log_query.h"

#include <stdlib.h>

struct log_place log_place_after(int64_t time)
{
    return (struct log_place){.time = time, .nanos = 1000000, .id = INT64_MIN};
}

static bool asks_for_some(const struct log_filter *f)
{
    return f->namespace.n || f->pod.n || f->container.n || f->workload.n || f->text.n ||
           f->least > LOG_TRACE;
}

/* How far back this page looks: since is the last line it looks at, or the beginning of the range.
 */
static enum error find_reach(struct db *db, struct arena *arena, struct str cluster,
                             const struct log_filter *f, struct log_place *since, bool *more)
{
    const struct log_place *b = &f->before;
    struct db_value *row = NULL;
    *since = (struct log_place){.time = f->from, .id = INT64_MIN};
    enum error e = ERR_OK;
    if (asks_for_some(f))
        e = db_row(db, arena, STMT_log_reach,
                   DB_ARGS(db_uuid(cluster), db_time(b->time), db_time(b->time), db_int(b->nanos),
                           db_int(b->nanos), db_int(b->id), db_time(f->from),
                           db_int(LOG_SCAN_MAX - 1)),
                   &row);
    *more = row != NULL;
    if (row)
        *since = (struct log_place){row[0].i, (int)row[1].i, row[2].i};
    return e;
}

static enum error fetch(struct db *db, struct arena *arena, struct str cluster,
                        const struct log_filter *f, const struct log_place *since,
                        struct db_rows *rows)
{
    const struct log_place *b = &f->before;
    struct db_value namespace = db_text_or_empty(f->namespace), pod = db_text_or_empty(f->pod),
                    container = db_text_or_empty(f->container),
                    workload = db_text_or_empty(f->workload), wanted = db_text_or_empty(f->text);
    return db_rows(db, arena, STMT_log_page,
                   DB_ARGS(db_uuid(cluster), db_time(b->time), db_time(b->time), db_int(b->nanos),
                           db_int(b->nanos), db_int(b->id), db_time(since->time),
                           db_time(since->time), db_int(since->nanos), db_int(since->nanos),
                           db_int(since->id), db_int(f->least), namespace, namespace, pod, pod,
                           container, container, workload, workload,
                           db_int(f->workload.n ? f->shapes : pod_shapes_of(KIND_NONE)), wanted,
                           wanted, db_int(f->limit + 1)),
                   rows);
}

static struct log_found found_of(const struct db_value *row)
{
    return (struct log_found){.line = {.time = row[0].i,
                                       .nanos = (int)row[1].i,
                                       .id = row[2].i,
                                       .position = (uint32_t)row[3].i,
                                       .severity = (enum log_severity)row[4].i,
                                       .level = row[5].s,
                                       .message = row[9].s},
                              .namespace = row[6].s,
                              .pod = row[7].s,
                              .container = row[8].s};
}

/* As many of the rows as belong into a page. */
static size_t page_length(const struct log_filter *f, const struct db_rows *rows)
{
    size_t n = 0, bytes = 0;
    while (n < rows->n && n < (size_t)f->limit) {
        bytes += rows->items[n][9].s.n;
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
    struct db_rows rows;
    *page = (struct log_page){0};
    enum error e = find_reach(db, arena, cluster, filter, &page->next, &page->more);
    if (!e)
        e = fetch(db, arena, cluster, filter, &page->next, &rows);
    if (e)
        return e;
    page->n = page_length(filter, &rows);
    page->lines = ARENA_ARRAY(arena, page->n, struct log_found);
    for (size_t i = 0; i < page->n; i++)
        page->lines[i] = found_of(rows.items[i]);
    if (page->n < rows.n) {
        const struct log_line *last = &page->lines[page->n - 1].line;
        page->more = true;
        page->next = (struct log_place){last->time, last->nanos, last->id};
    }
    qsort(page->lines, page->n, sizeof *page->lines, by_time_and_position);
    return ERR_OK;
}
