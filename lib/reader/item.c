#include "reader/item.h"

#include "kube/api_removal.h"
#include "kube/kinds.h"
#include "kube/manifest.h"
#include "kube/selector.h"
#include "reader/decode.h"
#include "reader/misfit.h"
#include "reader/redact.h"
#include "reader/snapshot_object.h"
#include "reader/summary.h"
#include "reader/unread.h"

/* How an object of each kind is read. */
static const struct schema *const SCHEMAS[KIND_COUNT] = {
#define KIND(id, name, plural, api_groups, list, schema, pods) [KIND_##id] = &schema##_schema,
#include "kube/kinds.def"
#undef KIND
};

/* What an item says of its kind before anything else is read of it. */
struct head {
    struct str kind, api_version;
    bool has_kind, has_api_version;
    bool other; /* another member was met */
    bool ended; /* the reader is behind the object */
};

/* Takes a member into the head. False when it is another one. */
static bool head_member(struct decoder *decoder, struct head *head, enum jr_type type)
{
    struct str key = jr_key(decoder->jr);
    if (str_eq(key, STR("kind"))) {
        head->has_kind = type == JR_STRING;
        head->kind = head->has_kind ? decode_string(decoder) : (struct str){NULL, 0};
        return true;
    }
    if (str_eq(key, STR("apiVersion"))) {
        head->has_api_version = type == JR_STRING;
        head->api_version = head->has_api_version ? decode_string(decoder) : (struct str){NULL, 0};
        return true;
    }
    return false;
}

/* The head as far as it stands before everything else: the reader is in the object then, behind it
 * or (head.other) at the member that follows. */
static struct head read_front(struct decoder *decoder)
{
    struct head head = {.other = false};
    enum jr_type type;
    jr_enter(decoder->jr);
    while (!head.other && !(head.has_kind && head.has_api_version)) {
        type = decode_next(decoder);
        head.ended = type <= JR_END;
        if (head.ended)
            break;
        head.other = !head_member(decoder, &head, type);
    }
    return head;
}

/* Goes on through the rest of the object, which is read again afterwards. */
static void read_rest_of_head(struct decoder *decoder, struct head *head)
{
    enum jr_type type;
    while ((type = decode_next(decoder)) > JR_END)
        head_member(decoder, head, type);
}

/* ---- kinds that are not read ---- */

/* Was it written for a version that is no longer served everywhere? */
static bool is_outdated(struct arena *arena, const struct object *object)
{
    str_list versions = written_versions(arena, object);
    const struct str *version;
    LIST_EACH (version, versions)
        if (api_removal_find(*version, object->kind_name))
            return true;
    return api_removal_find(object->api_version, object->kind_name) != NULL;
}

/* What the API server made itself follows it to another version. */
static void keep_outdated(struct reader *reader, const struct head *head, struct object_meta meta)
{
    struct arena *arena = reader->decoder.arena;
    struct outdated_object *outdated = ARENA_NEW(arena, struct outdated_object);
    if (str_eq(pair_value(meta.annotations, STR("apf.kubernetes.io/autoupdate-spec")), STR("true")))
        meta.managed_versions = (str_list){0};
    outdated->object = (struct object){.kind = KIND_UNREAD,
                                       .kind_name = head->kind,
                                       .api_version = head->api_version,
                                       .meta = meta};
    if (meta.name.n && is_outdated(arena, &outdated->object))
        LIST_ADD(arena, reader->outdated, &outdated->object);
}

/* A policy that names no namespace is the cluster's. */
static void note_foreign_policy(struct reader *reader, struct str namespace)
{
    struct cluster *cluster = reader->cluster;
    if (namespace.n)
        LIST_ADD(reader->decoder.arena, cluster->foreign_policy_namespaces, namespace);
    else
        cluster->foreign_policies_everywhere = true;
}

/* Nothing is redacted while metadata is read that is read again. */
static void read_identity(struct decoder *decoder, struct object_meta *meta)
{
    enum redaction redaction = decoder->redaction;
    enum jr_type type;
    decoder->redaction = REDACT_OFF;
    memcpy(meta, decode_absent(decoder, &object_meta_schema), sizeof *meta);
    jr_enter(decoder->jr);
    while ((type = decode_next(decoder)) > JR_END)
        if (type == JR_OBJECT && str_eq(jr_key(decoder->jr), STR("metadata"))) {
            decode_members(decoder, &object_identity_schema, meta);
            break;
        }
    decoder->redaction = redaction;
}

/* Looks at what the current object is, when a version of its kind is no longer served everywhere or
 * it is a policy; it is current again then, unless its metadata stands behind more than can be read
 * twice. False in that case. */
