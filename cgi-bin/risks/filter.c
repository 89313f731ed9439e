#include "filter.h"

#include "web/param.h"

enum { NAMESPACE_MAX = 253, CHECK_MAX = 64, ANY_OF = -1 };

static enum error read_name(struct request *r, const char *parameter, struct str (*name)(int index),
                            int count, int *index)
{
    struct str value = request_param(r, parameter);
    *index = ANY_OF;
    for (int i = 0; value.n && i < count; i++)
        if (str_eq(value, name(i)))
            *index = i;
    if (value.n == 0 || *index != ANY_OF)
        return ERR_OK;
    struct buf names = buf_init(r->arena, 256);
    for (int i = 0; i < count; i++)
        buf_printf(&names, "%s%s", i == 0 ? "" : i == count - 1 ? " or " : ", ", name(i).p);
    return refuse_field(r, ERR_INVALID_FIELD, parameter, "must be %" STR_FMT ".",
                        STR_ARG(buf_str(&names)));
}

static struct str name_of_category(int index)
{
    return category_name((enum category)index);
}

static struct str name_of_severity(int index)
{
    return severity_name((enum severity)index);
}

enum error filter_read(struct request *r, struct filter *filter)
{
    enum error e = read_name(r, "category", name_of_category, CATEGORY_COUNT, &filter->category);
    if (!e)
        e = read_name(r, "severity", name_of_severity, SEVERITY_COUNT, &filter->severity);
    if (!e)
        e = param_text(r, "check", CHECK_MAX, &filter->check);
    return e ? e : param_text(r, "namespace", NAMESPACE_MAX, &filter->namespace);
}

bool filter_passes(const struct filter *filter, const struct risk *risk)
{
    return (filter->category == ANY_OF || (int)risk->check->category == filter->category) &&
           (filter->severity == ANY_OF || (int)risk->severity == filter->severity) &&
           (!filter->check.p || str_eq(filter->check, str_of(risk->check->id))) &&
           (!filter->namespace.p || str_eq(filter->namespace, risk->namespace));
}
