#include "store/gate_summary.h"

#include "base/buf.h"
#include "base/log.h"
#include "codec/zstd.h"
#include "kube/kinds.h"
#include "report/report.h"
#include "score/fold.h"
#include "score/reasons.h"

struct summary_row {
    struct str reasons, risks;
    int64_t risks_hash;
    struct str workloads, api_use, packed;
    bool risks_kept;
    struct str scope;
    int64_t hash;
};

#define STATEMENTS "store/gate_summary.def"
#include "db/statements.inc"

#define HIDDEN '!' /* begins a line of kinds */

enum { LINES_MAX = 64 * 1024 * 1024, LINE_MAX = 4096, TEXTS = 4, ZSTD_LEVEL = 1 };

/* ---- packed: "LENGTH LENGTH LENGTH LENGTH\n", the texts, and all of that as zstd ---- */

/* One of each a process: what comes out goes into the arena, and when that is exhausted nobody
 * comes back to free them. NULL without memory. */
static struct zstd_writer *writer_to(struct sink sink)
{
    static struct zstd_writer *writer;
    if (writer)
        zstd_writer_reset(writer, sink);
    else
        writer = zstd_writer_open(sink, ZSTD_LEVEL);
    return writer;
}

static struct zstd_reader *reader_of(struct source from)
{
    static struct zstd_reader *reader;
    const uint64_t max = (uint64_t)TEXTS * LINES_MAX;
    if (reader)
        zstd_reader_reset(reader, from, max);
    else
        reader = zstd_reader_open(from, max);
    return reader;
}

static void texts_of(struct gate_summary *summary, struct str *texts[TEXTS])
{
    texts[0] = &summary->reasons;
    texts[1] = &summary->risks;
    texts[2] = &summary->workloads;
    texts[3] = &summary->api_use;
}

static bool put_packed(void *context, struct str bytes)
{
    struct buf *out = context;
    buf_put(out, bytes);
    return !out->full;
}

static struct str pack(struct arena *arena, const struct str *pieces, size_t n)
{
    struct buf out = buf_init(arena, LINES_MAX);
    struct zstd_writer *zstd = writer_to((struct sink){put_packed, &out});
    bool good = zstd != NULL;
    for (size_t i = 0; i < n; i++)
        good = good && zstd_writer_put(zstd, pieces[i]);
    good = good && zstd_writer_finish(zstd);
    return good ? buf_str(&out) : (struct str){0};
}

struct str gate_summary_pack(struct arena *arena, const struct gate_summary *summary)
{
    struct gate_summary copy = *summary;
    struct str *texts[TEXTS], pieces[TEXTS + 1];
    texts_of(&copy, texts);
    pieces[0] = arena_printf(arena, "%zu %zu %zu %zu\n", texts[0]->n, texts[1]->n, texts[2]->n,
                             texts[3]->n);
    for (size_t i = 0; i < TEXTS; i++)
        pieces[i + 1] = *texts[i];
    return pack(arena, pieces, TEXTS + 1);
}

static bool read_all(struct arena *arena, struct str packed, struct str *text)
{
    struct buf out = buf_init(arena, (size_t)TEXTS * LINES_MAX);
    struct zstd_reader *zstd = reader_of(source_of(&packed));
    struct source source = zstd ? zstd_reader_source(zstd) : (struct source){0};
    enum { ROOM = 64 * 1024, USUAL_RATIO = 32 };
    ptrdiff_t n = zstd ? 1 : -1;
    char *room;
    buf_reserve(&out, packed.n * USUAL_RATIO); /* so that little is copied */
    while (n > 0 && (room = buf_reserve(&out, ROOM)) != NULL) {
        n = source.read(source.context, room, ROOM);
        buf_commit(&out, n > 0 ? (size_t)n : 0);
    }
    *text = buf_str(&out);
    return n == 0;
}

/* *behind: what follows the texts. */
static bool unpack(struct arena *arena, struct str bytes, struct gate_summary *summary,
                   struct str *behind)
{
    struct str rest, head, word, *texts[TEXTS];
    int64_t n;
    if (!read_all(arena, bytes, &rest) || !str_cut(rest, '\n', &head, &rest))
        return false;
    texts_of(summary, texts);
    for (size_t i = 0; i < TEXTS; i++) {
        if (!str_next_word(&head, &word) || !str_to_i64(word, &n) || n < 0 || (uint64_t)n > rest.n)
            return false;
        *texts[i] = str_or_empty(str_sub(rest, 0, (size_t)n));
        rest = str_sub(rest, (size_t)n, rest.n);
    }
    *behind = rest;
    return true;
}