static bool look_at_unread(struct reader *reader, const struct head *head)
{
    struct decoder *decoder = &reader->decoder;
    struct object_meta meta;
    bool isolates = unread_isolates_pods(head->kind, api_group(head->api_version));
    bool concerned = api_removal_concerns(head->api_version, head->kind);
    if (reader->visit || (!isolates && !concerned))
        return true;
    jr_mark(decoder->jr);
    read_identity(decoder, &meta);
    if (concerned)
        keep_outdated(reader, head, meta);
    if (isolates)
        note_foreign_policy(reader, meta.namespace);
    return jr_rewind(decoder->jr);
}

/* ---- objects ---- */

/* Others that a summary has are of another type in objects: status. */
static const struct field *summary_misfit(const struct decoder *decoder, enum member common)
{
    bool refused = common == MEMBER_REFUSED && decoder->misfit->accepts == ACCEPTS(OBJECT);
    return refused ? decoder->misfit : NULL;
}

/* schema: NULL when only the summary is wanted. */
static void read_members(struct decoder *decoder, const struct schema *schema, void *structure,
                         struct summary *summary)
{
    uint64_t seen = 0, seen_summary = 0;
    enum jr_type type;
    while ((type = decode_next(decoder)) > JR_END) {
        enum member own =
            schema ? decode_member(decoder, schema, structure, type, &seen) : MEMBER_UNKNOWN;
        if (own == MEMBER_READ)
            continue;
        const struct field *misfit = own == MEMBER_REFUSED ? decoder->misfit : NULL;
        enum member common = decode_member(decoder, &summary_schema, summary, type, &seen_summary);
        if (common == MEMBER_READ)
            continue;
        misfit_note_field(decoder, type, misfit ? misfit : summary_misfit(decoder, common));
        if (schema && schema->closed)
            redact_rest(decoder, type);
        else if (own == MEMBER_REFUSED || common == MEMBER_REFUSED || !summary->has_metadata)
            redact_member(decoder, type);
        else
            redact_unknown(decoder, type);
    }
}

enum outcome {
    OBJECT_READ,
    OBJECT_NAMELESS,    /* an object, but nothing of Kubernetes in it */
    OBJECT_CONTRADICTED /* it said late that it is of another kind */
};

static void *take_absent(struct decoder *decoder, const struct schema *schema)
{
    return memcpy(stack_take(decoder->stack, schema->size), decode_absent(decoder, schema),
                  schema->size);
}

static enum outcome outcome_of(enum kind kind, const struct summary *summary, bool objects_only)
{
    if (summary->kind.n && !str_eq(summary->kind, kind_name(kind)))
        return OBJECT_CONTRADICTED;
    bool named = summary->name.n && !objects_only;
    bool nameless = !summary->has_metadata && !named && !summary->kind.n;
    return nameless ? OBJECT_NAMELESS : OBJECT_READ;
}

struct object *item_copy(struct arena *arena, enum kind kind, const struct object *object)
{
    return arena_copy(arena, object, schema_kept(SCHEMAS[kind]));
}

void item_keep(struct reader *reader, enum kind kind, const struct object *object)
{
    struct decoder *decoder = &reader->decoder;
    reader->newest = item_copy(decoder->arena, kind, object);
    LIST_ADD(decoder->scratch, reader->objects[kind], reader->newest);
}

static void keep_object(struct reader *reader, enum kind kind, const struct summary *summary,
                        struct object *object)
{
    const struct schema *schema = SCHEMAS[kind];
    object->kind = kind;
    object->kind_name = kind_name(kind);
    object->meta = summary->meta;
    if (!summary->has_metadata && summary->name.n)
        summary_fill(reader, kind, summary, object);
    if (schema->finish)
        schema->finish(&reader->decoder, object);
    object->api_version = summary->api_version.n ? summary->api_version : reader->list_api_version;
    item_keep(reader, kind, object);
}

static void tell_object(struct reader *reader, const struct snapshot_visitor *visitor,
                        enum kind kind, const struct summary *summary)
{
    bool native = summary->has_metadata;
    struct str list_version = reader->list_api_version;
    struct snapshot_object object = {
        .kind = kind,
        .version = version_of(&summary->meta),
        .namespace = native ? summary->meta.namespace : summary->namespace,
        .name = native ? summary->meta.name : summary->name,
        .has_kind = summary->kind.n > 0,
        .has_api_version = summary->api_version.n > 0,
        .api_version = summary->api_version.n ? summary->api_version : list_version,
        .from = reader->item_from,
        .to = jr_offset(reader->decoder.jr)};
    assert(object.from <= object.to);
    if (visitor == reader->told && object.to - object.from <= SNAPSHOT_TEXT_MAX)
        object.text = jr_behind(reader->decoder.jr, object.from);
    visitor->object(visitor->context, &object);
}

