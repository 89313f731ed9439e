#include "reader/document_piece.h"

#include <stdlib.h>

#include "base/asserts.h"
#include "base/hash.h"
#include "codec/zstd.h"

enum { TOGETHER = 128 * 1024, PIECES_MAX = 512 /* in one pack, both at most */ };

struct document_pack {
    size_t n, live; /* bytes of all texts that were packed, and of those that are still asked for */
    size_t packed_n;
    char packed[];
};

/* ---- one piece ---- */

struct document_piece *document_piece_new(struct document_tally *tally, struct str text,
                                          struct str *names[], uint32_t n)
{
    size_t names_n = 0;
    for (uint32_t i = 0; i < n; i++)
        names_n += names[i]->n;
    struct document_piece *piece = malloc(sizeof *piece + names_n);
    if (!piece)
        return NULL;
    *piece = (struct document_piece){.bytes = sizeof *piece + names_n};
    if (!document_piece_loosen(tally, piece, text)) {
        free(piece);
        return NULL;
    }
    tally->bytes += piece->bytes;
    char *at = piece->names;
    for (uint32_t i = 0; i < n; i++) {
        if (names[i]->n)
            memcpy(at, names[i]->p, names[i]->n);
        names[i]->p = at;
        at += names[i]->n;
    }
    return piece;
}

/* It has no text then. */
static void drop_text(struct document_tally *tally, struct document_piece *piece)
{
    struct document_pack *pack = piece->pack;
    if (piece->loose) {
        tally->loose -= piece->n;
        tally->bytes -= piece->n;
    }
    if (pack && (pack->live -= piece->n) == 0) {
        tally->bytes -= sizeof *pack + pack->packed_n;
        free(pack);
    }
    free(piece->loose);
    piece->loose = NULL;
    piece->pack = NULL;
}

void document_piece_free(struct document_tally *tally, struct document_piece *piece)
{
    if (!piece)
        return;
    drop_text(tally, piece);
    tally->bytes -= piece->bytes + piece->lead_room;
    free(piece->lead);
    free(piece);
}

bool document_piece_end(const struct document_piece *piece, size_t from, size_t n,
                        struct str *bytes)
{
    size_t behind = piece->n - from;
    if (piece->n < DOCUMENT_END || from > piece->n || behind > DOCUMENT_END || n > behind)
        return false;
    *bytes = (struct str){piece->end + DOCUMENT_END - behind, n};
    return true;
}

bool document_piece_loosen(struct document_tally *tally, struct document_piece *piece,
                           struct str text)
{
    char *copy = malloc(text.n);
    assert(text.n && text.p);
    if (!copy)
        return false;
    memcpy(copy, text.p, text.n);
    drop_text(tally, piece);
    piece->loose = copy;
    piece->n = text.n;
    tally->loose += text.n;
    tally->bytes += text.n;
    if (text.n >= DOCUMENT_END)
        memcpy(piece->end, text.p + text.n - DOCUMENT_END, DOCUMENT_END);
    return true;
}

bool document_piece_take_lead(struct document_tally *tally, struct document_piece *piece,
                              struct str *lead)
{
    char *copy = malloc(lead->n + 1);
    if (!copy)
        return false;
    if (lead->n)
        memcpy(copy, lead->p, lead->n);
    lead->p = copy;
    tally->bytes += lead->n - piece->lead_room;
    free(piece->lead);
    piece->lead = copy;
    piece->lead_room = lead->n;
    return true;
}

bool document_piece_is_lone(const struct document_piece *piece)
{
    return piece->pack && piece->pack->live < piece->pack->n / 2;
}

/* ---- packing ---- */

struct document_packer {
    struct document_tally *tally;
    size_t n;
    uint32_t pieces_n;
    struct document_piece *pieces[PIECES_MAX];
    char text[TOGETHER];
    const struct document_pack *unpacked; /* the one that was looked into last: */
    char *unpacked_text;
};

struct document_packer *document_packer_new(struct document_tally *tally)
{
    struct document_packer *packer = malloc(sizeof *packer);
    if (packer) {
        packer->tally = tally;
        packer->n = packer->pieces_n = 0;
        packer->unpacked = NULL;
        packer->unpacked_text = NULL;
    }
    return packer;
}