bool gate_summary_unpack(struct arena *arena, struct str packed, struct gate_summary *summary)
{
    struct str behind;
    return unpack(arena, packed, summary, &behind) && behind.n == 0;
}

/* ---- about scope: a column of its own ---- */

/* Programs of before write the other column alone. So it says to which summary it belongs. */
static struct str mark_of(struct arena *arena, int64_t risks_hash, struct str packed)
{
    return arena_printf(arena, "%lld %zu\n", (long long)risks_hash, packed.n);
}

static struct str pack_scope(struct arena *arena, const struct gate_summary *summary,
                             struct str packed)
{
    struct str pieces[] = {mark_of(arena, summary->risks_hash, packed), summary->scope};
    return pack(arena, pieces, 2);
}

/* Both columns at once, as frames that follow one another: a reader of zstd costs more than what it
 * reads here. The scope is absent when it is of another summary. */
static bool unpack_both(struct arena *arena, const struct summary_row *row,
                        struct gate_summary *summary)
{
    struct str mark = mark_of(arena, row->risks_hash, row->packed), behind;
    struct buf both = buf_init(arena, row->packed.n + row->scope.n);
    buf_put(&both, row->packed);
    buf_put(&both, row->scope);
    if (!unpack(arena, buf_str(&both), summary, &behind))
        return false;
    if (str_has_prefix(behind, mark))
        summary->scope = str_or_empty(str_sub(behind, mark.n, behind.n));
    return true;
}

/* ---- stored ---- */

enum error gate_summary_fetch(struct db *db, struct arena *arena, struct str cluster,
                              struct gate_summary **summary)
{
    struct summary_row *row;
    enum error e = DB_ROW(db, arena, &row, gate_summary_fetch, .cluster = cluster);
    *summary = NULL;
    if (e || !row)
        return e;
    *summary = ARENA_NEW(arena, struct gate_summary);
    **summary = (struct gate_summary){.reasons = row->reasons,
                                      .risks = row->risks,
                                      .risks_hash = row->risks_hash,
                                      .risks_kept = row->risks_kept,
                                      .hash = row->hash,
                                      .workloads = row->workloads,
                                      .api_use = row->api_use};
    if (!row->packed.p || (row->scope.p && unpack_both(arena, row, *summary)) ||
        gate_summary_unpack(arena, row->packed, *summary))
        return ERR_OK;
    log_error("cluster=%" STR_FMT " problem=\"the summary for the gate cannot be read\"",
              STR_ARG(cluster));
    return ERR_INTERNAL;
}

enum error gate_summary_put(struct db *db, struct arena *arena, struct str cluster,
                            const struct gate_summary *summary, const struct risk_hashes *hashes)
{
    struct str packed = gate_summary_pack(arena, summary);
    struct str bytes = {(const char *)hashes, sizeof *hashes};
    struct str scope = packed.p ? pack_scope(arena, summary, packed) : packed;
    if (!scope.p)
        return ERR_OUT_OF_MEMORY;
    return DB_RUN(db, gate_summary_put, .cluster = cluster, .risks_hash = summary->risks_hash,
                  .packed = packed, .scope = scope, .risk_hashes = bytes);
}

/* ---- workloads ---- */

/* Programs of before take the line for a workload without a name. */
static void put_hidden(struct buf *out, const struct cluster *cluster)
{
    char before = HIDDEN;
    for (enum kind kind = KIND_NONE + 1; kind < KIND_COUNT; kind++)
        if (cluster_lacks(cluster, kind) && kind_of_workload(kind_name(kind)) == kind) {
            buf_putc(out, before);
            buf_put(out, kind_name(kind));
            before = ' ';
        }
    if (before != HIDDEN)
        buf_putc(out, '\n');
}

static struct str workload_lines(struct arena *arena, const struct cluster *cluster)
{
    struct buf out = buf_init(arena, LINES_MAX);
    const struct workload_state *states = workload_states(arena, cluster);
    for (uint32_t i = 0; i < cluster->workloads.n; i++)
        if (workload_is_topmost(cluster->workloads.items[i]))
            workload_state_put(arena, &out, &states[i]);
    put_hidden(&out, cluster);
    return out.n ? buf_str(&out) : STR("");
}

/* ---- risks ---- */

static struct str reason_lines(struct arena *arena, const struct ledger *ledger)
{
    struct buf out = buf_init(arena, LINES_MAX);
    str_list lines = ledger_reasons(arena, ledger, GATE_SUMMARY_REASONS_MAX);
    const struct str *line;
    LIST_EACH (line, lines) {
        buf_put(&out, *line);
        buf_putc(&out, '\n');
    }
    return out.n ? buf_str(&out) : STR("");
}

