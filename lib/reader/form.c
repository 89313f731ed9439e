#include "reader/form.h"

#include "reader/decode.h"

/* Bytes at the start of a document that are looked at for what an object says it is. */
enum { LOOK_MAX = 1024 * 1024 };

/* Members with lists or objects in them that an object may have before it says what it is. */
static bool is_object_member(struct str key)
{
    static const char *const members[] = {
        "addresses",
        "aggregationRule",
        "allowedTopologies",
        "binaryData",
        "containers",
        "data",
        "imagePullSecrets",
        "involvedObject",
        "metadata",
        "ports",
        "regarding",
        "roleRef",
        "rules",
        "series",
        "source",
        "spec",
        "status",
        "stringData",
        "subjects",
        "subsets",
        "webhooks",
    };
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        if (str_eq(key, str_of(members[i])))
            return true;
    /* what Compose calls an extension: anchors of YAML are kept there */
    return str_has_prefix(key, STR("x-"));
}

static bool is_container(enum jr_type type)
{
    return type == JR_ARRAY || type == JR_OBJECT;
}

/* What the current member says of the object that it is in. */
static enum form form_of_member(struct jr *jr, enum jr_type type)
{
    struct str key = jr_key(jr);
    if (type == JR_STRING && str_eq(key, STR("kind")))
        return str_has_suffix(jr_text(jr), STR("List")) ? FORM_LIST : FORM_OBJECT;
    return type == JR_ARRAY && str_eq(key, STR("items")) ? FORM_LIST : FORM_UNKNOWN;
}

/* Goes to the level `depth`; false when that is behind `until`, and on error. */
static bool leave_to(struct decoder *decoder, unsigned depth, uint64_t until)
{
    while (jr_depth(decoder->jr) > depth) {
        enum jr_type type = decode_next(decoder);
        if (type == JR_ERROR || jr_offset(decoder->jr) > until)
            return false;
        if (is_container(type))
            jr_enter(decoder->jr);
    }
    return true;
}

/* The current value is a container by a name that may be a collection's: a list of objects that
 * have metadata, or a list of Kubernetes. So is taken what cannot be looked at whole. */
static bool is_collection(struct decoder *decoder, enum jr_type type, uint64_t until)
{
    struct jr *jr = decoder->jr;
    unsigned depth = jr_depth(jr);
    bool in_array = type == JR_ARRAY;
    jr_enter(jr);
    if (in_array) {
        if (decode_next(decoder) != JR_OBJECT)
            return !leave_to(decoder, depth, until);
        jr_enter(jr);
    }
    unsigned inner = jr_depth(jr);
    while ((type = decode_next(decoder)) > JR_END) {
        if (in_array ? type == JR_OBJECT && str_eq(jr_key(jr), STR("metadata"))
                     : form_of_member(jr, type) == FORM_LIST)
            return true;
        if (!is_container(type))
            continue;
        jr_enter(jr);
        if (!leave_to(decoder, inner, until))
            return true;
    }
    return !leave_to(decoder, depth, until);
}

/* An object may have lists and objects by any name before it says what it is. Who has one by a name
 * that is not known is an object when it says both its kind and its version. */
enum form form_look(struct decoder *decoder)
{
    struct jr *jr = decoder->jr;
    uint64_t until = jr_offset(jr) + LOOK_MAX;
    enum form form = FORM_UNKNOWN;
    bool has_api_version = false, doubtful = false;
    enum jr_type type;
    jr_enter(jr);
    while ((form == FORM_UNKNOWN || (doubtful && !has_api_version)) &&
           (type = decode_next(decoder)) > JR_END) {
        enum form one = form_of_member(jr, type);
        form = one != FORM_UNKNOWN ? one : form;
        if (type == JR_ARRAY && one == FORM_LIST)
            return FORM_LIST;
        has_api_version |= str_eq(jr_key(jr), STR("apiVersion"));
        if (!is_container(type) || (has_api_version && !doubtful) || is_object_member(jr_key(jr)))
            continue;
        if (is_collection(decoder, type, until))
            return FORM_COLLECTIONS;
        doubtful = true;
    }
    return doubtful && !has_api_version ? FORM_UNKNOWN : form;
}

/* Of a document that was found: one that names no version is none of Kubernetes, but for a list
 * whose place tells what is in it. */
enum form form_look_for_objects(struct decoder *decoder, enum kind kind)
{
    enum form form = FORM_UNKNOWN;
    bool has_api_version = false;
    enum jr_type type;
    jr_enter(decoder->jr);
    while ((form == FORM_UNKNOWN || !has_api_version) && (type = decode_next(decoder)) > JR_END) {
        struct str key = jr_key(decoder->jr);
        enum form one = form_of_member(decoder->jr, type);
        form = one != FORM_UNKNOWN ? one : form;
        has_api_version |= type == JR_STRING && str_eq(key, STR("apiVersion"));
    }
    return has_api_version || (form == FORM_LIST && kind != KIND_NONE) ? form : FORM_UNKNOWN;
}
