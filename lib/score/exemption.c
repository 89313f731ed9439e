#include "score/exemption.h"

#include "kube/kinds.h"

static bool is_of(const struct exemption *exemption, struct str namespace, struct str resource)
{
    struct str name;
    if (exemption->namespace.n && !str_eq(exemption->namespace, namespace))
        return false;
    if (!exemption->workload.n)
        return true;
    str_cut(resource, '/', NULL, &name);
    bool has_kind = memchr(exemption->workload.p, '/', exemption->workload.n) != NULL;
    return str_eq(exemption->workload, has_kind ? resource : name);
}

const struct exemption *exemption_find(const exemption_list *list, const struct check *check,
                                       struct str namespace, struct str resource)
{
    const struct exemption *exemption, *found = NULL;
    LIST_EACH (exemption, *list)
        if (exemption->check == check && is_of(exemption, namespace, resource) &&
            (!found || exemption->expires > found->expires))
            found = exemption;
    return found;
}

int64_t exemption_end(struct str text)
{
    enum { DAY_LENGTH = 10 };
    char full[sizeof "2027-03-31T00:00:00Z"];
    if (text.n != DAY_LENGTH)
        return clock_parse(text);
    snprintf(full, sizeof full, "%.10sT00:00:00Z", text.p);
    int64_t start = clock_parse(str_of(full));
    return start == TIME_NONE ? TIME_NONE : start + CLOCK_DAY;
}

/* As risks write a kind, whatever kubectl takes for it; of a kind that is not read the word itself.
 */
static struct str kind_of_word(struct str word)
{
    enum kind kind = kind_of_workload(word);
    if (kind == KIND_NONE)
        kind = kind_of_collection(word);
    return kind == KIND_NONE ? word : kind_name(kind);
}

static bool is_word(struct str text)
{
    for (size_t i = 0; i < text.n; i++)
        if ((unsigned char)text.p[i] <= ' ' || text.p[i] == 0x7f)
            return false;
    return text.n > 0;
}

struct str exemption_resource(struct arena *arena, struct str text)
{
    struct str kind, name;
    if (!is_word(text))
        return (struct str){0};
    if (!str_cut(text, '/', &kind, &name))
        return text;
    kind = kind_of_word(kind);
    return kind.n && name.n ? kind_resource(arena, kind, name) : (struct str){0};
}
