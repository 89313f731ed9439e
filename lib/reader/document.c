/* The three forms of a document: an object, a list of objects, an object of collections. */
#include "reader/document.h"

#include "kube/kinds.h"
#include "reader/decode.h"
#include "reader/form.h"
#include "reader/item.h"
#include "reader/redact.h"
#include "reader/remember.h"
#include "reader/unread.h"

/* ---- lists ---- */

struct list_head {
    struct str kind, api_version;
    enum kind hint;     /* of the collection that the list stands for, or KIND_NONE */
    enum kind fallback; /* of the items, when nothing in the document tells */
    bool forbidden;     /* whoever pushes it may not list the items */
};

static void note_collection(struct reader *reader, enum kind kind)
{
    if (kind == KIND_NONE)
        return;
    reader->cluster->seen |= (uint64_t)1 << kind;
    reader->cluster->names_kinds = true;
}

static void read_list(struct reader *reader, struct list_head head);

/* Where the reader stands in what its tap feeds. */
static uint64_t place_of_reader(const struct reader *reader)
{
    const struct jr *jr = reader->decoder.jr;
    return reader->scrub ? scrub_taken(reader->scrub) + jr_untapped(jr) : jr_offset(jr);
}

/* The current value is an object: reads it, unless it is a list, as item_read() does. */
static bool read_placed(struct reader *reader, enum kind hint)
{
    struct text_part place = {.offset = place_of_reader(reader)};
    uint64_t before = reader->items_read;
    if (reader->told) {
        jr_keep(reader->decoder.jr, SNAPSHOT_TEXT_MAX);
        reader->decoder.item_depth = jr_depth(reader->decoder.jr);
    }
    if (reader->remember ? !remember_item(reader, hint, &place) : !item_read(reader, hint))
        return false;
    place.length = place_of_reader(reader) - place.offset;
    if (reader->wants_places && reader->items_read > before)
        LIST_ADD(reader->decoder.arena, reader->places, place);
    if (reader->remember)
        remember_run(reader);
    return true;
}

/* hint: of the list that it is in. */
static void read_item(struct reader *reader, enum kind hint)
{
    if (read_placed(reader, hint))
        return;
    jr_enter(reader->decoder.jr);
    read_list(reader, (struct list_head){.hint = KIND_NONE});
}

/* null stands in the place of what was redacted before. No list of Kubernetes has another item that
 * is no object; in a document that was merely found, it may be any list. */
static void read_no_object(struct reader *reader, enum jr_type type)
{
    if (reader->origin.objects_only || (type == JR_NULL && !reader->no_nulls))
        redact_whole(&reader->decoder, type);
    else
        redact_refuse(&reader->decoder, JR_E_SYNTAX, "an item of a list is no object");
}

static enum jr_type next_item(struct reader *reader)
{
    struct decoder *decoder = &reader->decoder;
    return reader->remember && !decoder->stopped ? jr_next_known(decoder->jr)
                                                 : decode_next(decoder);
}

/* api_version: of the items, when their list tells. */
static void read_items(struct reader *reader, enum kind hint, struct str api_version)
{
    struct decoder *decoder = &reader->decoder;
    struct str outer = reader->list_api_version;
    enum jr_type type;
    note_collection(reader, hint);
    reader->list_api_version = api_version;
    jr_enter(decoder->jr);
    while ((type = next_item(reader)) > JR_END)
        if (type == JR_OBJECT)
            read_item(reader, hint);
        else
            read_no_object(reader, type);
    reader->list_api_version = outer;
}

/* "PodList" is a list of pods; "List" tells nothing. */
static enum kind kind_of_list(struct str kind, struct str api_version)
{
    struct str suffix = STR("List");
    if (!str_has_suffix(kind, suffix))
        return KIND_NONE;
    return kind_find(str_sub(kind, 0, kind.n - suffix.n), api_version);
}

static enum kind list_hint(const struct list_head *head)
{
    return head->hint != KIND_NONE ? head->hint : kind_of_list(head->kind, head->api_version);
}

/* "List" is of v1, whatever is in it. */
static bool is_typed(const struct list_head *head)
{
    return str_has_suffix(head->kind, STR("List")) && head->kind.n > STR("List").n;
}

