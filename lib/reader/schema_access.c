/* Who may do what, and what is configured: k8s.io/api/rbac/v1, core/v1, admissionregistration/v1,
 * apiregistration/v1. */
#include "kube/credential.h"
#include "reader/redact.h"
#include "kube/selector.h"
#include "reader/schema_types.h"

/* ---- RBAC ---- */

#define OF struct service_account
static const struct field service_account_fields[] = {
    BOOL("automountServiceAccountToken", automount_token),
    NAMES("imagePullSecrets", image_pull_secrets),
};
SCHEMA_OF(service_account);
#undef OF

#define OF struct policy_rule
static const struct field policy_rule_fields[] = {
    STRINGS("apiGroups", api_groups),
    STRINGS("nonResourceURLs", non_resource_urls),
    STRINGS("resourceNames", resource_names),
    STRINGS("resources", resources),
    STRINGS("verbs", verbs),
};
SCHEMA_OF(policy_rule);
#undef OF

#define OF struct role
static const struct field aggregation_rule_fields[] = {
    LIST_OF("clusterRoleSelectors", aggregates, label_selector),
};
SCHEMA_OF(aggregation_rule);

static const struct field role_fields[] = {
    SAME("aggregationRule", aggregation_rule),
    LIST_OF("rules", rules, policy_rule),
};
SCHEMA_OF(role);
#undef OF

#define OF struct rbac_subject
static const struct field rbac_subject_fields[] = {
    STRING("kind", kind),
    STRING("name", name),
    STRING("namespace", namespace),
};
SCHEMA_OF(rbac_subject);
#undef OF

#define OF struct role_binding
static const struct field role_ref_fields[] = {
    STRING("kind", role_kind),
    STRING("name", role_name),
};
SCHEMA_OF(role_ref);

static const struct field role_binding_fields[] = {
    SAME("roleRef", role_ref),
    LIST_OF("subjects", subjects, rbac_subject),
};
SCHEMA_OF(role_binding);
#undef OF

/* ---- ConfigMap and Secret: the keys only ---- */

static void read_keys(struct decoder *decoder, data_key_list *keys, bool plain)
{
    struct list_builder list = list_builder_begin(decoder);
    enum jr_type type;
    jr_enter(decoder->jr);
    while ((type = decode_next(decoder)) > JR_END) {
        struct data_key *key = list_builder_add(decoder, &list, sizeof *key);
        memset(key, 0, sizeof *key);
        key->name = decode_key(decoder);
        key->credential =
            plain && type == JR_STRING && credential_pair(key->name, jr_text(decoder->jr));
    }
    list_builder_end(decoder, &list, NULL, keys);
}

static void read_data(struct decoder *decoder, void *structure)
{
    struct config_map_reading *reading = structure;
    read_keys(decoder, &reading->data, reading->plain);
}

static void read_more_data(struct decoder *decoder, void *structure)
{
    struct config_map_reading *reading = structure;
    read_keys(decoder, &reading->more_data, false);
}

static void read_or_redact_data(struct decoder *decoder, enum jr_type type, void *structure)
{
    if (type == JR_OBJECT || type == JR_ARRAY)
        redact_after(decoder, STR("{}"), read_data, structure);
    else
        redact_value(decoder, STR("{}"));
}

static void read_or_redact_more_data(struct decoder *decoder, enum jr_type type, void *structure)
{
    if (type == JR_OBJECT || type == JR_ARRAY)
        redact_after(decoder, STR("{}"), read_more_data, structure);
    else
        redact_value(decoder, STR("{}"));
}

static void absent_config_map(void *structure)
{
    ((struct config_map_reading *)structure)->plain = true;
}

static void add_keys(struct decoder *decoder, struct list_builder *list, const data_key_list *keys,
                     bool credentials_only)
{
    const struct data_key *key;
    LIST_EACH (key, *keys)
        if (key->credential || !credentials_only)
            *(struct str *)list_builder_add(decoder, list, sizeof key->name) = key->name;
}

static void finish_config_map(struct decoder *decoder, void *structure)
{
    struct config_map_reading *reading = structure;
    struct list_builder list = list_builder_begin(decoder);
    add_keys(decoder, &list, &reading->data, false);
    add_keys(decoder, &list, &reading->more_data, false);
    list_builder_end(decoder, &list, &name_schema, &reading->map.keys);
    list = list_builder_begin(decoder);
    add_keys(decoder, &list, &reading->data, true);
    list_builder_end(decoder, &list, &name_schema, &reading->map.credential_keys);
}