/* The reader is in an object of this kind: reads the rest of it. */
static enum outcome read_object(struct reader *reader, enum kind kind, const struct head *head)
{
    struct decoder *decoder = &reader->decoder;
    const struct schema *schema = reader->visit ? NULL : SCHEMAS[kind];
    struct stack_mark mark = stack_mark(decoder->stack);
    struct object *object = schema ? take_absent(decoder, schema) : NULL;
    struct summary *summary = take_absent(decoder, &summary_schema);
    summary->api_version = head->api_version;
    summary->kind = head->kind;
    read_members(decoder, schema, object, summary);
    enum outcome outcome = outcome_of(kind, summary, reader->origin.objects_only);
    const struct snapshot_visitor *visitor = reader->visit ? reader->visit : reader->told;
    if (outcome == OBJECT_READ && object)
        keep_object(reader, kind, summary, object);
    if (outcome == OBJECT_READ && visitor && !decoder->stopped &&
        jr_error(decoder->jr)->code == JR_OK)
        tell_object(reader, visitor, kind, summary);
    stack_release(decoder->stack, mark);
    return outcome;
}

void item_note(struct reader *reader, enum kind kind)
{
    reader->items_read++;
    reader->cluster->seen |= (uint64_t)1 << kind;
}

static void read_in_place(struct reader *reader, enum kind kind, const struct head *head)
{
    struct decoder *decoder = &reader->decoder;
    switch (read_object(reader, kind, head)) {
    case OBJECT_READ:
        item_note(reader, kind);
        break;
    case OBJECT_NAMELESS:
        unread_note(reader, head->kind, head->api_version);
        break;
    case OBJECT_CONTRADICTED:
        unread_note(reader, head->kind, head->api_version);
        if (decoder->redaction == REDACT_REPLACE)
            redact_refuse(decoder, JR_E_SYNTAX, "an object says twice of what kind it is");
        else
            redact_value(decoder, STR("null"));
        break;
    }
}

/* ---- items ---- */

static void read_status(struct decoder *decoder, void *structure)
{
    struct str *message = structure;
    enum jr_type type;
    jr_enter(decoder->jr);
    while ((type = decode_next(decoder)) > JR_END)
        if (type == JR_STRING && str_eq(jr_key(decoder->jr), STR("message")))
            *message = decode_string(decoder);
}

/* The API server's answer in place of objects. */
static bool is_status(const struct reader *reader, const struct head *head)
{
    return str_eq(head->kind, STR("Status")) && jr_depth(reader->decoder.jr) == 0;
}

bool item_read(struct reader *reader, enum kind hint)
{
    struct decoder *decoder = &reader->decoder;
    struct jr *jr = decoder->jr;
    unsigned depth = jr_depth(jr);
    reader->item_from = jr_offset(jr);
    repeat_cache_begin(decoder->repeats);
    jr_mark(jr);
    struct head head = read_front(decoder);
    bool complete = head.has_kind && head.has_api_version, late = !head.has_kind;
    /* A collection's item is believed to be of its kind; when bytes are passed on while it is read,
     * that must be sure. */
    bool believed = late && hint != KIND_NONE && decoder->redaction != REDACT_REPLACE;
    if (!complete && !believed && !head.ended) /* behind it are the next items */
        read_rest_of_head(decoder, &head);
    enum kind kind = head.kind.n ? kind_find(head.kind, head.api_version) : hint;
    if (late && hint != KIND_NONE && kind != hint)
        kind = KIND_NONE;

    if (complete && kind != KIND_NONE) {
        jr_unmark(jr);
        read_in_place(reader, kind, &head);
    } else if (!jr_rewind(jr)) {
        redact_cannot_reread(decoder, depth);
        unread_note(reader, head.kind, head.api_version);
        reader->cluster->foreign_policies_everywhere |=
            unread_isolates_pods(head.kind, api_group(head.api_version));
    } else if (kind != KIND_NONE) {
        head = (struct head){.other = false};
        jr_enter(jr);
        read_in_place(reader, kind, &head);
    } else if (str_has_suffix(head.kind, STR("List"))) {
        return false;
    } else {
        unread_note(reader, head.kind, head.api_version);
        if (is_status(reader, &head))
            redact_after(decoder, STR("{}"), read_status, &reader->status);
        else if (look_at_unread(reader, &head))
            redact_whole(decoder, JR_OBJECT);
        else
            redact_cannot_reread(decoder, depth);
    }
    return true;
}
