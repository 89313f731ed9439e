/* Volume and its sources, and the storage behind them: k8s.io/api/core/v1, storage/v1. */
#include "kube/selector.h"
#include "reader/redact.h"
#include "reader/schema_types.h"

#define OF struct str
static const struct field key_to_path_fields[] = {
    {.key = "key", .type = FIELD_STRING, .accepts = ACCEPTS(STRING)},
};
SCHEMA_OF(key_to_path);
#undef OF

#define OF struct projection
static const struct field projection_fields[] = {
    LIST_OF_AS("items", keys, str, key_to_path),
    STRING("name", name),
    BOOL("optional", optional),
};
SCHEMA_OF(projection);
#undef OF

static void note_token(struct decoder *decoder, enum jr_type type, void *structure)
{
    (void)decoder;
    (void)type;
    ((struct projected_source *)structure)->token = true;
}

#define OF struct projected_source
static const struct field projected_source_fields[] = {
    INSIDE("configMap", config_map, projection),
    INSIDE("secret", secret, projection),
    BY("serviceAccountToken", ACCEPTS(OBJECT), token, note_token),
};
SCHEMA_OF(projected_source);
#undef OF

static void add_ref(struct decoder *decoder, struct list_builder *list, struct object_key_ref ref)
{
    memcpy(list_builder_add(decoder, list, sizeof ref), &ref, sizeof ref);
}

/* One entry a key, or one for the whole object when no keys are named. */
static void add_projection(struct decoder *decoder, struct list_builder *list, enum kind of,
                           const struct projection *from)
{
    const struct str *key;
    struct object_key_ref ref = {.of = of, .optional = from->optional, .name = from->name};
    LIST_EACH (key, from->keys) {
        ref.key = *key;
        add_ref(decoder, list, ref);
    }
    if (!from->keys.n && from->name.n)
        add_ref(decoder, list, ref);
}

static struct str secret_source_key(enum secret_source source)
{
    static const char *const keys[] = {
        [SECRET_SOURCE_AZURE_FILE] = "azureFile", [SECRET_SOURCE_CEPHFS] = "cephfs",
        [SECRET_SOURCE_CINDER] = "cinder",        [SECRET_SOURCE_FLEX_VOLUME] = "flexVolume",
        [SECRET_SOURCE_ISCSI] = "iscsi",          [SECRET_SOURCE_RBD] = "rbd",
        [SECRET_SOURCE_SCALE_IO] = "scaleIO",     [SECRET_SOURCE_STORAGEOS] = "storageos",
    };
    return str_of(keys[source]);
}

static void finish_volume(struct decoder *decoder, void *structure)
{
    struct volume_reading *reading = structure;
    struct volume *volume = &reading->volume;
    if (reading->secret_source && volume->source == VOLUME_NONE) {
        volume->source = VOLUME_OTHER;
        volume->reference =
            intern_string(decoder->intern, secret_source_key(reading->secret_source));
    }
    const struct projected_source *source;
    struct projection own = {reading->keys, volume->reference, volume->optional};
    struct list_builder list = list_builder_begin(decoder);
    if ((volume->source == VOLUME_CSI || reading->secret_source) && reading->mount_secret.n)
        add_ref(decoder, &list,
                (struct object_key_ref){.of = KIND_SECRET, .name = reading->mount_secret});
    LIST_EACH (source, reading->sources) {
        add_projection(decoder, &list, KIND_SECRET, &source->secret);
        volume->service_account_token |= source->token;
    }
    LIST_EACH (source, reading->sources)
        add_projection(decoder, &list, KIND_CONFIGMAP, &source->config_map);
    if (volume->source == VOLUME_SECRET && own.keys.n)
        add_projection(decoder, &list, KIND_SECRET, &own);
    if (volume->source == VOLUME_CONFIG_MAP && own.keys.n)
        add_projection(decoder, &list, KIND_CONFIGMAP, &own);
    list_builder_end(decoder, &list, &projection_schema, &volume->refs);
}

static void read_volume_name(struct decoder *decoder, enum jr_type type, void *structure)
{
    (void)type;
    ((struct volume_reading *)structure)->volume.name = decode_volume_name(decoder);
}

/* Any other member is a source of a kind that is not looked into. */
static void note_other_source(struct decoder *decoder, void *structure, enum jr_type type)
{
    struct volume *volume = &((struct volume_reading *)structure)->volume;
    if (type != JR_OBJECT || volume->source != VOLUME_NONE)
        return;
    volume->source = VOLUME_OTHER;
    volume->reference = decode_key(decoder);
}

#define OF struct volume_reading
static const struct field config_map_volume_fields[] = {
    LIST_OF_AS("items", keys, str, key_to_path),
    STRING("name", volume.reference),
    BOOL("optional", volume.optional),
};
SCHEMA_OF(config_map_volume);

static const struct field secret_volume_fields[] = {
    LIST_OF_AS("items", keys, str, key_to_path),
    BOOL("optional", volume.optional),
    STRING("secretName", volume.reference),
};
SCHEMA_OF(secret_volume);

static const struct field mount_secret_fields[] = {
    STRING("name", mount_secret),
};
SCHEMA_OF(mount_secret);

