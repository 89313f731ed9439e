#include "score/checks.h"

const struct check checks[] = {
#define CHECK(function_, id_, category_, severity_, subject_, cause_, kinds_, needs_, sees_,       \
              title_, recommendation_, frameworks_)                                                \
    [CHECK_##function_] = {                                                                        \
        .id = id_,                                                                                 \
        .category = CATEGORY_##category_,                                                          \
        .severity = SEVERITY_##severity_,                                                          \
        .subject = SUBJECT_##subject_,                                                             \
        .cause = CAUSE_##cause_,                                                                   \
        .kinds = kinds_,                                                                           \
        .needs = needs_,                                                                           \
        .sees = SEES_##sees_,                                                                      \
        .function.subject_ = check_##function_,                                                    \
        .title = title_,                                                                           \
        .recommendation = recommendation_,                                                         \
        .frameworks = frameworks_,                                                                 \
    },
#include "score/checks.def"
#undef CHECK
};

const struct check *check_find(struct str id)
{
    for (int i = 0; i < CHECK_COUNT; i++)
        if (str_eq(str_of(checks[i].id), id))
            return &checks[i];
    return NULL;
}

bool check_is_known(const struct check *check)
{
    return check >= checks && check < checks + CHECK_COUNT;
}

struct str category_name(enum category category)
{
    static const char *const names[] = {"policy", "runtime", "history", "health"};
    assert(category < CATEGORY_COUNT);
    return str_of(names[category]);
}

struct str severity_name(enum severity severity)
{
    static const char *const names[] = {"critical", "high", "medium", "low"};
    assert(severity < SEVERITY_COUNT);
    return str_of(names[severity]);
}

const char *cause_text(enum cause cause)
{
    static const char *const texts[] = {
        [CAUSE_none] = "",
#define CAUSE(id, text) [CAUSE_##id] = text,
#include "score/causes.def"
#undef CAUSE
    };
    return texts[cause];
}