static struct str version_of_items(const struct list_head *head)
{
    return is_typed(head) ? head->api_version : (struct str){NULL, 0};
}

/* Of a list of a kind that is not read. */
static struct str unread_kind_of_items(struct reader *reader, const struct list_head *head)
{
    if (!is_typed(head) || list_hint(head) != KIND_NONE)
        return (struct str){NULL, 0};
    return intern_string(reader->decoder.intern,
                         str_sub(head->kind, 0, head->kind.n - STR("List").n));
}

static bool list_member(struct decoder *decoder, struct list_head *head, enum jr_type type)
{
    struct str key = jr_key(decoder->jr);
    if (type != JR_STRING)
        return false;
    if (str_eq(key, STR("kind")))
        head->kind = decode_string(decoder);
    else if (str_eq(key, STR("apiVersion")))
        head->api_version = decode_string(decoder);
    else
        return false;
    return true;
}

static bool has_kind(struct decoder *decoder)
{
    bool found = false;
    enum jr_type type;
    jr_enter(decoder->jr);
    while ((type = decode_next(decoder)) > JR_END)
        found |= type == JR_STRING && str_eq(jr_key(decoder->jr), STR("kind"));
    return found;
}

/* The current value is the array of items, and what they are was not said before: when the first
 * one does not say it either, what follows the array may. */
static void look_behind_items(struct decoder *decoder, struct list_head *head)
{
    struct jr *jr = decoder->jr;
    unsigned depth = jr_depth(jr);
    enum jr_type type;
    jr_mark(jr);
    jr_enter(jr);
    type = decode_next(decoder);
    if (type == JR_OBJECT && !has_kind(decoder) && jr_leave(jr))
        while ((type = decode_next(decoder)) > JR_END)
            list_member(decoder, head, type);
    if (!jr_rewind(jr))
        redact_cannot_reread(decoder, depth);
}

/* An agent pushes {"kind": "PodList", "apiVersion": "v1", "reason": "Forbidden"} of what it may not
 * list. */
static bool is_forbidden(struct decoder *decoder, enum jr_type type)
{
    return type == JR_STRING && str_eq(jr_key(decoder->jr), STR("reason")) &&
           str_eq(jr_text(decoder->jr), STR("Forbidden"));
}

static void note_forbidden(struct reader *reader, enum kind kind)
{
    if (kind != KIND_NONE)
        reader->cluster->forbidden |= (uint64_t)1 << kind;
}

/* The reader is in an object whose member "items" is a list. */
static void read_list(struct reader *reader, struct list_head head)
{
    struct decoder *decoder = &reader->decoder;
    enum jr_type type;
    bool items = false;
    while ((type = decode_next(decoder)) > JR_END) {
        struct str key = jr_key(decoder->jr);
        if (list_member(decoder, &head, type))
            continue;
        if (is_forbidden(decoder, type))
            head.forbidden = true;
        else if (str_eq(key, STR("items")) && type == JR_ARRAY) {
            items = true;
            if (list_hint(&head) == KIND_NONE && !head.kind.n)
                look_behind_items(decoder, &head);
            if (list_hint(&head) == KIND_NONE && !head.kind.n)
                head.hint = head.fallback;
            struct str outer = reader->list_kind;
            reader->list_kind = unread_kind_of_items(reader, &head);
            read_items(reader, list_hint(&head), version_of_items(&head));
            reader->list_kind = outer;
        } else if (str_eq(key, STR("metadata")) || str_eq(key, STR("items"))) {
            redact_unexpected(decoder, type);
        } else {
            redact_whole(decoder, type);
        }
    }
    if (items)
        note_collection(reader, list_hint(&head));
    else if (head.forbidden)
        note_forbidden(reader, list_hint(&head));
}

/* ---- collections ---- */

struct unknown_collection {
    struct reader *reader;
    struct str name;
};

/* Policies of other kinds matter, if there are any. */
static void note_unknown_items(struct decoder *decoder, void *structure)
{
    struct unknown_collection *unknown = structure;
    struct cluster *cluster = unknown->reader->cluster;
    uint32_t n = 1;
    bool isolates = str_has(unknown->name, STR("etworkpolic"));
    bool admits = str_has(unknown->name, STR("lusterpolic")) ||
                  str_has(unknown->name, STR("onstrainttemplate"));
    jr_enter(decoder->jr);
    if (decode_next(decoder) <= JR_END)
        return;
    cluster->foreign_network_policies |= isolates;
    cluster->foreign_policies_everywhere |= isolates;
    cluster->policy_engine |= admits;
    while (decode_next(decoder) > JR_END)
        n++;
    unread_count(unknown->reader, unknown->name, (struct str){NULL, 0}, n);
}

