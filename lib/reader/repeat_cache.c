#include "reader/repeat_cache.h"

#include "base/buf.h"
#include "base/hash.h"
#include "base/list.h"
#include "kube/credential_cut.h"

enum {
    PAGES = 256, /* of the table of texts; a power of two, like the next */
    PAGE_SIZE = 32,
    START_MIN = 16, /* see lengths */
    START_MAX = 255,
    LENGTHS = 256,          /* as many as eight bits tell apart */
    TEXT_MIN = 40,          /* shorter ones are as quickly read as recalled */
    REPEAT_MAX = 16 * 1024, /* of one text and all that is kept with it */
    SEGMENTS = 64,          /* of the ring, made when they are needed */
    SEGMENT_SIZE = 64 * 1024,
    RING_SIZE = SEGMENTS * SEGMENT_SIZE,
    RING_ALIGN = 8,
    PATCHES_AT_FIRST = 128,
    UNREAD_MAX = 256, /* of a string, to be a wildcard */
    NUMBER_MAX = 16,  /* digits of a number */
};

enum patch_type {
    PATCH_EDIT,     /* the tap saw something else */
    PATCH_WILDCARD, /* in a string: other bytes may stand there */
    PATCH_TIME,     /* a wildcard, and what stands there is a time */
    PATCH_NUMBER,   /* digits: others may stand there */
};

/* Bytes of a text that are not like the rest. `at` is their offset in the text, of a text that is
 * being read in the input. */
struct patch {
    uint64_t at;
    uint32_t n;
    enum patch_type type;
    union {
        struct str instead; /* EDIT */
        size_t to;          /* TIME, NUMBER: its place in the items of the list */
    };
};

/* A text: kept in the ring are its patches, the text and what became of it. */
struct repeat_entry {
    const void *what;
    unsigned depth;
    bool edited; /* there are such patches ... */
    bool valued; /* ... and ones with a value */
    bool varied; /* ... and strings where others may stand */
    enum scrub_known known;
    uint32_t patches_n, text_n, own_n;
    uint64_t place; /* 0: nothing was kept yet */
};

struct repeat_cache {
    struct arena *arena, *results; /* results: of what is recalled */
    struct jr *jr;
    struct time_memo *last_time;
    struct scrub *scrub;               /* or NULL */
    struct repeat_entry *pages[PAGES]; /* of the table of texts; made when they are needed */
    uint8_t lengths[LENGTHS];   /* of the starts by which the texts of a field are looked up */
    char *ring[SEGMENTS];       /* the oldest makes room */
    uint64_t end;               /* the place behind the newest; places are counted on and on */
    LIST(struct patch) patches; /* of the object being read, in order */
    uint64_t forgotten;         /* texts that begin before this offset are not kept */
    struct buf seen;
};

struct repeat_cache *repeat_cache_new(struct arena *arena, struct jr *jr,
                                      struct time_memo *last_time)
{
    struct repeat_cache *cache = ARENA_NEW(arena, struct repeat_cache);
    cache->arena = cache->results = arena;
    cache->jr = jr;
    cache->last_time = last_time;
    cache->end = RING_SIZE;
    LIST_RESERVE(arena, cache->patches, PATCHES_AT_FIRST);
    cache->seen = buf_init(arena, SIZE_MAX);
    memset(cache->lengths, START_MIN, sizeof cache->lengths);
    return cache;
}

void repeat_cache_keep_in(struct repeat_cache *cache, struct arena *arena)
{
    cache->results = arena;
}

/* ---- patches ---- */

void repeat_cache_begin(struct repeat_cache *cache)
{
    cache->patches.n = 0;
    cache->forgotten = 0;
}

void repeat_cache_forget(struct repeat_cache *cache)
{
    cache->forgotten = jr_offset(cache->jr);
}

static void add_patch(struct repeat_cache *cache, struct patch patch)
{
    LIST_ADD(cache->arena, cache->patches, patch);
}

/* How many of the patches, the last ones, are behind an offset. */
static uint32_t patches_since(const struct repeat_cache *cache, uint64_t from)
{
    uint32_t n = 0;
    while (n < cache->patches.n && cache->patches.items[cache->patches.n - n - 1].at >= from)
        n++;
    return n;
}

void repeat_cache_note_edit(struct repeat_cache *cache, uint64_t from, uint64_t to,
                            struct str instead)
{
    cache->patches.n -= patches_since(cache, from);
    add_patch(cache, (struct patch){.at = from, .n = (uint32_t)(to - from), .instead = instead});
}