/* NULL without memory. */
static struct document_pack *pack_text(struct document_tally *tally, struct str text)
{
    size_t cap = zstd_pack_bound(text.n);
    struct document_pack *pack = malloc(sizeof *pack + cap), *fitting;
    size_t n = pack ? zstd_pack(text, pack->packed, cap) : 0;
    if (!n) {
        free(pack);
        return NULL;
    }
    fitting = realloc(pack, sizeof *pack + n);
    if (fitting)
        pack = fitting;
    *pack = (struct document_pack){.n = text.n, .packed_n = n};
    tally->bytes += sizeof *pack + n;
    return pack;
}

static void move_into(struct document_tally *tally, struct document_pack *pack,
                      struct document_piece *piece, size_t at)
{
    drop_text(tally, piece);
    piece->pack = pack;
    piece->at = at;
    pack->live += piece->n;
}

static void pack_together(struct document_packer *packer)
{
    struct document_pack *pack =
        packer->n ? pack_text(packer->tally, (struct str){packer->text, packer->n}) : NULL;
    size_t at = 0;
    for (uint32_t i = 0; pack && i < packer->pieces_n; i++) {
        move_into(packer->tally, pack, packer->pieces[i], at);
        at += packer->pieces[i]->n;
    }
    packer->n = packer->pieces_n = 0;
    packer->unpacked = NULL; /* it may be gone */
}

/* NULL without memory. */
static const char *text_of(struct document_packer *packer, const struct document_piece *piece)
{
    const struct document_pack *pack = piece->pack;
    if (!pack)
        return piece->loose;
    if (packer->unpacked != pack) {
        free(packer->unpacked_text);
        packer->unpacked_text = malloc(pack->n);
        packer->unpacked = pack;
        if (!packer->unpacked_text || !zstd_unpack((struct str){pack->packed, pack->packed_n},
                                                   packer->unpacked_text, pack->n))
            packer->unpacked = NULL;
    }
    return packer->unpacked ? packer->unpacked_text + piece->at : NULL;
}

void document_packer_put(struct document_packer *packer, struct document_piece *piece)
{
    const char *text = text_of(packer, piece);
    if (!text)
        return;
    if (piece->n > TOGETHER) { /* it is worth a pack of its own */
        struct document_pack *pack = pack_text(packer->tally, (struct str){text, piece->n});
        if (pack)
            move_into(packer->tally, pack, piece, 0);
        packer->unpacked = NULL;
        return;
    }
    if (packer->n + piece->n > TOGETHER || packer->pieces_n == PIECES_MAX)
        pack_together(packer); /* that leaves `text` alone: it is the piece's own, or unpacked */
    memcpy(packer->text + packer->n, text, piece->n);
    packer->pieces[packer->pieces_n++] = piece;
    packer->n += piece->n;
}

void document_packer_end(struct document_packer *packer)
{
    if (!packer)
        return;
    pack_together(packer);
    free(packer->unpacked_text);
    free(packer);
}

/* ---- unpacking ---- */

struct unpacked_text {
    const struct document_pack *pack;
    const char *text;
};

static const char *text_of_pack(const struct document_pack *pack,
                                struct document_unpacked *unpacked)
{
    uint64_t hash = hash_pointer(pack);
    struct unpacked_text *known;
    if (!unpacked->packs.slots)
        unpacked->packs = table_init(unpacked->arena, 64);
    TABLE_EACH (known, &unpacked->packs, hash)
        if (known->pack == pack)
            return known->text;
    char *text = arena_bytes(unpacked->arena, pack->n);
    if (!zstd_unpack((struct str){pack->packed, pack->packed_n}, text, pack->n))
        arena_exhaust(unpacked->arena);
    known = ARENA_NEW(unpacked->arena, struct unpacked_text);
    *known = (struct unpacked_text){pack, text};
    table_add(&unpacked->packs, hash, known);
    return text;
}

struct str document_piece_text(const struct document_piece *piece,
                               struct document_unpacked *unpacked)
{
    const struct document_pack *pack = piece->pack;
    if (!pack)
        return (struct str){piece->loose, piece->n};
    if (unpacked->last != pack) {
        unpacked->text = text_of_pack(pack, unpacked);
        unpacked->last = pack;
    }
    return (struct str){unpacked->text + piece->at, piece->n};
}