static const struct field csi_volume_fields[] = {
    STRING("driver", volume.reference),
    SAME("nodePublishSecretRef", mount_secret),
};
SCHEMA_OF(csi_volume);

/* Only azureFile has it without a reference. */
static const struct field secret_mounted_volume_fields[] = {
    STRING("secretName", mount_secret),
    SAME("secretRef", mount_secret),
};
SCHEMA_OF(secret_mounted_volume);

static const struct field empty_dir_volume_fields[] = {
    STRING("medium", volume.medium),
    QUANTITY("sizeLimit", volume.size_limit),
};
SCHEMA_OF(empty_dir_volume);

static const struct field host_path_volume_fields[] = {
    STRING("path", volume.reference),
};
SCHEMA_OF(host_path_volume);

static const struct field image_volume_fields[] = {
    STRING("reference", volume.reference),
};
SCHEMA_OF(image_volume);

static const struct field claim_volume_fields[] = {
    STRING("claimName", volume.reference),
};
SCHEMA_OF(claim_volume);

static const struct field projected_volume_fields[] = {
    LIST_OF("sources", sources, projected_source),
};
SCHEMA_OF(projected_volume);

/* Nothing of it is read. */
const struct schema unread_schema = {.id = SCHEMA_unread};

static const struct field volume_fields[] = {
    VARIANT("azureFile", secret_source, SECRET_SOURCE_AZURE_FILE, secret_mounted_volume),
    VARIANT("cephfs", secret_source, SECRET_SOURCE_CEPHFS, secret_mounted_volume),
    VARIANT("cinder", secret_source, SECRET_SOURCE_CINDER, secret_mounted_volume),
    VARIANT("configMap", volume.source, VOLUME_CONFIG_MAP, config_map_volume),
    VARIANT("csi", volume.source, VOLUME_CSI, csi_volume),
    VARIANT("downwardAPI", volume.source, VOLUME_DOWNWARD_API, unread),
    VARIANT("emptyDir", volume.source, VOLUME_EMPTY_DIR, empty_dir_volume),
    VARIANT("ephemeral", volume.source, VOLUME_EPHEMERAL, unread),
    VARIANT("flexVolume", secret_source, SECRET_SOURCE_FLEX_VOLUME, secret_mounted_volume),
    VARIANT("hostPath", volume.source, VOLUME_HOST_PATH, host_path_volume),
    VARIANT("image", volume.source, VOLUME_IMAGE, image_volume),
    VARIANT("iscsi", secret_source, SECRET_SOURCE_ISCSI, secret_mounted_volume),
    BY("name", ACCEPTS(STRING), volume.name, read_volume_name),
    VARIANT("persistentVolumeClaim", volume.source, VOLUME_PVC, claim_volume),
    VARIANT("projected", volume.source, VOLUME_PROJECTED, projected_volume),
    VARIANT("rbd", secret_source, SECRET_SOURCE_RBD, secret_mounted_volume),
    VARIANT("scaleIO", secret_source, SECRET_SOURCE_SCALE_IO, secret_mounted_volume),
    VARIANT("secret", volume.source, VOLUME_SECRET, secret_volume),
    VARIANT("storageos", secret_source, SECRET_SOURCE_STORAGEOS, secret_mounted_volume),
};
SCHEMA_OF(volume, .kept = sizeof(struct volume), .other = note_other_source,
          .finish = finish_volume);
#undef OF

/* ---- storage ---- */

#define OF struct persistent_volume_claim
static const struct field claim_spec_fields[] = {
    STRING("storageClassName", storage_class),
    STRING("volumeName", volume_name),
};
SCHEMA_OF(claim_spec);

static const struct field claim_resize_fields[] = {
    STRING("storage", resize),
};
SCHEMA_OF(claim_resize);

static const struct field claim_status_fields[] = {
    SAME("allocatedResourceStatuses", claim_resize),
    OWN_LIST("conditions", conditions, condition),
    STRING("phase", phase),
};
SCHEMA_OF(claim_status);

/* The annotation that came before the field counts more, where it still is. */
static void finish_claim(struct decoder *decoder, void *structure)
{
    struct persistent_volume_claim *claim = structure;
    struct str class =
        pair_value(claim->object.meta.annotations, STR("volume.beta.kubernetes.io/storage-class"));
    (void)decoder;
    if (class.n)
        claim->storage_class = class;
}

static const struct field claim_fields[] = {
    SAME("spec", claim_spec),
    SAME("status", claim_status),
};
SCHEMA_OF(claim, .finish = finish_claim);
#undef OF

#define OF struct persistent_volume
static const struct field persistent_volume_spec_fields[] = {
    STRING("storageClassName", storage_class),
};
SCHEMA_OF(persistent_volume_spec);

static const struct field persistent_volume_status_fields[] = {
    STRING("phase", phase),
};
SCHEMA_OF(persistent_volume_status);

static const struct field persistent_volume_fields[] = {
    SAME("spec", persistent_volume_spec),
    SAME("status", persistent_volume_status),
};
SCHEMA_OF(persistent_volume);
#undef OF

#define OF struct storage_class
static const struct field storage_class_fields[] = {
    STRING("volumeBindingMode", volume_binding_mode),
};
SCHEMA_OF(storage_class);
#undef OF