static void read_unknown_collection(struct reader *reader, enum jr_type type)
{
    struct decoder *decoder = &reader->decoder;
    struct str name = decode_key(decoder);
    struct unknown_collection unknown = {reader, name};
    reader->cluster->unknown_members++;
    if (type == JR_ARRAY)
        redact_after(decoder, STR("null"), note_unknown_items, &unknown);
    else
        redact_whole(decoder, type);
    if (type == JR_OBJECT)
        unread_count(reader, name, (struct str){NULL, 0}, 0);
}

/* Says whether it is one of a kind that is read. */
static bool read_collection(struct reader *reader, enum jr_type type)
{
    struct decoder *decoder = &reader->decoder;
    enum kind kind = kind_of_collection(jr_key(decoder->jr));
    bool known = kind != KIND_NONE && (type == JR_OBJECT || type == JR_ARRAY);
    if (!known) {
        read_unknown_collection(reader, type);
    } else if (type == JR_ARRAY) {
        read_items(reader, kind, (struct str){NULL, 0});
    } else {
        jr_enter(decoder->jr);
        read_list(reader, (struct list_head){.hint = kind});
    }
    return known;
}

/* The reader is in an object that is taken for one of collections. One that has none of them, but a
 * kind and a version, was an object that nobody has judged. */
static void read_collections(struct reader *reader)
{
    struct decoder *decoder = &reader->decoder;
    struct jr *jr = decoder->jr;
    bool known = false, has_kind = false, has_api_version = false;
    enum jr_type type;
    while ((type = decode_next(decoder)) > JR_END) {
        has_kind |= type == JR_STRING && str_eq(jr_key(jr), STR("kind"));
        has_api_version |= type == JR_STRING && str_eq(jr_key(jr), STR("apiVersion"));
        known |= read_collection(reader, type);
    }
    if (type == JR_END && has_kind && has_api_version && !known)
        redact_refuse(decoder, JR_E_SYNTAX,
                      "an object must say its apiVersion and kind before what looks like a "
                      "collection of objects, and within its first MiB");
}

/* ---- all of it ---- */

static void read_document(struct reader *reader)
{
    struct decoder *decoder = &reader->decoder;
    struct jr *jr = decoder->jr;
    unsigned depth = jr_depth(jr);
    jr_mark(jr);
    const struct snapshot_origin *origin = &reader->origin;
    enum form form =
        origin->objects_only ? form_look_for_objects(decoder, origin->kind) : form_look(decoder);
    if (!jr_rewind(jr)) {
        redact_cannot_reread(decoder, depth);
        reader->cluster->unknown_objects++;
        return;
    }
    if (form == FORM_UNKNOWN && origin->objects_only) {
        redact_whole(decoder, JR_OBJECT);
        return;
    }
    switch (form) {
    case FORM_OBJECT:
        read_item(reader, KIND_NONE);
        break;
    case FORM_LIST:
        jr_enter(jr);
        read_list(reader, (struct list_head){.hint = KIND_NONE, .fallback = origin->kind});
        break;
    case FORM_COLLECTIONS:
    case FORM_UNKNOWN: /* whatever it is, there may be collections in it */
        jr_enter(jr);
        read_collections(reader);
        break;
    }
}

void document_read_all(struct reader *reader)
{
    struct decoder *decoder = &reader->decoder;
    enum jr_type type;
    while ((type = decode_next(decoder)) > JR_END) {
        if (reader->origins)
            reader->origin =
                reader->origins->find(reader->origins->context, jr_offset(decoder->jr));
        if (type == JR_OBJECT)
            read_document(reader);
        else if (type == JR_ARRAY)
            read_items(reader, reader->origin.kind, (struct str){NULL, 0});
        else
            redact_whole(decoder, type);
    }
}

void document_read_objects(struct reader *reader)
{
    reader->no_nulls = true;
    read_items(reader, KIND_NONE, (struct str){NULL, 0});
}
