/* Container and what stands in it: k8s.io/api/core/v1. */
#include "base/hash.h"
#include "kube/control_plane.h"
#include "kube/credential.h"
#include "reader/misfit.h"
#include "reader/redact.h"
#include "reader/schema_types.h"

/* ---- resources and security ---- */

#define OF struct resource_list
static const struct field resource_list_fields[] = {
    QUANTITY("cpu", cpu),
    QUANTITY("ephemeral-storage", ephemeral_storage),
    QUANTITY("memory", memory),
    QUANTITY("pods", pods),
};
SCHEMA_OF(resource_list);
#undef OF

#define OF struct resource_requirements
static const struct field resource_requirements_fields[] = {
    INSIDE("limits", limits, resource_list),
    INSIDE("requests", requests, resource_list),
};
SCHEMA_OF(resource_requirements);
#undef OF

#define OF struct capabilities
static const struct field capabilities_fields[] = {
    STRINGS("add", add),
    STRINGS("drop", drop),
};
SCHEMA_OF(capabilities);
#undef OF

#define OF struct selinux_options
static const struct field selinux_options_fields[] = {
    STRING("role", role),
    STRING("type", type),
    STRING("user", user),
};
SCHEMA_OF(selinux_options);
#undef OF

#define OF struct security_profile
static const struct field security_profile_fields[] = {
    STRING("type", type),
};
SCHEMA_OF(security_profile);
#undef OF

static void read_groups(struct decoder *decoder, enum jr_type type, void *structure)
{
    struct security_context *security = structure;
    struct list_builder list = list_builder_begin(decoder);
    jr_enter(decoder->jr);
    while ((type = decode_next(decoder)) > JR_END) {
        bool is_text = type == JR_NUMBER || type == JR_STRING;
        int64_t group = is_text ? decode_number(decoder) : NUMBER_ABSENT;
        if (group != NUMBER_ABSENT)
            *(int64_t *)list_builder_add(decoder, &list, sizeof group) = group;
    }
    list_builder_end(decoder, &list, &security_context_schema, &security->supplemental_groups);
}

#define OF struct security_context
static const struct field windows_options_fields[] = {
    BOOL("hostProcess", host_process),
};
SCHEMA_OF(windows_options);

static const struct field security_context_fields[] = {
    BOOL("allowPrivilegeEscalation", allow_privilege_escalation),
    POINTER("appArmorProfile", apparmor, security_profile),
    POINTER("capabilities", capabilities, capabilities),
    NUMBER("fsGroup", fs_group),
    BOOL("privileged", privileged),
    STRING("procMount", proc_mount),
    BOOL("readOnlyRootFilesystem", read_only_root_filesystem),
    NUMBER("runAsGroup", run_as_group),
    BOOL("runAsNonRoot", run_as_non_root),
    NUMBER("runAsUser", run_as_user),
    POINTER("seLinuxOptions", selinux, selinux_options),
    POINTER("seccompProfile", seccomp, security_profile),
    BY("supplementalGroups", ACCEPTS(ARRAY), supplemental_groups, read_groups),
    NAMES("sysctls", sysctls),
    SAME("windowsOptions", windows_options),
};
SCHEMA_OF(security_context);
#undef OF

/* ---- environment ---- */

/* The same names come again and again; what was found out about one is looked up by its one copy.
 */
enum { NAME_SLOTS = 1024 };

struct credential_memo {
    struct {
        const char *name;
        enum credential_name is;
    } names[NAME_SLOTS];
};

static enum credential_name name_class(struct decoder *decoder, struct str name)
{
    if (!decoder->credentials)
        decoder->credentials = ARENA_NEW(decoder->scratch, struct credential_memo);
    struct credential_memo *memo = decoder->credentials;
    size_t slot = (size_t)((uintptr_t)name.p * 0x9e3779b97f4a7c15u >> 32) % NAME_SLOTS;
    if (memo->names[slot].name != name.p) {
        memo->names[slot].name = name.p;
        memo->names[slot].is = credential_name(name);
    }
    return memo->names[slot].is;
}

static bool is_credential(struct decoder *decoder, const struct env_var_reading *reading)
{
    return reading->value.bits &&
           credential_is(name_class(decoder, reading->env.name), reading->value.bits);
}

static bool is_waived(const struct env_var_reading *reading)
{
    return reading->value.switched_on && credential_waived(reading->env.name, STR("yes"));
}

/* The name may come after the value, so what the value alone tells is noted until both are read.
 * Then it leaves a mark that does not tell; who lists objects in Kubernetes' order gets a better
 * one. */
