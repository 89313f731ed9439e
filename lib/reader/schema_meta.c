/* ObjectMeta and what all kinds share: k8s.io/apimachinery/pkg/apis/meta/v1. */
#include "reader/redact.h"
#include "reader/schema_types.h"

#define OF struct str
static const struct field name_fields[] = {
    {.key = "name", .type = FIELD_STRING, .accepts = ACCEPTS(STRING)},
};
SCHEMA_OF(name);
#undef OF

#define OF struct owner_reference
static const struct field owner_reference_fields[] = {
    STRING("apiVersion", api_version),
    BOOL("controller", controller),
    STRING("kind", kind),
    STRING("name", name),
};
SCHEMA_OF(owner_reference);
#undef OF

#define OF struct selector_requirement
static const struct field selector_requirement_fields[] = {
    STRING("key", key),
    STRING("operator", operator),
    STRINGS("values", values),
};
SCHEMA_OF(selector_requirement);
#undef OF

#define OF struct label_selector
static const struct field label_selector_fields[] = {
    LIST_OF("matchExpressions", match_expressions, selector_requirement),
    PAIRS("matchLabels", match_labels),
};
SCHEMA_OF(label_selector);
#undef OF

#define OF struct condition
static const struct field condition_fields[] = {
    CONDITION_FIELDS(STRING("status", status)),
};
SCHEMA_OF(condition);
#undef OF

/* ---- what the author wrote ---- */

#define OF struct applied
static const struct field applied_pod_spec_fields[] = {
    STRING("serviceAccount", service_account),
    STRING("serviceAccountName", service_account_name),
};
SCHEMA_OF(applied_pod_spec);

static const struct field applied_template_fields[] = {
    SAME("spec", applied_pod_spec),
};
SCHEMA_OF(applied_template);

static const struct field applied_job_fields[] = {
    SAME("template", applied_template),
};
SCHEMA_OF(applied_job);

static const struct field applied_job_template_fields[] = {
    SAME("spec", applied_job),
};
SCHEMA_OF(applied_job_template);

static const struct field applied_spec_fields[] = {
    SAME("jobTemplate", applied_job_template), NUMBER("replicas", replicas),
    STRING("serviceAccount", service_account), STRING("serviceAccountName", service_account_name),
    SAME("template", applied_template),
};
SCHEMA_OF(applied_spec);

static const struct field applied_fields[] = {
    STRING("apiVersion", api_version),
    SAME("spec", applied_spec),
};
SCHEMA_OF(applied);
#undef OF

/* Text that is no JSON object says nothing. */
static struct applied *read_applied(struct decoder *decoder)
{
    static const struct jr_limits limits = {
        .depth = 64, .key = 4096, .string = 1 << 20, .total = UINT64_MAX};
    struct str text = jr_text(decoder->jr);
    struct source source = source_of(&text);
    if (!decoder->inner)
        decoder->inner = jr_open(decoder->scratch, source, limits);
    else
        jr_restart(decoder->inner, source);
    if (jr_next(decoder->inner) != JR_OBJECT)
        return NULL;
    struct applied *applied = ARENA_NEW(decoder->arena, struct applied);
    struct decoder inner = *decoder;
    inner.jr = decoder->inner;
    inner.redaction = REDACT_OFF;
    memcpy(applied, decode_absent(decoder, &applied_schema), sizeof *applied);
    decode_members(&inner, &applied_schema, applied);
    return applied;
}

/* ---- metadata ---- */

/* Annotations that some check, link or kube/deployed_by.h reads: a name, or the start of one. */
static bool annotation_is_read(struct str key)
{
    static const char *const starts[] = {
        "acme.cert-manager.io/",
        "ad.datadoghq.com/",
        "alb.ingress.kubernetes.io/certificate-arn",
        "apf.kubernetes.io/autoupdate-spec",
        "appgw.ingress.kubernetes.io/appgw-ssl-certificate",
        "argocd.argoproj.io/tracking-id",
        "batch.kubernetes.io/",
        "cert-manager.io/",
        "certmanager.k8s.io/",
        "cloud.google.com/load-balancer-type",
        "container.apparmor.security.beta.kubernetes.io/",
        "dapr.io/",
        "deployment.kubernetes.io/",
        "ingress.gcp.kubernetes.io/pre-shared-cert",
        "kubeadm.alpha.kubernetes.io/cri-socket",
        "kubectl.kubernetes.io/default-container",
        "kubectl.kubernetes.io/restartedAt",
        "kubernetes.io/change-cause",
        "kubernetes.io/config.",
        "kubernetes.io/ingress.class",
        "kubernetes.io/tls-acme",
        "linkerd.io/",
        "load-balancer.hetzner.cloud/disable-public-network",
        "loadline.io/",
        "meta.helm.sh/release-name",
        "networking.gke.io/",
        "nginx.ingress.kubernetes.io/auth-snippet",
        "nginx.ingress.kubernetes.io/canary",
        "nginx.ingress.kubernetes.io/configuration-snippet",
        "nginx.ingress.kubernetes.io/modsecurity-snippet",
        "nginx.ingress.kubernetes.io/server-snippet",
        "nginx.ingress.kubernetes.io/stream-snippet",
        "nginx.org/location-snippets",
        "nginx.org/server-snippets",
        "prometheus.io/",
        "service.beta.kubernetes.io/",
        "service.beta.openshift.io/inject-cabundle",
        "service.kubernetes.io/",
        "sidecar.istio.io/",
        "storageclass.kubernetes.io/is-default-class",
        "traefik.ingress.kubernetes.io/router.tls",
        "vault.hashicorp.com/",
        "volume.beta.kubernetes.io/storage-class",
        "volume.kubernetes.io/selected-node",
    };
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (key.n && key.p[0] == starts[i][0] && str_has_prefix(key, str_of(starts[i])))
            return true;
    return false;
}

