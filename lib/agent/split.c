#include "agent/split.h"

enum { ITEMS_DEPTH = 2, KEPT_ROOM = 256 * 1024 };

void split_begin(struct split *split, enum split_form form)
{
    split->form = form;
    split->depth = 0;
    split->in_string = split->escaped = split->in_items = split->overflows = false;
    split->result = SPLIT_FINE;
    bytes_clear(&split->text, KEPT_ROOM);
    bytes_clear(&split->head, KEPT_ROOM);
}

void split_free(struct split *split)
{
    bytes_free(&split->text);
    bytes_free(&split->head);
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* How deep the objects stand that are told of. */
static unsigned outside(const struct split *split)
{
    return split->form == SPLIT_ITEMS ? ITEMS_DEPTH : 0;
}

/* The byte belongs to an object, or is about to begin one. */
static bool in_object(const struct split *split)
{
    return split->form == SPLIT_VALUES ? split->depth > 0
                                       : split->in_items && split->depth > ITEMS_DEPTH;
}

static size_t trim_end(struct str s)
{
    while (s.n && is_space(s.p[s.n - 1]))
        s.n--;
    return s.n;
}

/* Does the member "items" begin here, whose array was just opened? A key may hold that text, too,
 * but then there is a backslash before the quote. */
static bool ends_with_items(struct str head)
{
    struct str key = STR("\"items\"");
    head.n = trim_end(head);
    if (!str_has_suffix(head, STR(":")))
        return false;
    head.n = trim_end((struct str){head.p, head.n - 1});
    if (!str_has_suffix(head, key))
        return false;
    char before = head.n > key.n ? head.p[head.n - key.n - 1] : 0;
    return before == '{' || before == ',' || is_space(before);
}

static bool keep(struct split *split, struct bytes *where, size_t most, struct str s)
{
    if (where->n + s.n > most)
        split->result = SPLIT_TOO_LARGE;
    else
        bytes_put(where, s);
    return split->result == SPLIT_FINE;
}

/* Bytes up to and including the one that ends the string, or all. */
static size_t string_length(struct split *split, struct str s)
{
    size_t i = 0;
    while (i < s.n && split->in_string) {
        char c = s.p[i++];
        if (split->escaped)
            split->escaped = false;
        else if (c == '\\')
            split->escaped = true;
        else if (c == '"')
            split->in_string = false;
    }
    return i;
}

static bool keep_item(struct split *split, struct str s)
{
    split->overflows |= split->text.n + s.n > SPLIT_OBJECT_MAX;
    if (!split->overflows)
        bytes_put(&split->text, s);
    return true;
}

static bool keep_here(struct split *split, struct str s)
{
    if (!in_object(split))
        return keep(split, &split->head, SPLIT_HEAD_MAX, s);
    if (split->form == SPLIT_ITEMS && split->large)
        return keep_item(split, s);
    return keep(split, &split->text, SPLIT_OBJECT_MAX, s);
}

static void tell(struct split *split)
{
    if (split->overflows)
        split->large(split->context, bytes_str(&split->text));
    else
        split->object(split->context, bytes_str(&split->text));
    split->overflows = false;
    bytes_clear(&split->text, KEPT_ROOM);
}

/* Here objects may begin, and nothing else. */
static bool is_between(const struct split *split)
{
    return split->depth == outside(split) && (split->form == SPLIT_VALUES || split->in_items);
}

static void open_bracket(struct split *split, struct str c)
{
    if (is_between(split) && *c.p != '{') {
        split->result = SPLIT_WRONG;
        return;
    }
    if (*c.p == '[' && split->form == SPLIT_ITEMS && split->depth == 1 && !split->in_items)
        split->in_items = ends_with_items(bytes_str(&split->head));
    split->depth++;
    keep_here(split, c);
}

static void close_bracket(struct split *split, struct str c)
{
    bool object = in_object(split);
    if (split->depth == 0)
        split->result = SPLIT_WRONG;
    if (split->result != SPLIT_FINE || !keep_here(split, c))
        return;
    split->depth--;
    if (split->depth < ITEMS_DEPTH)
        split->in_items = false;
    if (object && split->depth == outside(split))
        tell(split);
}

/* Between objects stand blanks and, in a list, commas and what was left out of it: null. */
static void take_between(struct split *split, char c)
{
    bool list = split->form == SPLIT_ITEMS;
    if (!is_space(c) && !(list && (c == ',' || (c >= 'a' && c <= 'z'))))
        split->result = SPLIT_WRONG;
}

static void take(struct split *split, struct str c)
{
    if (*c.p == '{' || *c.p == '[') {
        open_bracket(split, c);
    } else if (*c.p == '}' || *c.p == ']') {
        close_bracket(split, c);
    } else if (is_between(split)) {
        take_between(split, *c.p);
    } else {
        split->in_string = *c.p == '"';
        keep_here(split, c);
    }
}

/* Bytes that stand for themselves, up to the next bracket or quote. */
static size_t plain_length(struct str s)
{
    size_t n = 0;
    while (n < s.n && !strchr("{}[]\"", s.p[n]) && s.p[n])
        n++;
    return n;
}

enum split_result split_put(struct split *split, struct str bytes)
{
    while (bytes.n && split->result == SPLIT_FINE) {
        size_t n = 1;
        if (split->in_string) {
            n = string_length(split, bytes);
            keep_here(split, (struct str){bytes.p, n});
        } else if (in_object(split) && *bytes.p != '"' && plain_length(bytes)) {
            n = plain_length(bytes);
            keep_here(split, (struct str){bytes.p, n});
        } else {
            take(split, (struct str){bytes.p, 1});
        }
        bytes = str_sub(bytes, n, SIZE_MAX);
    }
    return split->result;
}

bool split_is_whole(const struct split *split)
{
    return split->result == SPLIT_FINE && split->depth == 0 &&
           (split->form == SPLIT_VALUES || split->head.n);
}

struct str split_head(const struct split *split)
{
    return bytes_str(&split->head);
}