static void read_env_value(struct decoder *decoder, enum jr_type type, void *structure)
{
    struct env_var_reading *reading = structure;
    struct str value = type == JR_STRING ? jr_text(decoder->jr) : (struct str){NULL, 0};
    struct str instead = STR("\"" CREDENTIAL_CUT "\"");
    if (type != JR_STRING)
        misfit_note(decoder, type, ACCEPTS(STRING));
    reading->value.was_secret = str_eq(value, STR(CREDENTIAL_CUT_SECRET));
    reading->value.was_waived = str_eq(value, STR(CREDENTIAL_CUT_WAIVED));
    reading->value.bits = credential_is_mark(value) ? 0 : credential_value(value);
    reading->value.switched_on = credential_waived(STR("ALLOW_EMPTY_PASSWORD"), value);
    if (reading->env.name.n && is_credential(decoder, reading))
        instead = STR("\"" CREDENTIAL_CUT_SECRET "\"");
    else if (reading->env.name.n && is_waived(reading))
        instead = STR("\"" CREDENTIAL_CUT_WAIVED "\"");
    redact_text_as(decoder, type, instead);
}

static void finish_env_var(struct decoder *decoder, void *structure)
{
    struct env_var_reading *reading = structure;
    struct env_var *env = &reading->env;
    env->credential = reading->value.was_secret || is_credential(decoder, reading);
    env->password_waived = reading->value.was_waived || is_waived(reading);
}

#define OF struct env_var_reading
static const struct field env_key_ref_fields[] = {
    STRING("key", env.from.key),
    STRING("name", env.from.name),
    BOOL("optional", env.from.optional),
};
SCHEMA_OF(env_key_ref);

static const struct field env_source_fields[] = {
    VARIANT("configMapKeyRef", env.from.of, KIND_CONFIGMAP, env_key_ref),
    VARIANT("secretKeyRef", env.from.of, KIND_SECRET, env_key_ref),
};
SCHEMA_OF(env_source);

static const struct field env_var_fields[] = {
    STRING("name", env.name),
    BY("value", ACCEPTS_ALL, value, read_env_value),
    SAME("valueFrom", env_source),
};
SCHEMA_OF(env_var, .kept = sizeof(struct env_var), .finish = finish_env_var);
#undef OF

#define OF struct object_key_ref
static const struct field env_from_ref_fields[] = {
    STRING("name", name),
    BOOL("optional", optional),
};
SCHEMA_OF(env_from_ref);

static const struct field env_from_fields[] = {
    VARIANT("configMapRef", of, KIND_CONFIGMAP, env_from_ref),
    VARIANT("secretRef", of, KIND_SECRET, env_from_ref),
};
SCHEMA_OF(env_from);
#undef OF

/* ---- ports and mounts ---- */

#define OF struct container_port
static const struct field container_port_fields[] = {
    NUMBER("containerPort", container_port),
    NUMBER("hostPort", host_port),
    STRING("name", name),
    STRING("protocol", protocol),
};
SCHEMA_OF(container_port);
#undef OF

struct str decode_volume_name(struct decoder *decoder)
{
    struct str name = jr_text(decoder->jr), prefix = STR("kube-api-access-");
    if (!str_has_prefix(name, prefix))
        return intern_string(decoder->intern, name);
    uint64_t from = jr_offset(decoder->jr) + 1;
    if (jr_ahead(decoder->jr, 0).p + 1 == name.p) /* no escapes */
        repeat_cache_note_wildcard(decoder->repeats, from + prefix.n, from + name.n);
    return intern_string(decoder->intern, prefix);
}

static void read_mount_name(struct decoder *decoder, enum jr_type type, void *structure)
{
    (void)type;
    ((struct volume_mount *)structure)->name = decode_volume_name(decoder);
}

#define OF struct volume_mount
static const struct field volume_mount_fields[] = {
    STRING("mountPath", mount_path),
    BY("name", ACCEPTS(STRING), name, read_mount_name),
    BOOL("readOnly", read_only),
};
SCHEMA_OF(volume_mount);
#undef OF

/* ---- probes and hooks ---- */

static void read_command(struct decoder *decoder, enum jr_type type, void *structure)
{
    uint64_t hash = 0;
    jr_enter(decoder->jr);
    while ((type = decode_next(decoder)) > JR_END) {
        if (type != JR_STRING)
            misfit_note(decoder, type, ACCEPTS(STRING));
        hash = hash_bytes(hash, type == JR_STRING ? jr_text(decoder->jr) : STR(""));
    }
    ((struct handler *)structure)->command = hash;
}

#define OF struct pair
static const struct field http_header_fields[] = {
    STRING("name", key),
    STRING("value", value),
};
SCHEMA_OF(http_header);
#undef OF

