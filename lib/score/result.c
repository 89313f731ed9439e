#include "score/result.h"

#include "base/hex.h"

struct str decision_name(enum decision decision)
{
    static const char *const names[] = {"SAFE", "WARN", "BLOCK"};
    assert(decision <= DECISION_BLOCK);
    return str_of(names[decision]);
}

enum decision decision_of(int csc_score)
{
    return csc_score >= SCORE_SAFE   ? DECISION_SAFE
           : csc_score >= SCORE_WARN ? DECISION_WARN
                                     : DECISION_BLOCK;
}

struct str risk_id_text(uint64_t id, char out[RISK_ID_LEN + 1])
{
    _Static_assert(RISK_ID_LEN == 16, "it is a number of 64 bits");
    hex_number(id, out);
    return (struct str){out, RISK_ID_LEN};
}

bool risk_id_parse(struct str text, uint64_t *id)
{
    uint64_t value = 0;
    if (text.n != RISK_ID_LEN)
        return false;
    for (size_t i = 0; i < RISK_ID_LEN; i++) {
        unsigned digit = (unsigned char)text.p[i] - (unsigned)'0';
        unsigned letter = (unsigned char)text.p[i] - (unsigned)'a';
        if (digit > 9 && letter > 5)
            return false;
        value = value << 4 | (digit <= 9 ? digit : letter + 10);
    }
    *id = value;
    return true;
}

uint64_t risk_identify(struct risk *risk)
{
    const struct str parts[] = {str_of(risk->check->id), risk->namespace, risk->resource,
                                risk->container};
    uint64_t hash = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        hash = str_hash(str_hash(hash, parts[i]), (struct str){"", 1});
    risk_id_text(hash, risk->id);
    return hash;
}

int risk_order(const struct risk *x, const struct risk *y)
{
    if (x->impact != y->impact)
        return x->impact > y->impact ? -1 : 1;
    if (x->severity != y->severity)
        return x->severity < y->severity ? -1 : 1;
    if (x->check != y->check)
        return x->check < y->check ? -1 : 1;
    int order = str_cmp(x->namespace, y->namespace);
    if (order == 0)
        order = str_cmp(x->resource, y->resource);
    if (order == 0)
        order = str_cmp(x->container, y->container);
    /* Objects without a name are told apart by what is said of them only. */
    return order ? order : str_cmp(x->message, y->message);
}

static int by_id(const void *a, const void *b)
{
    const struct risk *const *x = a, *const *y = b;
    return strcmp((*x)->id, (*y)->id);
}

risk_index risks_by_id(struct arena *arena, const struct risk *risks, uint32_t n)
{
    risk_index index = {.n = n};
    LIST_ROOM(arena, index);
    for (uint32_t i = 0; i < n; i++)
        LIST_PUT(index, &risks[i]);
    LIST_SORT(index, by_id);
    return index;
}

const struct risk *risk_same(const risk_index *index, const struct risk *risk)
{
    const struct risk **found = LIST_FIND(*index, &risk, by_id);
    return found ? *found : NULL;
}
