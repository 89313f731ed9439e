#include "kube/control_plane.h"

struct str control_plane_program(struct str word)
{
    static const char *const programs[] = {"kube-apiserver", "kube-controller-manager",
                                           "kube-scheduler", "etcd"};
    struct str directory, name;
    if (!str_cut_last(word, '/', &directory, &name))
        name = word;
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        if (str_eq(name, str_of(programs[i])))
            return str_of(programs[i]);
    return (struct str){0};
}

bool control_plane_is_flag(struct str word)
{
    return str_has_prefix(word, STR("-"));
}

bool control_plane_flag(struct str word, struct str *name, struct str *value)
{
    if (!control_plane_is_flag(word))
        return false;
    word = str_sub(word, str_has_prefix(word, STR("--")) ? 2 : 1, word.n);
    if (!str_cut(word, '=', name, value)) {
        *name = word;
        *value = (struct str){NULL, 0};
    }
    return name->n > 0;
}

bool control_plane_flag_is(struct str name, struct str wanted)
{
    for (size_t i = 0; i < name.n && i < wanted.n; i++)
        if ((name.p[i] == '_' ? '-' : name.p[i]) != wanted.p[i])
            return false;
    return name.n == wanted.n;
}

bool control_plane_flag_is_read(struct str word)
{
    static const struct str names[] = {
#define CONTROL(check, cis, program, severity, flag, want, value, unless) STR(flag), STR(unless),
#include "kube/control_plane.def"
#undef CONTROL
    };
    struct str name, value;
    if (!control_plane_flag(word, &name, &value))
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].n && control_plane_flag_is(name, names[i]))
            return true;
    return false;
}
