/* securityContext: privileges, and the filters between a container and its node's kernel. */
#include "score/checks.h"
#include "score/walk.h"

/* "Container api" or "The pod", to begin a sentence with. */
static struct str subject_of(struct check_context *context, struct str container)
{
    return container.n ? arena_printf(context->arena, "Container %" STR_FMT, STR_ARG(container))
                       : STR("The pod");
}

/* ---- privileges ---- */

static bool is_privileged(struct check_context *context, struct place at)
{
    if (context_or_none(at.container->security)->privileged != TRI_TRUE)
        return false;
    fail(context, at.container->name,
         "Container %" STR_FMT " is privileged: it has every right of root on its node.",
         STR_ARG(at.container->name));
    return true;
}

enum verdict check_privileged_container(struct check_context *context,
                                        const struct workload *workload)
{
    return walk_containers(context, workload, ROLES_ALL, is_privileged);
}

static bool adds_sys_admin(const struct security_context *security)
{
    const struct str *name;
    if (security->capabilities)
        LIST_EACH (name, security->capabilities->add)
            if (capability_is(*name, STR("SYS_ADMIN")) || capability_is(*name, STR("ALL")))
                return true;
    return false;
}

/* Absent counts as true; what also asks for the rights is graver than what forgot to refuse them.
 * A privileged container, or one with SYS_ADMIN (ALL holds it), has them whatever the field says.
 */
static bool may_escalate(struct check_context *context, struct place at)
{
    const struct security_context *security = context_or_none(at.container->security);
    const char *why = security->allow_privilege_escalation == TRI_TRUE ? "is true"
                      : security->privileged == TRI_TRUE ? "is as good as true: it is privileged"
                      : adds_sys_admin(security)         ? "is as good as true: it adds SYS_ADMIN"
                                                         : NULL;
    if (is_windows(at.spec) || (!why && security->allow_privilege_escalation == TRI_FALSE))
        return false;
    fail_as(context, why ? SEVERITY_HIGH : SEVERITY_MEDIUM, at.container->name,
            "Processes of container %" STR_FMT " may gain rights that it was not started with "
            "(allowPrivilegeEscalation %s).",
            STR_ARG(at.container->name), why ? why : "is not set to false");
    return true;
}

enum verdict check_privilege_escalation_allowed(struct check_context *context,
                                                const struct workload *workload)
{
    return walk_containers(context, workload, ROLES_ALL, may_escalate);
}

static bool may_write_root(struct check_context *context, struct place at)
{
    if (is_windows(at.spec) ||
        context_or_none(at.container->security)->read_only_root_filesystem == TRI_TRUE)
        return false;
    fail(context, at.container->name,
         "Container %" STR_FMT " may change its own program files (readOnlyRootFilesystem is not "
         "true).",
         STR_ARG(at.container->name));
    return true;
}

enum verdict check_writable_root_filesystem(struct check_context *context,
                                            const struct workload *workload)
{
    return walk_containers(context, workload, ROLES_TEMPLATE, may_write_root);
}

/* ---- seccomp and AppArmor ---- */

static bool profile_is_allowed(struct str type)
{
    return str_eq(type, STR("RuntimeDefault")) || str_eq(type, STR("Localhost"));
}

static bool seccomp_is_bad(struct check_context *context, const struct security_context *security,
                           struct str container)
{
    if (!security->seccomp || !security->seccomp->type.n ||
        profile_is_allowed(security->seccomp->type))
        return false;
    fail(context, container,
         "%" STR_FMT " turns the filter of system calls off (seccomp profile %" STR_FMT ").",
         STR_ARG(subject_of(context, container)), STR_ARG(security->seccomp->type));
    return true;
}

enum verdict check_seccomp_unconfined(struct check_context *context,
                                      const struct workload *workload)
{
    return walk_contexts(context, workload, seccomp_is_bad);
}

static bool seccomp_is_unset(struct check_context *context, struct place at)
{
    struct str type = effective_seccomp(at.spec, at.container);
    if (is_windows(at.spec) || profile_is_allowed(type))
        return false;
    fail(context, at.container->name,
         "Container %" STR_FMT " may make every system call (seccomp profile is %" STR_FMT ").",
         STR_ARG(at.container->name), STR_ARG(type.n ? type : STR("not set")));
    return true;
}

