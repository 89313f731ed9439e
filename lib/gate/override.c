#include "gate/override.h"

static bool covers(const struct override *override, const str_list *namespaces)
{
    const struct str *namespace;
    if (!override->namespace.n)
        return true;
    LIST_EACH (namespace, *namespaces)
        if (!str_eq(*namespace, override->namespace))
            return false;
    return namespaces->n > 0;
}

static bool lasts_longer(const struct override *a, const struct override *b)
{
    return a->until != b->until ? a->until > b->until : str_cmp(a->id, b->id) < 0;
}

const struct override *override_for(const override_list *overrides, const str_list *namespaces,
                                    int64_t now)
{
    const struct override *override, *found = NULL;
    LIST_EACH (override, *overrides)
        if (override->until > now && covers(override, namespaces) &&
            (!found || lasts_longer(override, found)))
            found = override;
    return found;
}

void override_write(struct jw *w, const struct override *override)
{
    jw_object(w);
    JW_STR(w, "id", override->id);
    JW_STR_OR_NULL(w, "namespace", override->namespace);
    JW_STR(w, "by", override->by);
    JW_STR(w, "reason", override->reason);
    JW_TIME(w, "until", override->until);
    jw_object_end(w);
}