static bool annotation_wanted(struct decoder *decoder, enum jr_type type, void *structure)
{
    struct object_meta *meta = structure;
    struct str key = jr_key(decoder->jr);
    if (!redact_is_manifest_annotation(key))
        return annotation_is_read(key);
    bool kubectl = str_has_prefix(key, STR("kubectl.kubernetes.io/"));
    if (kubectl && meta && type == JR_STRING && decoder->redaction != REDACT_FIND)
        meta->applied = read_applied(decoder);
    redact_text(decoder, type);
    return false;
}

static void read_annotations(struct decoder *decoder, enum jr_type type, void *structure)
{
    struct object_meta *meta = structure;
    (void)type;
    meta->applied = NULL;
    meta->annotations = decode_pairs(decoder, annotation_wanted, meta);
}

pair_list decode_template_annotations(struct decoder *decoder)
{
    return decode_pairs(decoder, annotation_wanted, NULL);
}

enum { VERSIONS_MAX = 16 };

/* apiVersion of each entry, each once; a manager more or less does not matter, so there is an end.
 */
static void read_managed_fields(struct decoder *decoder, void *structure)
{
    struct object_meta *meta = structure;
    struct list_builder list = list_builder_begin(decoder);
    enum jr_type type;
    jr_enter(decoder->jr);
    while ((type = decode_next(decoder)) > JR_END) {
        struct managed_fields_entry entry = {0};
        if (type != JR_OBJECT)
            continue;
        decode_members(decoder, &managed_fields_entry_schema, &entry);
        struct str *known = (struct str *)(void *)list.items;
        size_t i = 0;
        while (i < list.n && !str_eq(known[i], entry.api_version))
            i++;
        if (i == list.n && i < VERSIONS_MAX && entry.api_version.n)
            *(struct str *)list_builder_add(decoder, &list, sizeof(struct str)) = entry.api_version;
    }
    list_builder_end(decoder, &list, &name_schema, &meta->managed_versions);
}

static void read_or_redact_managed_fields(struct decoder *decoder, enum jr_type type,
                                          void *structure)
{
    if (type == JR_ARRAY || type == JR_OBJECT)
        redact_after(decoder, STR("[]"), read_managed_fields, structure);
    else
        redact_value(decoder, STR("[]"));
}

#define OF struct managed_fields_entry
static const struct field managed_fields_entry_fields[] = {
    STRING("apiVersion", api_version),
};
SCHEMA_OF(managed_fields_entry);
#undef OF

#define OF struct object_meta
static const struct field object_meta_fields[] = {
    BY("annotations", ACCEPTS(OBJECT), annotations, read_annotations),
    TIME("creationTimestamp", created),
    NUMBER("deletionGracePeriodSeconds", deletion_grace),
    TIME("deletionTimestamp", deleted),
    NUMBER("generation", generation),
    PAIRS("labels", labels),
    BY("managedFields", ACCEPTS_ALL, managed_versions, read_or_redact_managed_fields),
    OWN_STRING("name", name),
    STRING("namespace", namespace),
    LIST_OF("ownerReferences", owners, owner_reference),
    NUMBER("resourceVersion", resource_version),
    OWN_STRING("uid", uid),
};
SCHEMA_OF(object_meta);

/* Of kinds that are not read. Nothing here goes through the repeat cache, which redaction shares.
 */
static const struct field object_identity_fields[] = {
    BY("annotations", ACCEPTS(OBJECT), annotations, read_annotations),
    TIME("creationTimestamp", created),
    BY("managedFields", ACCEPTS_ALL, managed_versions, read_or_redact_managed_fields),
    OWN_STRING("name", name),
    STRING("namespace", namespace),
    OWN_STRING("uid", uid),
};
SCHEMA_OF(object_identity);
#undef OF
