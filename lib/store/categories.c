#include "store/categories.h"

#include <json-c/json.h>

#include "report/report.h"

enum { TEXT_MAX = 1000 };

struct str categories_text(struct arena *arena, const struct category_result *categories)
{
    struct buf out = buf_init(arena, TEXT_MAX);
    struct jw w;
    jw_init(&w, &out);
    report_categories(&w, categories);
    assert(!out.full);
    return buf_str(&out);
}

static uint32_t number_in(struct json_object *object, const char *name, double scale)
{
    struct json_object *member = NULL;
    json_object_object_get_ex(object, name, &member);
    double number = json_object_get_double(member) * scale + 0.5;
    return number > 0 && number < UINT32_MAX ? (uint32_t)number : 0;
}

void categories_read(struct str json, struct category_result categories[CATEGORY_COUNT])
{
    struct json_tokener *tokener = json_tokener_new();
    struct json_object *all = tokener ? json_tokener_parse_ex(tokener, json.p, (int)json.n) : NULL;
    for (enum category category = 0; category < CATEGORY_COUNT; category++) {
        struct json_object *one = NULL;
        json_object_object_get_ex(all, category_name(category).p, &one);
        categories[category] =
            (struct category_result){.lost = number_in(one, "lost", 100),
                                     .hazard = number_in(one, "hazard", 10000),
                                     .checks = number_in(one, "checks", 1),
                                     .evaluated = number_in(one, "evaluated", 1)};
    }
    json_object_put(all);
    if (tokener)
        json_tokener_free(tokener);
}

void categories_write(struct jw *w, struct str json)
{
    struct category_result categories[CATEGORY_COUNT];
    if (str_has(json, STR("\"hazard\"")) && !str_has(json, STR("\"budget\""))) {
        jw_raw(w, json);
        return;
    }
    categories_read(json, categories);
    report_categories(w, categories);
}
