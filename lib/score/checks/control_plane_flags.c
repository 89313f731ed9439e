/* What static pods tell the programs of the control plane, against kube/control_plane.def. */
#include "kube/control_plane.h"
#include "score/checks.h"
#include "score/component.h"

enum want {
    WANT_IS,
    WANT_NOT,
    WANT_SET,
    WANT_UNSET,
    WANT_HAS,
    WANT_LACKS,
    WANT_WITHOUT,
    WANT_AT_LEAST
};

static const struct control {
    enum check_id check;
    const char *cis;
    struct str program;
    enum severity severity;
    struct str flag;
    enum want want;
    struct str value, unless;
} controls[] = {
#define CONTROL(check, cis, program, severity, flag, want, value, unless)                          \
    {CHECK_##check, cis,         STR(program), SEVERITY_##severity,                                \
     STR(flag),     WANT_##want, STR(value),   STR(unless)},
#include "kube/control_plane.def"
#undef CONTROL
};

/* The container that runs that part; NULL: a script runs it, or nobody shows how. */
static const struct container *container_of_part(const struct workload *workload, struct str part)
{
    const struct container *container;
    if (part.n && workload->spec)
        LIST_EACH (container, workload->spec->containers)
            if (str_eq(container->program, part))
                return container;
    return NULL;
}

/* The value of the flag at flags[i]: after its "=", else the next word, else true. */
static struct str value_of(str_list flags, uint32_t i, struct str own)
{
    if (own.p)
        return own;
    if (i + 1 < flags.n && !control_plane_is_flag(flags.items[i + 1]))
        return flags.items[i + 1];
    return STR("true");
}

static bool find_in(str_list flags, struct str wanted, struct str *found)
{
    struct str name, value;
    bool given = false;
    for (uint32_t i = 0; i < flags.n; i++)
        if (control_plane_flag(flags.items[i], &name, &value) &&
            control_plane_flag_is(name, wanted)) {
            *found = value_of(flags, i, value);
            given = true; /* the last one counts */
        }
    return given;
}

/* Is the variable ETCD_CERT_FILE the flag "cert-file"? */
static bool is_variable_of(struct str variable, struct str flag)
{
    struct str name = str_sub(variable, 5, variable.n);
    if (!str_has_prefix(variable, STR("ETCD_")) || name.n != flag.n)
        return false;
    for (size_t i = 0; i < flag.n; i++)
        if (str_lower(name.p[i]) != (flag.p[i] == '-' ? '_' : flag.p[i]))
            return false;
    return true;
}

/* etcd takes its settings from variables, too (etcd.io, configuration options). */
static bool is_in_environment(const struct container *container, struct str flag)
{
    const struct env_var *variable;
    if (str_eq(container->program, STR("etcd")))
        LIST_EACH (variable, container->env)
            if (is_variable_of(variable->name, flag))
                return true;
    return false;
}

static bool find_flag(const struct container *container, struct str name, struct str *value)
{
    bool in_command = find_in(container->command_flags, name, value);
    return find_in(container->arg_flags, name, value) || in_command;
}

static bool has_entry(struct str list, struct str wanted)
{
    struct str entry;
    while (list.n) {
        str_cut(list, ',', &entry, &list);
        if (str_eq(str_trim(entry), wanted))
            return true;
    }
    return false;
}

/* As Go reads them (strconv.ParseBool). */
static bool is_same_value(struct str value, struct str wanted)
{
    static const char *const yes[] = {"1", "t", "T", "TRUE", "true", "True", NULL};
    static const char *const no[] = {"0", "f", "F", "FALSE", "false", "False", NULL};
    if (str_eq(wanted, STR("true")))
        return str_in(value, yes);
    return str_eq(wanted, STR("false")) ? str_in(value, no) : str_eq(value, wanted);
}

static bool is_met(const struct control *control, bool given, struct str value)
{
    int64_t number, least;
    switch (control->want) {
    case WANT_IS:
        return given && is_same_value(value, control->value);
    case WANT_NOT:
        return !given || !is_same_value(value, control->value);
    case WANT_SET:
        return given && value.n;
    case WANT_UNSET:
        return !given;
    case WANT_HAS:
        return given && has_entry(value, control->value);
    case WANT_LACKS:
        return !given || !has_entry(value, control->value);
    case WANT_WITHOUT:
        return given && !has_entry(value, control->value);
    case WANT_AT_LEAST:
        return given && str_to_i64(value, &number) && str_to_i64(control->value, &least) &&
               number >= least;
    }
    return true;
}

/* "***HIDDEN***": tools that make support bundles take addresses out. */
static bool is_masked(struct str value)
{
    return str_has(value, STR("***"));
}

static enum verdict ask_control(const struct container *container, const struct control *control)
{
    struct str value = {0}, other;
    bool given = find_flag(container, control->flag, &value);
    if ((control->unless.n && find_flag(container, control->unless, &other)) ||
        (given && is_masked(value)) || (!given && is_in_environment(container, control->flag)))
        return NOT_EVALUATED;
    return is_met(control, given, value) ? PASSED : FAILED;
}

/* "--profiling is not false (CIS 1.2.16)" */
static struct str wrong_text(struct check_context *context, const struct control *control)
{
    static const char *const wants[] = {
        [WANT_IS] = "is not ",
        [WANT_NOT] = "is ",
        [WANT_SET] = "is not given",
        [WANT_UNSET] = "is given",
        [WANT_HAS] = "lacks ",
        [WANT_LACKS] = "has ",
        [WANT_WITHOUT] = "is not given, or has ",
        [WANT_AT_LEAST] = "is not at least ",
    };
    return arena_printf(context->arena, "--%" STR_FMT " %s%" STR_FMT " (CIS %s)",
                        STR_ARG(control->flag), wants[control->want], STR_ARG(control->value),
                        control->cis);
}

static enum verdict ask_part(struct check_context *context, const struct workload *workload)
{
    struct str part = component_control_plane(workload), wrong = {0};
    const struct container *container = container_of_part(workload, part);
    enum severity worst = SEVERITY_COUNT;
    enum verdict verdict = NOT_EVALUATED;
    for (size_t i = 0; container && i < sizeof controls / sizeof *controls; i++) {
        const struct control *control = &controls[i];
        if (&checks[control->check] != context->check || !str_eq(control->program, part))
            continue;
        enum verdict one = ask_control(container, control);
        verdict = one > verdict ? one : verdict;
        if (one != FAILED)
            continue;
        worst = control->severity < worst ? control->severity : worst;
        struct str text = wrong_text(context, control);
        wrong = arena_printf(context->arena, "%" STR_FMT "%s%" STR_FMT, STR_ARG(wrong),
                             wrong.n ? ", " : "", STR_ARG(text));
    }
    if (verdict == FAILED)
        fail_as(context, worst, container->name, "Of %" STR_FMT ", %" STR_FMT ".", STR_ARG(part),
                STR_ARG(wrong));
    return verdict;
}

enum verdict check_api_server_access(struct check_context *context, const struct workload *workload)
{
    return ask_part(context, workload);
}

enum verdict check_api_server_admission(struct check_context *context,
                                        const struct workload *workload)
{
    return ask_part(context, workload);
}

enum verdict check_api_server_audit(struct check_context *context, const struct workload *workload)
{
    return ask_part(context, workload);
}

enum verdict check_secrets_not_encrypted(struct check_context *context,
                                         const struct workload *workload)
{
    return ask_part(context, workload);
}

enum verdict check_api_server_tls(struct check_context *context, const struct workload *workload)
{
    return ask_part(context, workload);
}

enum verdict check_controller_manager_flags(struct check_context *context,
                                            const struct workload *workload)
{
    return ask_part(context, workload);
}

enum verdict check_scheduler_flags(struct check_context *context, const struct workload *workload)
{
    return ask_part(context, workload);
}

enum verdict check_etcd_tls(struct check_context *context, const struct workload *workload)
{
    return ask_part(context, workload);
}