/* What a pod says and every container overrides is seccomp-unconfined's business. */
enum verdict check_seccomp_profile_unset(struct check_context *context,
                                         const struct workload *workload)
{
    return walk_containers(context, workload, ROLES_ALL, seccomp_is_unset);
}

static bool apparmor_is_bad(struct check_context *context, const struct security_context *security,
                            struct str container)
{
    if (!security->apparmor || !security->apparmor->type.n ||
        profile_is_allowed(security->apparmor->type))
        return false;
    fail(context, container, "%" STR_FMT " runs with AppArmor profile %" STR_FMT ".",
         STR_ARG(subject_of(context, container)), STR_ARG(security->apparmor->type));
    return true;
}

/* The form before 1.30, one annotation a container. */
static bool apparmor_annotation_is_bad(struct check_context *context, const struct pair *annotation)
{
    struct str prefix = STR("container.apparmor.security.beta.kubernetes.io/");
    if (!str_has_prefix(annotation->key, prefix) || !annotation->value.n ||
        str_eq(annotation->value, STR("runtime/default")) ||
        str_has_prefix(annotation->value, STR("localhost/")))
        return false;
    struct str container = str_sub(annotation->key, prefix.n, annotation->key.n);
    fail(context, container,
         "Container %" STR_FMT " runs with AppArmor profile %" STR_FMT " (annotation).",
         STR_ARG(container), STR_ARG(annotation->value));
    return true;
}

enum verdict check_apparmor_disabled(struct check_context *context, const struct workload *workload)
{
    enum verdict verdict = walk_contexts(context, workload, apparmor_is_bad);
    const struct pair *annotation;
    if (verdict == NOT_EVALUATED)
        return verdict;
    LIST_EACH (annotation, workload->template_annotations)
        if (apparmor_annotation_is_bad(context, annotation))
            verdict = FAILED;
    return verdict;
}

/* ---- SELinux and /proc ---- */

static bool selinux_type_is_allowed(struct str type)
{
    static const char *const allowed[] = {"", "container_t", "container_init_t", "container_kvm_t",
                                          "container_engine_t"};
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++)
        if (str_eq(type, str_of(allowed[i])))
            return true;
    return false;
}

static bool selinux_is_custom(struct check_context *context,
                              const struct security_context *security, struct str container)
{
    const struct selinux_options *options = security->selinux;
    if (!options)
        return false;
    bool type_is_bad = !selinux_type_is_allowed(options->type);
    if (!type_is_bad && !options->user.n && !options->role.n)
        return false;
    struct str value = type_is_bad       ? options->type
                       : options->user.n ? options->user
                                         : options->role;
    fail(context, container, "%" STR_FMT " sets SELinux %s %" STR_FMT ".",
         STR_ARG(subject_of(context, container)),
         type_is_bad       ? "type"
         : options->user.n ? "user"
                           : "role",
         STR_ARG(value));
    return true;
}

enum verdict check_selinux_custom_options(struct check_context *context,
                                          const struct workload *workload)
{
    return walk_contexts(context, workload, selinux_is_custom);
}

/* A user namespace takes the edge off: Baseline forgives it then, Restricted does not. */
static bool unmasks_proc(struct check_context *context, struct place at)
{
    struct str mount = context_or_none(at.container->security)->proc_mount;
    if (!mount.n || str_eq(mount, STR("Default")))
        return false;
    fail_as(context, at.spec->host_users == TRI_FALSE ? SEVERITY_LOW : SEVERITY_HIGH,
            at.container->name,
            "Container %" STR_FMT " sees parts of /proc that runtimes hide (procMount: %" STR_FMT
            ").",
            STR_ARG(at.container->name), STR_ARG(mount));
    return true;
}

enum verdict check_proc_mount_unmasked(struct check_context *context,
                                       const struct workload *workload)
{
    return walk_containers(context, workload, ROLES_ALL, unmasks_proc);
}
