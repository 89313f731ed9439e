#include "kube/rbac_default.h"

#include "kube/selector.h"

#define CONTROLLER "system:controller:"

static const char *const roles[] = {
#define DEFAULT_ROLE(name) name,
#define DEFAULT_BINDING(...)
#include "kube/rbac_default.def"
#undef DEFAULT_ROLE
#undef DEFAULT_BINDING
    NULL};

static const struct default_binding {
    const char *namespace, *name, *role, *subjects;
} bindings[] = {
#define DEFAULT_ROLE(name)
#define DEFAULT_BINDING(namespace, name, role, subjects) {namespace, name, role, subjects},
#include "kube/rbac_default.def"
#undef DEFAULT_ROLE
#undef DEFAULT_BINDING
};

bool rbac_default_label(const struct object *object)
{
    return str_eq(pair_value(object->meta.labels, STR("kubernetes.io/bootstrapping")),
                  STR("rbac-defaults"));
}

bool rbac_default_role(const struct role *role)
{
    struct str name = role->object.meta.name;
    bool reserved = role->object.kind == KIND_CLUSTERROLE ||
                    str_has_prefix(role->object.meta.namespace, STR("kube-"));
    return reserved && rbac_default_label(&role->object) &&
           (str_has_prefix(name, STR(CONTROLLER)) || str_in(name, roles));
}

static bool is_account(const struct rbac_subject *subject, struct str namespace, struct str name)
{
    return str_eq(subject->kind, STR("ServiceAccount")) && str_eq(subject->name, name) &&
           str_eq(subject->namespace, namespace);
}

/* Is it the subject that a word of a row tells? */
static bool is_subject(const struct rbac_subject *subject, struct str word)
{
    struct str kind, name, namespace;
    str_cut(word, ':', &kind, &name);
    if (str_eq(kind, STR("ServiceAccount")))
        return str_cut(name, '/', &namespace, &name) && is_account(subject, namespace, name);
    return str_eq(subject->kind, kind) && str_eq(subject->name, name);
}

static bool is_named(const struct rbac_subject *subject, struct str words)
{
    struct str word;
    while (str_next_word(&words, &word))
        if (is_subject(subject, word))
            return true;
    return false;
}

/* system:controller:NAME binds the role of that name to the account NAME of kube-system. */
static bool is_of_controller(const struct role_binding *binding)
{
    const struct rbac_subject *subject;
    struct str name = binding->object.meta.name;
    if (!str_has_prefix(name, STR(CONTROLLER)) || !str_eq(binding->role_name, name))
        return false;
    LIST_EACH (subject, binding->subjects)
        if (!is_account(subject, STR("kube-system"), str_sub(name, sizeof CONTROLLER - 1, name.n)))
            return false;
    return true;
}

static bool is_row(const struct role_binding *binding, const struct default_binding *row)
{
    const struct rbac_subject *subject;
    bool wide = binding->object.kind == KIND_CLUSTERROLEBINDING;
    struct str namespace = wide ? STR("") : binding->object.meta.namespace;
    if (!str_eq(binding->object.meta.name, str_of(row->name)) ||
        !str_eq(binding->role_name, str_of(row->role)) || wide != !*row->namespace ||
        !str_eq(namespace, str_of(row->namespace)))
        return false;
    LIST_EACH (subject, binding->subjects)
        if (!is_named(subject, str_of(row->subjects)))
            return false;
    return true;
}

bool rbac_default_binding(const struct role_binding *binding)
{
    if (is_of_controller(binding))
        return true;
    for (size_t i = 0; i < sizeof bindings / sizeof *bindings; i++)
        if (is_row(binding, &bindings[i]))
            return true;
    return false;
}
