/* Linux capabilities. The API knows them without the prefix CAP_ and in upper case. The standards
 * take that by the letter; what does harm is harm in any spelling. */
#include "score/checks.h"
#include "score/walk.h"

static const struct capabilities no_capabilities;

static const struct capabilities *capabilities_of(const struct container *container)
{
    const struct capabilities *capabilities = context_or_none(container->security)->capabilities;
    return capabilities ? capabilities : &no_capabilities;
}

/* Is the capability in the list? The list holds names with spaces between. */
static bool is_one_of(struct str capability, const char *list,
                      bool (*same)(struct str a, struct str b))
{
    struct str rest = str_of(list), name;
    while (str_next_word(&rest, &name))
        if (same(capability, name))
            return true;
    return false;
}

/* Does the container drop one of them? By the letter, or as runtimes read it: in any case. */
static bool drops(const struct container *container, const char *list,
                  bool (*same)(struct str a, struct str b))
{
    const struct str *dropped;
    LIST_EACH (dropped, capabilities_of(container)->drop)
        if (is_one_of(*dropped, list, same))
            return true;
    return false;
}

/* Says fail() for every capability that the container adds and `bad` calls so. */
static bool test_added(struct check_context *context, const struct container *container,
                       bool (*bad)(struct str capability), const char *why)
{
    const struct str *name;
    bool failed = false;
    LIST_EACH (name, capabilities_of(container)->add)
        if (bad(*name)) {
            fail(context, container->name, "Container %" STR_FMT " adds capability %" STR_FMT "%s.",
                 STR_ARG(container->name), STR_ARG(*name), why);
            failed = true;
        }
    return failed;
}

/* Those that reach the node or other pods. */
static bool is_dangerous(struct str capability)
{
    return is_one_of(capability,
                     "ALL SYS_ADMIN NET_ADMIN SYS_MODULE SYS_RAWIO SYS_PTRACE SYS_BOOT SYS_TIME "
                     "BPF PERFMON MAC_ADMIN MAC_OVERRIDE DAC_READ_SEARCH SYSLOG AUDIT_CONTROL "
                     "CHECKPOINT_RESTORE",
                     capability_is);
}

static bool adds_dangerous(struct check_context *context, struct place at)
{
    return test_added(context, at.container, is_dangerous, ", which reaches beyond its container");
}

enum verdict check_capabilities_dangerous(struct check_context *context,
                                          const struct workload *workload)
{
    return walk_containers(context, workload, ROLES_ALL, adds_dangerous);
}

static bool is_beyond_baseline(struct str capability)
{
    return !is_one_of(capability,
                      "AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD "
                      "NET_BIND_SERVICE SETFCAP SETGID SETPCAP SETUID SYS_CHROOT",
                      str_eq);
}

static bool adds_beyond_baseline(struct check_context *context, struct place at)
{
    return test_added(context, at.container, is_beyond_baseline,
                      ", which is not among those of the Baseline pod security standard");
}

enum verdict check_capabilities_beyond_baseline(struct check_context *context,
                                                const struct workload *workload)
{
    return walk_containers(context, workload, ROLES_ALL, adds_beyond_baseline);
}

static bool is_not_bind_service(struct str capability)
{
    return !str_eq(capability, STR("NET_BIND_SERVICE"));
}

static bool adds_any(struct check_context *context, struct place at)
{
    return !is_windows(at.spec) && test_added(context, at.container, is_not_bind_service, "");
}

enum verdict check_capabilities_added(struct check_context *context,
                                      const struct workload *workload)
{
    return walk_containers(context, workload, ROLES_ALL, adds_any);
}

static bool keeps_default(struct check_context *context, struct place at)
{
    if (is_windows(at.spec) || drops(at.container, "ALL", str_eq))
        return false;
    fail(context, at.container->name,
         "Container %" STR_FMT " keeps the default capabilities: it does not drop ALL.",
         STR_ARG(at.container->name));
    return true;
}

enum verdict check_capabilities_not_dropped(struct check_context *context,
                                            const struct workload *workload)
{
    return walk_containers(context, workload, ROLES_ALL, keeps_default);
}

static bool is_net_raw(struct str capability)
{
    return is_one_of(capability, "NET_RAW ALL", capability_is);
}

static bool has_net_raw(struct check_context *context, struct place at)
{
    if (is_windows(at.spec))
        return false;
    if (test_added(context, at.container, is_net_raw, ", so that it may forge packets"))
        return true;
    if (drops(at.container, "ALL NET_RAW", str_eq_nocase))
        return false;
    fail(context, at.container->name,
         "Container %" STR_FMT " may forge packets: it drops neither ALL nor NET_RAW.",
         STR_ARG(at.container->name));
    return true;
}

enum verdict check_net_raw_capability(struct check_context *context,
                                      const struct workload *workload)
{
    return walk_containers(context, workload, ROLES_ALL, has_net_raw);
}
