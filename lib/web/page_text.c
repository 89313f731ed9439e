#include "web/page_text.h"

#include "codec/jr.h"
#include "report/report.h"
#include "web/negotiate.h"

enum { LEVELS_MAX = 16, KEY_MAX = 256, PLACE_MAX = LEVELS_MAX * (KEY_MAX + 1) };

/* Where in an answer a value is. */
struct place {
    struct buf path;
    struct {
        size_t path_n;   /* of the level's own place */
        int64_t element; /* of an array, the next */
        bool array;
    } levels[LEVELS_MAX];
    unsigned depth;
};

/* The path goes to the current value. */
static void go_to(struct place *place, struct jr *jr)
{
    place->path.n = place->levels[place->depth].path_n;
    if (place->path.n)
        buf_putc(&place->path, '.');
    if (place->levels[place->depth].array)
        buf_put_int(&place->path, place->levels[place->depth].element++);
    else
        buf_put(&place->path, jr_key(jr));
}

static void go_into(struct place *place, struct jr *jr, bool array)
{
    place->depth++;
    place->levels[place->depth].path_n = place->path.n;
    place->levels[place->depth].element = 0;
    place->levels[place->depth].array = array;
    jr_enter(jr);
}

static void put_value(struct buf *out, struct place *place, struct jr *jr, enum jr_type type)
{
    buf_put(out, buf_str(&place->path));
    buf_putc(out, '\t');
    if (type != JR_NULL)
        buf_put(out, report_plain(out->arena, jr_text(jr)));
    buf_putc(out, '\n');
}

/* The lines of one object. False when it is not as answers are. */
static bool put_lines(struct buf *out, struct str json)
{
    const struct jr_limits limits = {
        .depth = LEVELS_MAX - 1, .key = KEY_MAX, .string = json.n, .total = json.n};
    struct place place = {.path = buf_init(out->arena, PLACE_MAX)};
    struct jr *jr = jr_open(out->arena, source_of(&json), limits);
    enum jr_type type = jr_next(jr);
    if (type != JR_OBJECT)
        return false;
    jr_enter(jr);
    for (bool inside = true; inside;) {
        type = jr_next(jr);
        if (type <= JR_END) {
            inside = type == JR_END && place.depth > 0;
            place.depth -= inside;
            continue;
        }
        go_to(&place, jr);
        if (type == JR_OBJECT || type == JR_ARRAY)
            go_into(&place, jr, type == JR_ARRAY);
        else
            put_value(out, &place, jr, type);
    }
    return jr_error(jr)->code == JR_OK && !place.path.full;
}

static enum error page_text(struct request *r, int status, struct str json)
{
    struct buf text = buf_init(r->arena, PAGE_MAX);
    buf_reserve(&text, 3 * json.n); /* as a rule it suffices */
    if (!put_lines(&text, json))
        return ERR_INTERNAL;
    buf_put(&text, STR("json\t"));
    buf_put(&text, json);
    buf_putc(&text, '\n');
    return text.full ? ERR_OUT_OF_MEMORY
                     : page_body(r, status, STR("text/plain; charset=utf-8"), buf_str(&text));
}

enum error page_json_or_text(struct request *r, int status, struct page *page)
{
    http_add_header(&r->response, STR("Vary"), STR("Accept"));
    if (page->buf.full)
        return ERR_OUT_OF_MEMORY;
    if (negotiate_prefers_text(http_header(&r->http, "ACCEPT")))
        return page_text(r, status, buf_str(&page->buf));
    return page_json(r, status, page);
}