uint32_t gate_summary_risks(struct arena *arena, const struct ledger *ledger,
                            uint32_t order[GATE_SUMMARY_RISKS_MAX])
{
    uint32_t *exempt, n = 0, at = 0;
    uint32_t exempt_n = fold_exempt(arena, ledger, GATE_SUMMARY_EXEMPT_MAX, &exempt);
    for (; at < ledger->risks.n && n < GATE_SUMMARY_RISKS_MAX - exempt_n; at++)
        if (ledger->risks.items[at].impact)
            order[n++] = at;
    for (uint32_t i = 0; i < exempt_n; i++)
        order[n++] = exempt[i];
    for (uint32_t i = 0; i < ledger->risks.n && n < GATE_SUMMARY_RISKS_MAX; i++)
        if (!ledger->risks.items[i].impact && !ledger->risks.items[i].would_cost)
            order[n++] = i;
    return n;
}

struct gate_summary gate_summary_of(struct arena *arena, const struct cluster *cluster,
                                    const struct ledger *ledger, const struct ledger *kept,
                                    const int64_t *first_seen, struct str api_use, struct str scope)
{
    struct buf risks = buf_init(arena, LINES_MAX);
    uint32_t order[GATE_SUMMARY_RISKS_MAX], n = gate_summary_risks(arena, kept, order);
    for (uint32_t i = 0; i < n; i++) {
        struct jw jw;
        jw_init(&jw, &risks);
        report_risk(&jw, &kept->risks.items[order[i]], STR("cluster"), first_seen[order[i]]);
        buf_putc(&risks, '\n');
    }
    struct str lines = risks.n ? buf_str(&risks) : STR("");
    return (struct gate_summary){.reasons = reason_lines(arena, ledger),
                                 .risks = lines,
                                 .risks_hash = (int64_t)str_hash(0, lines),
                                 .workloads = workload_lines(arena, cluster),
                                 .api_use = api_use,
                                 .scope = scope};
}

/* ---- look-up ---- */

/* hidden: the kinds that are, between blanks. KIND_NONE: is any kind by which most workloads go? */
static bool is_hidden(struct str hidden, enum kind kind)
{
    static const enum kind usual[] = {KIND_DEPLOYMENT, KIND_STATEFULSET, KIND_DAEMONSET};
    struct str word;
    while (str_next_word(&hidden, &word)) {
        if (kind != KIND_NONE && str_eq(word, kind_name(kind)))
            return true;
        for (size_t i = 0; kind == KIND_NONE && i < sizeof usual / sizeof *usual; i++)
            if (str_eq(word, kind_name(usual[i])))
                return true;
    }
    return false;
}

enum gate_target_state gate_summary_find(const struct gate_summary *summary, struct str namespace,
                                         struct str resource, struct workload_state *found)
{
    struct str word, name, line, lines = summary->workloads, hidden = {0};
    enum kind kind = KIND_NONE;
    bool has_kind = str_cut(resource, '/', &word, &name);
    if (has_kind)
        kind = kind_of_workload(word);
    else
        name = resource;
    if (has_kind && !kind)
        return GATE_TARGET_NOT_ASKED;
    while (lines.n) {
        str_cut(lines, '\n', &line, &lines);
        if (line.n && line.p[0] == HIDDEN) {
            hidden = str_sub(line, 1, line.n);
            continue;
        }
        *found = workload_state_read(line);
        if (str_eq(found->name, name) && str_eq(found->namespace, namespace) &&
            (!has_kind || str_eq(found->kind, kind_name(kind))))
            return GATE_TARGET_FOUND;
    }
    return is_hidden(hidden, kind) ? GATE_TARGET_HIDDEN : GATE_TARGET_MISSING;
}

struct str gate_summary_target(struct arena *arena, const struct gate_summary *summary,
                               struct str namespace, struct str resource)
{
    struct buf line = buf_init(arena, LINE_MAX);
    struct workload_state state = {.namespace = namespace, .name = resource};
    struct str word, name;
    if (!resource.n)
        return (struct str){0};
    enum gate_target_state there = gate_summary_find(summary, namespace, resource, &state);
    if (there == GATE_TARGET_NOT_ASKED || there == GATE_TARGET_HIDDEN ||
        (there == GATE_TARGET_FOUND && !workload_state_is_known(&state)))
        return (struct str){0};
    if (there == GATE_TARGET_MISSING) {
        state = (struct workload_state){.namespace = namespace, .name = resource};
        if (str_cut(resource, '/', &word, &name)) {
            state.kind = kind_name(kind_of_workload(word));
            state.name = name;
        }
    }
    workload_state_put(arena, &line, &state);
    return buf_str(&line);
}