#define OF struct config_map_reading
static const struct field config_map_fields[] = {
    BY("binaryData", ACCEPTS_ALL, more_data, read_or_redact_more_data),
    BY("data", ACCEPTS_ALL, data, read_or_redact_data),
};
SCHEMA_OF(config_map, .kept = sizeof(struct config_map), .absent = absent_config_map,
          .finish = finish_config_map);

static const struct field secret_fields[] = {
    BY("data", ACCEPTS_ALL, data, read_or_redact_data),
    BY("stringData", ACCEPTS_ALL, more_data, read_or_redact_more_data),
    STRING("type", map.type),
};
SCHEMA_OF(secret, .kept = sizeof(struct config_map), .finish = finish_config_map);
#undef OF

/* ---- webhooks and aggregated APIs ---- */

#define OF struct webhook_rule
static const struct field webhook_rule_fields[] = {
    STRINGS("apiGroups", api_groups),
    STRINGS("operations", operations),
    STRINGS("resources", resources),
};
SCHEMA_OF(webhook_rule);
#undef OF

#define OF struct match_condition
static const struct field match_condition_fields[] = {
    STRING("name", name),
};
SCHEMA_OF(match_condition);
#undef OF

static bool holds(str_list list, struct str one)
{
    return str_list_has(list, one) || str_list_has(list, STR("*"));
}

static void finish_webhook(struct decoder *decoder, void *structure)
{
    struct webhook_reading *reading = structure;
    const struct webhook_rule *rule;
    (void)decoder;
    reading->webhook.is_asked = reading->rules.n > 0;
    reading->webhook.is_choosy =
        reading->conditions.n ||
        (reading->object_selector && !selector_is_empty(reading->object_selector));
    LIST_EACH (rule, reading->rules)
        reading->webhook.matches_pods |=
            (holds(rule->api_groups, (struct str){NULL, 0})) &&
            holds(rule->operations, STR("CREATE")) &&
            (holds(rule->resources, STR("pods")) || holds(rule->resources, STR("*/*")));
}

#define OF struct webhook_reading
static const struct field webhook_service_fields[] = {
    STRING("name", webhook.service_name),
    STRING("namespace", webhook.service_namespace),
};
SCHEMA_OF(webhook_service);

static const struct field webhook_client_fields[] = {
    SAME("service", webhook_service),
};
SCHEMA_OF(webhook_client);

static const struct field webhook_fields[] = {
    SAME("clientConfig", webhook_client),
    STRING("failurePolicy", webhook.failure_policy),
    LIST_OF("matchConditions", conditions, match_condition),
    STRING("name", webhook.name),
    POINTER("namespaceSelector", webhook.namespace_selector, label_selector),
    POINTER("objectSelector", object_selector, label_selector),
    LIST_OF("rules", rules, webhook_rule),
};
SCHEMA_OF(webhook, .kept = sizeof(struct webhook), .finish = finish_webhook);
#undef OF

#define OF struct webhook_configuration
static const struct field webhook_configuration_fields[] = {
    LIST_OF("webhooks", webhooks, webhook),
};
SCHEMA_OF(webhook_configuration);
#undef OF

#define OF struct api_service
static const struct field api_service_reference_fields[] = {
    STRING("name", service_name),
    STRING("namespace", service_namespace),
};
SCHEMA_OF(api_service_reference);

static const struct field api_service_spec_fields[] = {
    SAME("service", api_service_reference),
};
SCHEMA_OF(api_service_spec);

static const struct field api_service_status_fields[] = {
    OWN_LIST("conditions", conditions, condition),
};
SCHEMA_OF(api_service_status);

static void read_api_service_status(struct decoder *decoder, enum jr_type type, void *structure)
{
    (void)type;
    ((struct api_service *)structure)->has_status = true;
    decode_members(decoder, &api_service_status_schema, structure);
}

static const struct field api_service_fields[] = {
    SAME("spec", api_service_spec),
    BY("status", ACCEPTS(OBJECT), conditions, read_api_service_status),
};
SCHEMA_OF(api_service);
#undef OF

#define OF struct platform_object
static const struct field platform_object_status_fields[] = {
    OWN_LIST("conditions", conditions, condition),
};
SCHEMA_OF(platform_object_status);

static const struct field platform_object_fields[] = {
    SAME("status", platform_object_status),
};
SCHEMA_OF(platform_object);
#undef OF
