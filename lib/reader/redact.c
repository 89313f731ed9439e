#include "reader/redact.h"

#include "kube/credential.h"

void redact_refuse(struct decoder *decoder, enum jr_code code, const char *why)
{
    decoder->stopped = true;
    decoder->refused = why;
    decoder->refused_code = code;
}

static void stop(struct decoder *decoder)
{
    decoder->stopped = decoder->sensitive = true;
}

static void replace(struct decoder *decoder, struct str instead)
{
    uint64_t from = jr_offset(decoder->jr);
    jr_replace(decoder->jr, instead);
    repeat_cache_note_edit(decoder->repeats, from, jr_offset(decoder->jr), instead);
}

void redact_value(struct decoder *decoder, struct str instead)
{
    if (decoder->redaction == REDACT_FIND)
        stop(decoder);
    else if (decoder->redaction == REDACT_REPLACE)
        replace(decoder, instead);
}

void redact_whole(struct decoder *decoder, enum jr_type type)
{
    if (type != JR_NULL)
        redact_value(decoder, jr_depth(decoder->jr) ? STR("null") : STR("{}"));
    repeat_cache_begin(decoder->repeats); /* it was no part of an object that is read */
}

static bool is_empty(struct decoder *decoder)
{
    jr_enter(decoder->jr);
    return decode_next(decoder) <= JR_END;
}

void redact_after(struct decoder *decoder, struct str instead,
                  void (*read)(struct decoder *decoder, void *structure), void *structure)
{
    struct jr *jr = decoder->jr;
    if (decoder->redaction == REDACT_OFF) {
        read(decoder, structure);
        return;
    }
    jr_mark(jr);
    if (is_empty(decoder)) {
        jr_unmark(jr);
    } else if (decoder->redaction == REDACT_FIND) {
        stop(decoder);
    } else if (jr_rewind(jr)) {
        /* One mark at a time: what is inside goes with the whole. */
        jr_mark(jr);
        decoder->redaction = REDACT_OFF;
        read(decoder, structure);
        decoder->redaction = REDACT_REPLACE;
        if (jr_rewind(jr))
            replace(decoder, instead);
        else
            redact_refuse(decoder, JR_E_TOTAL, REDACT_TOO_LARGE);
    }
}

void redact_cannot_reread(struct decoder *decoder, unsigned depth)
{
    while (jr_depth(decoder->jr) > depth && jr_leave(decoder->jr))
        ;
    if (decoder->redaction == REDACT_REPLACE)
        redact_refuse(decoder, JR_E_TOTAL, REDACT_TOO_LARGE);
    else
        redact_value(decoder, STR("null"));
}

bool redact_is_manifest_annotation(struct str key)
{
    return str_has_suffix(key, STR("/last-applied-configuration")) ||
           str_eq(key, STR("kapp.k14s.io/original")) ||
           str_eq(key, STR("objectset.rio.cattle.io/applied"));
}

void redact_text_as(struct decoder *decoder, enum jr_type type, struct str instead)
{
    struct str text = type == JR_STRING ? jr_text(decoder->jr) : (struct str){0};
    bool none = type == JR_NULL || (type == JR_STRING && (!text.n || credential_is_mark(text)));
    if (!none)
        redact_value(decoder, instead);
}

void redact_text(struct decoder *decoder, enum jr_type type)
{
    redact_text_as(decoder, type, STR("\"" CREDENTIAL_CUT "\""));
}

/* A list of {"name": ..., "value": ...}, or a map of names to values. */
static void redact_env(struct decoder *decoder, enum jr_type type)
{
    enum jr_type entry, member;
    jr_enter(decoder->jr);
    while ((entry = decode_next(decoder)) > JR_END) {
        if (type == JR_OBJECT && entry > JR_ARRAY)
            redact_text(decoder, entry);
        if (entry != JR_OBJECT)
            continue;
        jr_enter(decoder->jr);
        while ((member = decode_next(decoder)) > JR_END)
            if (str_eq(jr_key(decoder->jr), STR("value")))
                redact_text(decoder, member);
    }
}

static void read_nothing(struct decoder *decoder, void *structure)
{
    (void)decoder;
    (void)structure;
}

void redact_unexpected(struct decoder *decoder, enum jr_type type)
{
    if (decoder->redaction == REDACT_OFF || (type != JR_OBJECT && type != JR_ARRAY))
        return;
    jr_enter(decoder->jr);
    while ((type = decode_next(decoder)) > JR_END)
        redact_member(decoder, type);
}

/* "environment" is that of a DeploymentConfig's own deployer. */
static bool is_env(struct str key)
{
    return str_eq(key, STR("env")) || str_eq(key, STR("environment"));
}

void redact_member(struct decoder *decoder, enum jr_type type)
{
    struct str key = jr_key(decoder->jr);
    bool container = type == JR_OBJECT || type == JR_ARRAY;
    if (decoder->redaction == REDACT_OFF)
        return;
    if (redact_is_manifest_annotation(key))
        redact_text(decoder, type);
    else if (is_env(key) && !container)
        redact_text(decoder, type);
    else if (is_env(key))
        redact_env(decoder, type);
    else if (container && str_eq(key, STR("managedFields")))
        redact_after(decoder, STR("[]"), read_nothing, NULL);
    else
        redact_unexpected(decoder, type);
}

/* Where metadata, a pod spec or a container is: of itself, of a template, of a claim, of what a
 * DeploymentConfig runs before, between and after. */
static bool may_hold_values(struct str key)
{
    static const char *const names[] = {
        "annotations",
        "containers",
        "customParams",
        "env",
        "ephemeral",
        "ephemeralContainers",
        "initContainers",
        "jobTemplate",
        "managedFields",
        "metadata",
        "mid",
        "post",
        "pre",
        "recreateParams",
        "spec",
        "template",
        "volumeClaimTemplate",
        "volumeClaimTemplates",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (str_eq(key, str_of(names[i])))
            return true;
    return false;
}

void redact_unknown(struct decoder *decoder, enum jr_type type)
{
    bool container = type == JR_OBJECT || type == JR_ARRAY;
    if (container && decoder->redaction != REDACT_OFF && may_hold_values(jr_key(decoder->jr)))
        redact_member(decoder, type);
}

void redact_rest(struct decoder *decoder, enum jr_type type)
{
    if (type != JR_NULL)
        redact_value(decoder, STR("null"));
}