uint32_t repeat_cache_edits(const struct repeat_cache *cache, struct repeat_edit *to, uint32_t max)
{
    const struct patch *patch;
    uint32_t n = 0;
    LIST_EACH (patch, cache->patches) {
        if (patch->type == PATCH_EDIT && n < max)
            to[n] = (struct repeat_edit){patch->at, patch->n, patch->instead};
        n += patch->type == PATCH_EDIT;
    }
    return n;
}

void repeat_cache_note_wildcard(struct repeat_cache *cache, uint64_t from, uint64_t to)
{
    add_patch(cache,
              (struct patch){.at = from, .n = (uint32_t)(to - from), .type = PATCH_WILDCARD});
}

/* Its text is not asked for: that would limit its length. */
void repeat_cache_note_unread(struct repeat_cache *cache)
{
    struct str ahead = str_sub(jr_ahead(cache->jr, 0), 1, UNREAD_MAX);
    const char *end = ahead.n ? memchr(ahead.p, '"', ahead.n) : NULL;
    uint64_t from = jr_offset(cache->jr) + 1;
    if (end && !memchr(ahead.p, '\\', (size_t)(end - ahead.p)))
        repeat_cache_note_wildcard(cache, from, from + (uint64_t)(end - ahead.p));
}

void repeat_cache_note_time(struct repeat_cache *cache, struct str text, size_t to)
{
    uint64_t from = jr_offset(cache->jr) + 1;
    if (jr_ahead(cache->jr, 0).p + 1 == text.p) /* no escapes */
        add_patch(cache,
                  (struct patch){.at = from, .n = (uint32_t)text.n, .type = PATCH_TIME, .to = to});
}

/* A whole number as JSON has it. */
static bool is_number(const char *p, size_t n)
{
    bool digits = n == 1 || (n > 0 && n < NUMBER_MAX && *p != '0');
    for (size_t i = 0; i < n; i++)
        digits &= p[i] >= '0' && p[i] <= '9';
    return digits;
}

void repeat_cache_note_number(struct repeat_cache *cache, struct str text, size_t to)
{
    uint64_t from = jr_offset(cache->jr);
    if (is_number(text.p, text.n))
        add_patch(cache, (struct patch){
                             .at = from, .n = (uint32_t)text.n, .type = PATCH_NUMBER, .to = to});
}

/* ---- what is kept ---- */

static bool is_kept(const struct repeat_cache *cache, const struct repeat_entry *entry)
{
    return entry->place && entry->place + RING_SIZE >= cache->end;
}

static struct patch *patches_of(const struct repeat_cache *cache, const struct repeat_entry *entry)
{
    char *segment = cache->ring[entry->place / SEGMENT_SIZE % SEGMENTS];
    return (struct patch *)(void *)(segment + entry->place % SEGMENT_SIZE);
}

static char *text_of(const struct repeat_cache *cache, const struct repeat_entry *entry)
{
    return (char *)(patches_of(cache, entry) + entry->patches_n);
}

static char *result_of(const struct repeat_cache *cache, const struct repeat_entry *entry)
{
    return text_of(cache, entry) + entry->text_n;
}

/* A place for n bytes, which overwrite the oldest. */
static uint64_t make_room(struct repeat_cache *cache, size_t n)
{
    assert(n <= SEGMENT_SIZE);
    size_t gap = (size_t)(-cache->end % RING_ALIGN);
    size_t left = SEGMENT_SIZE - cache->end % SEGMENT_SIZE;
    uint64_t place = cache->end + (gap + n <= left ? gap : left);
    char **segment = &cache->ring[place / SEGMENT_SIZE % SEGMENTS];
    if (!*segment)
        *segment = arena_raw(cache->arena, SEGMENT_SIZE);
    cache->end = place + n;
    return place;
}

/* ---- recalling ---- */

static uint8_t *length_for(struct repeat_cache *cache, const void *what)
{
    return &cache->lengths[(uintptr_t)what * 0x9e3779b97f4a7c15u >> 56];
}

static struct repeat_entry *find(struct repeat_cache *cache, const void *what, struct str ahead)
{
    uint64_t hash = hash_bytes((uintptr_t)what, str_sub(ahead, 0, *length_for(cache, what)));
    struct repeat_entry **page = &cache->pages[hash / PAGE_SIZE % PAGES];
    if (!*page)
        *page = ARENA_ARRAY(cache->arena, PAGE_SIZE, struct repeat_entry);
    return &(*page)[hash % PAGE_SIZE];
}

/* Part of a string, without anything that would end it or mean something else: all ASCII. In the
 * top bit of each byte of `odd` is whether there was one of those, or what it borrowed from one. */
