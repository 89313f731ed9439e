#include "reader/form.h"

#include "reader/decode.h"

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
    return false;
}

/* Of one member, when those before it did not decide. */
static enum form form_of_member(struct str key, enum jr_type type, bool has_api_version,
                                struct str text)
{
    bool container = type == JR_ARRAY || type == JR_OBJECT;
    if (type == JR_STRING && str_eq(key, STR("kind")))
        return str_has_suffix(text, STR("List")) ? FORM_LIST : FORM_OBJECT;
    if (type == JR_ARRAY && str_eq(key, STR("items")))
        return FORM_LIST;
    if (container && !has_api_version && !is_object_member(key))
        return FORM_COLLECTIONS;
    return FORM_UNKNOWN;
}

enum form form_look(struct decoder *decoder)
{
    enum form form = FORM_UNKNOWN;
    bool has_api_version = false;
    enum jr_type type;
    jr_enter(decoder->jr);
    while (form == FORM_UNKNOWN && (type = decode_next(decoder)) > JR_END) {
        struct str key = jr_key(decoder->jr);
        bool is_kind = type == JR_STRING && str_eq(key, STR("kind"));
        form = form_of_member(key, type, has_api_version,
                              is_kind ? jr_text(decoder->jr) : (struct str){NULL, 0});
        has_api_version |= str_eq(key, STR("apiVersion"));
    }
    return form;
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
        bool is_kind = type == JR_STRING && str_eq(key, STR("kind"));
        enum form one =
            form_of_member(key, type, true, is_kind ? jr_text(decoder->jr) : (struct str){NULL, 0});
        form = one != FORM_UNKNOWN ? one : form;
        has_api_version |= type == JR_STRING && str_eq(key, STR("apiVersion"));
    }
    return has_api_version || (form == FORM_LIST && kind != KIND_NONE) ? form : FORM_UNKNOWN;
}