#define OF struct handler
static const struct field exec_action_fields[] = {
    BY("command", ACCEPTS(ARRAY), command, read_command),
};
SCHEMA_OF(exec_action);

static const struct field grpc_action_fields[] = {
    TEXT("port", port),
    STRING("service", service),
};
SCHEMA_OF(grpc_action);

static const struct field http_get_action_fields[] = {
    STRING("host", host),     LIST_OF_AS("httpHeaders", headers, pair, http_header),
    STRING("path", path),     TEXT("port", port),
    STRING("scheme", scheme),
};
SCHEMA_OF(http_get_action);

static const struct field tcp_socket_action_fields[] = {
    STRING("host", host),
    TEXT("port", port),
};
SCHEMA_OF(tcp_socket_action);

static const struct field handler_fields[] = {
    VARIANT("exec", type, HANDLER_EXEC, exec_action),
    VARIANT("grpc", type, HANDLER_GRPC, grpc_action),
    VARIANT("httpGet", type, HANDLER_HTTP, http_get_action),
    VARIANT("tcpSocket", type, HANDLER_TCP, tcp_socket_action),
};
SCHEMA_OF(handler);
#undef OF

/* A probe begins with its handler, so the handler's schemas fit it. */
_Static_assert(offsetof(struct probe, handler) == 0, "the handler comes first");

#define OF struct probe
static const struct field probe_fields[] = {
    VARIANT("exec", handler.type, HANDLER_EXEC, exec_action),
    NUMBER("failureThreshold", failure_threshold),
    VARIANT("grpc", handler.type, HANDLER_GRPC, grpc_action),
    VARIANT("httpGet", handler.type, HANDLER_HTTP, http_get_action),
    NUMBER("initialDelaySeconds", initial_delay),
    NUMBER("periodSeconds", period),
    VARIANT("tcpSocket", handler.type, HANDLER_TCP, tcp_socket_action),
};
SCHEMA_OF(probe);
#undef OF

/* ---- the control plane's command lines ---- */

/* The current value is an array of words. A flag may have its value in the next one. */
static str_list read_flags(struct decoder *decoder, struct str *program)
{
    struct list_builder list = list_builder_begin(decoder);
    enum jr_type type;
    str_list flags;
    bool first = true, value_follows = false;
    jr_enter(decoder->jr);
    while ((type = decode_next(decoder)) > JR_END) {
        if (type != JR_STRING) {
            misfit_note(decoder, type, ACCEPTS(STRING));
            continue;
        }
        struct str word = jr_text(decoder->jr);
        bool is_read = control_plane_flag_is_read(word);
        if (first && program)
            *program = control_plane_program(word);
        else if (is_read || (value_follows && !control_plane_is_flag(word)))
            *(struct str *)list_builder_add(decoder, &list, sizeof(struct str)) =
                decode_string(decoder);
        value_follows = is_read && !str_cut(word, '=', NULL, NULL);
        first = false;
    }
    list_builder_end(decoder, &list, &name_schema, &flags);
    return flags;
}

static void read_container_command(struct decoder *decoder, enum jr_type type, void *structure)
{
    struct container *container = structure;
    (void)type;
    container->program = (struct str){NULL, 0};
    container->command_flags = read_flags(decoder, &container->program);
}

static void read_container_args(struct decoder *decoder, enum jr_type type, void *structure)
{
    (void)type;
    ((struct container *)structure)->arg_flags = read_flags(decoder, NULL);
}

/* ---- the container ---- */

#define OF struct container
static const struct field lifecycle_fields[] = {
    POINTER("postStart", post_start, handler),
    POINTER("preStop", pre_stop, handler),
};
SCHEMA_OF(lifecycle);

static const struct field container_fields[] = {
    BY("args", ACCEPTS(ARRAY), arg_flags, read_container_args),
    BY("command", ACCEPTS(ARRAY), command_flags, read_container_command),
    LIST_OF("env", env, env_var),
    LIST_OF_AS("envFrom", env_from, object_key_ref, env_from),
    STRING("image", image),
    STRING("imagePullPolicy", image_pull_policy),
    SAME("lifecycle", lifecycle),
    POINTER("livenessProbe", liveness, probe),
    STRING("name", name),
    LIST_OF("ports", ports, container_port),
    POINTER("readinessProbe", readiness, probe),
    POINTER("resources", resources, resource_requirements),
    STRING("restartPolicy", restart_policy),
    POINTER("securityContext", security, security_context),
    POINTER("startupProbe", startup, probe),
    LIST_OF("volumeMounts", mounts, volume_mount),
};
SCHEMA_OF(container);
#undef OF