static bool is_plain(const char *p, size_t n)
{
    const uint64_t ones = UINT64_MAX / 255;
    uint64_t odd = 0;
    for (; n >= sizeof odd; p += sizeof odd, n -= sizeof odd) {
        uint64_t word, quote, backslash;
        memcpy(&word, p, sizeof word);
        quote = word ^ ones * '"';
        backslash = word ^ ones * '\\';
        odd |= word | (word - ones * ' ') | (quote - ones) | (backslash - ones);
    }
    for (; n > 0; p++, n--)
        odd |= *p < ' ' || *p == '"' || *p == '\\' ? ones << 7 : 0;
    return (odd & ones << 7) == 0;
}

static bool fits(const struct patch *patch, const char *p)
{
    return patch->type == PATCH_NUMBER ? is_number(p, patch->n) : is_plain(p, patch->n);
}

/* Does its text stand there again? */
static bool stands_at(const struct repeat_cache *cache, const struct repeat_entry *entry,
                      struct str ahead)
{
    const struct patch *patch = patches_of(cache, entry);
    const char *text = text_of(cache, entry);
    size_t at = 0;
    if (entry->text_n > ahead.n)
        return false;
    for (uint32_t i = 0; i < entry->patches_n; i++, patch++) {
        if (patch->type == PATCH_EDIT)
            continue;
        if (memcmp(text + at, ahead.p + at, patch->at - at) != 0 ||
            !fits(patch, ahead.p + patch->at))
            return false;
        at = patch->at + patch->n;
    }
    return memcmp(text + at, ahead.p + at, entry->text_n - at) == 0;
}

/* Another text begins like this one: when a longer start, without wildcards, tells them apart, they
 * are looked up by that from now on. */
static void tell_apart(struct repeat_cache *cache, const struct repeat_entry *entry,
                       struct str ahead)
{
    uint8_t *length = length_for(cache, entry->what);
    const struct patch *patch = patches_of(cache, entry);
    const char *text = text_of(cache, entry);
    size_t same = 0, max = entry->text_n < START_MAX ? entry->text_n : START_MAX;
    for (uint32_t i = 0; i < entry->patches_n && patch[i].at < max; i++)
        if (patch[i].type != PATCH_EDIT)
            max = patch[i].at;
    while (same < max && same < ahead.n && text[same] == ahead.p[same])
        same++;
    if (same >= *length && same < max)
        *length = (uint8_t)max;
}

/* Notes the patches of a text that stands there again. What the tap is to see of it. */
static struct str repeat_patches(struct repeat_cache *cache, const struct repeat_entry *entry,
                                 uint64_t from, const char *now)
{
    const struct patch *patches = patches_of(cache, entry);
    struct buf *seen = &cache->seen;
    uint64_t at = 0;
    seen->n = 0;
    for (uint32_t i = 0; i < entry->patches_n; i++) {
        struct patch patch = patches[i];
        if (patch.type == PATCH_EDIT) {
            buf_put(seen, (struct str){now + at, patch.at - at});
            buf_put(seen, patch.instead);
            at = patch.at + patch.n;
        }
        patch.at += from;
        add_patch(cache, patch);
    }
    if (entry->edited)
        buf_put(seen, (struct str){now + at, entry->text_n - at});
    return buf_str(seen);
}

/* A list that is not shared, with the values that stand there now. */
static void renew_values(struct repeat_cache *cache, const struct repeat_entry *entry, void *result,
                         const char *now)
{
    const struct patch *patch = patches_of(cache, entry);
    char *items;
    memcpy(&items, result, sizeof items); /* a LIST() begins with them */
    items = arena_copy(cache->results, items, entry->own_n);
    for (uint32_t i = 0; i < entry->patches_n; i++, patch++) {
        struct str text = {now + patch->at, patch->n};
        int64_t value;
        if (patch->type == PATCH_TIME)
            value = time_memo_parse(cache->last_time, text);
        else if (patch->type != PATCH_NUMBER || !str_to_i64_saturated(text, &value))
            continue;
        memcpy(items + patch->to, &value, sizeof value);
    }
    memcpy(result, &items, sizeof items);
}

/* "2026-03-17T12:00:00Z": between what divides it there is no room for a secret. */
static bool is_time(const char *p, size_t n)
{
    return n == 20 && p[4] == '-' && p[7] == '-' && p[10] == 'T' && p[13] == ':' && p[16] == ':' &&
           p[19] == 'Z';
}

