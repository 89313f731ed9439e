/* schema_types: structures that exist only while an object is read. Each begins with the one of the
 * model that is kept; finish() of the schema puts the rest in its place. And functions that tables
 * of several files use. */
#ifndef LOADLINE_READER_SCHEMA_TYPES_H
#define LOADLINE_READER_SCHEMA_TYPES_H

#include "kube/model.h"
#include "reader/decode.h"

struct managed_fields_entry {
    struct str api_version;
};

struct env_var_reading {
    struct env_var env;
    struct {
        unsigned bits;               /* credential_value() */
        bool switched_on;            /* as credential_waived() wants it */
        bool was_secret, was_waived; /* it was cut before, and left a mark */
    } value;
};

struct projection { /* of one ConfigMap or Secret into a volume */
    str_list keys;
    struct str name;
    enum tri optional;
};

struct projected_source {
    struct projection secret, config_map;
    bool token;
};

/* Sources that may name a Secret to mount with, and of which nothing else is read. */
enum secret_source {
    SECRET_SOURCE_NONE,
    SECRET_SOURCE_AZURE_FILE,
    SECRET_SOURCE_CEPHFS,
    SECRET_SOURCE_CINDER,
    SECRET_SOURCE_FLEX_VOLUME,
    SECRET_SOURCE_ISCSI,
    SECRET_SOURCE_RBD,
    SECRET_SOURCE_SCALE_IO,
    SECRET_SOURCE_STORAGEOS
};

struct volume_reading {
    struct volume volume;
    str_list keys;
    LIST(struct projected_source) sources;
    enum secret_source secret_source;
    struct str mount_secret; /* of that, or of csi: what the driver mounts it with */
};

struct node_selector_term {
    LIST(struct selector_requirement) match_expressions;
};

struct pod_spec_reading {
    struct pod_spec spec;
    struct str node_name;
    pair_list node_selector;
    LIST(struct node_selector_term) node_terms; /* required; one of them must hold */
    container_list init, ephemeral;
    LIST(struct pod_affinity_term) preferred;
};

struct pod_reading {
    struct pod pod;
    struct {
        bool read;            /* it is in `spec`, or: */
        const struct pod *of; /* this one has the same; or NULL */
    } has_spec;
    struct pod_spec_reading spec;
    container_status_list init, ephemeral;
};

struct endpoint_reading {
    enum tri ready;
    uint64_t address; /* hash of the first one */
};

struct data_key {
    struct str name;
    bool credential;
};
typedef LIST(struct data_key) data_key_list;

struct config_map_reading {
    struct config_map map;
    data_key_list data, more_data; /* more_data: binaryData, stringData */
    bool plain;                    /* the values of data are plain text, not base64 */
};

struct webhook_rule {
    str_list api_groups, operations, resources;
};

struct match_condition {
    struct str name;
};

struct webhook_reading {
    struct webhook webhook;
    LIST(struct webhook_rule) rules;
    LIST(struct match_condition) conditions;
    struct label_selector *object_selector;
};

struct event_reading {
    struct event event;
    int64_t series_count, series_last, event_time;
};

struct quota_reading {
    struct resource_quota quota;
    pair_list hard, used;
    str_list scopes;
    struct label_selector *scope_selector;
};

/* The fields of a condition; `status` is read as that row says. */
#define CONDITION_FIELDS(status)                                                                   \
    TIME("lastHeartbeatTime", last_update), TIME("lastTransitionTime", last_transition),           \
        TIME("lastUpdateTime", last_update), MESSAGE("message", message),                          \
        NUMBER("observedGeneration", observed_generation), STRING("reason", reason), status,       \
        STRING("type", type)

/* metadata.annotations of a template. */
pair_list decode_template_annotations(struct decoder *decoder);

/* The current string, the name of a volume. The one that the API server adds to each pod has a name
 * of its own in each, "kube-api-access-x7k2p": it is kept as "kube-api-access-", so that pods stay
 * alike. */
struct str decode_volume_name(struct decoder *decoder);

#endif