/* Do ordinary strings stand where others did? */
static bool are_ordinary(const struct repeat_cache *cache, const struct repeat_entry *entry,
                         const char *now)
{
    const struct patch *patch = patches_of(cache, entry);
    for (uint32_t i = 0; i < entry->patches_n; i++, patch++) {
        if ((patch->type != PATCH_WILDCARD && patch->type != PATCH_TIME) ||
            is_time(now + patch->at, patch->n))
            continue;
        if (credential_holds((struct str){now + patch->at, patch->n}))
            return false;
    }
    return true;
}

/* Would the filter behind the tap let all of it pass? */
static bool is_clean(struct repeat_cache *cache, struct repeat_entry *entry, struct str seen,
                     const char *now)
{
    if (!cache->scrub || jr_is_marked(cache->jr))
        return false;
    if (entry->known == SCRUB_UNKNOWN)
        entry->known = scrub_look(cache->scrub, seen);
    if (!entry->varied)
        return entry->known >= SCRUB_CLEAN;
    return entry->known == SCRUB_MARKLESS && are_ordinary(cache, entry, now);
}

/* Goes behind a text that stands there again. seen: what the tap is to see of it. */
static void jump(struct repeat_cache *cache, struct repeat_entry *entry, struct str seen,
                 const char *now)
{
    if (is_clean(cache, entry, seen, now)) {
        jr_jump(cache->jr, entry->text_n, &STR(""));
        scrub_pass(cache->scrub, seen);
    } else {
        jr_jump(cache->jr, entry->text_n, entry->edited ? &seen : NULL);
    }
}

void repeat_cache_spare(struct repeat_cache *cache, struct scrub *scrub)
{
    cache->scrub = scrub;
}

bool repeat_cache_recall(struct repeat_cache *cache, const void *what, void *result, size_t n,
                         struct repeat_place *place)
{
    uint64_t from = jr_offset(cache->jr);
    struct str ahead = jr_ahead(cache->jr, START_MAX);
    struct repeat_entry *entry = find(cache, what, ahead);
    if (entry->what == what && is_kept(cache, entry)) {
        ahead = jr_ahead(cache->jr, entry->text_n);
        if (entry->depth >= jr_depth(cache->jr) && stands_at(cache, entry, ahead)) {
            memcpy(result, result_of(cache, entry), n);
            if (entry->valued)
                renew_values(cache, entry, result, ahead.p);
            struct str seen = repeat_patches(cache, entry, from, ahead.p);
            jump(cache, entry, entry->edited ? seen : str_sub(ahead, 0, entry->text_n), ahead.p);
            return true;
        }
        tell_apart(cache, entry, ahead);
    }
    *place = (struct repeat_place){entry, what, from};
    return false;
}

/* ---- keeping ---- */

void repeat_cache_keep(struct repeat_cache *cache, struct repeat_place place, const void *result,
                       size_t n, size_t own_n)
{
    if (!place.entry || place.from < cache->forgotten)
        return;
    struct str text = jr_behind(cache->jr, place.from);
    struct repeat_entry entry = {.what = place.what,
                                 .depth = jr_depth(cache->jr),
                                 .patches_n = patches_since(cache, place.from),
                                 .text_n = (uint32_t)text.n,
                                 .own_n = (uint32_t)own_n};
    size_t all = entry.patches_n * sizeof(struct patch) + text.n + n;
    const struct patch *from = cache->patches.items + cache->patches.n - entry.patches_n;
    for (uint32_t i = 0; i < entry.patches_n; i++) {
        if (from[i].at - place.from + from[i].n > text.n)
            return; /* the document is broken here: not all of it was read */
        entry.edited |= from[i].type == PATCH_EDIT;
        entry.varied |= from[i].type == PATCH_WILDCARD || from[i].type == PATCH_TIME;
        entry.valued |= from[i].type == PATCH_TIME || from[i].type == PATCH_NUMBER;
    }
    if (text.n < TEXT_MIN || all > REPEAT_MAX || own_n > REPEAT_MAX || (entry.valued && !own_n))
        return;
    entry.place = make_room(cache, all);
    struct patch *patch = memcpy(patches_of(cache, &entry), from, entry.patches_n * sizeof *patch);
    for (uint32_t i = 0; i < entry.patches_n; i++) {
        patch[i].at -= place.from;
        ASSERT_SLOW(i == 0 || patch[i].at >= patch[i - 1].at + patch[i - 1].n);
    }
    memcpy(text_of(cache, &entry), text.p, text.n);
    memcpy(result_of(cache, &entry), result, n);
    *place.entry = entry;
}
