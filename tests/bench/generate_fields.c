#include "generate_maker.h"

/* {"f:name": {}, ...} for every name of a list. */
static void put_fields(struct jw *w, const char *names)
{
    struct str rest = str_of(names), name;
    while (rest.p && rest.n) {
        str_cut(rest, ' ', &name, &rest);
        jw_key(w, name);
        jw_object(w);
        jw_object_end(w);
    }
}

static void put_field_list(struct maker *m, const char *key, unsigned count, const char *names)
{
    struct jw *w = &m->w;
    begin(w, key);
    put_fields(w, ".");
    for (unsigned i = 0; i < count; i++) {
        struct str name = maker_variable(m, i);
        jw_key(w, arena_printf(m->arena, "k:{\"name\":\"%" STR_FMT "\"}", STR_ARG(name)));
        jw_object(w);
        put_fields(w, ".");
        put_fields(w, names);
        jw_object_end(w);
    }
    jw_object_end(w);
}

void put_manager(struct maker *m, const char *manager, int64_t when)
{
    struct jw *w = &m->w;
    jw_object(w);
    put_pairs(w, "apiVersion=v1 fieldsType=FieldsV1");
    begin(w, "fieldsV1");
    begin(w, "f:metadata");
    begin(w, "f:labels");
    put_fields(w, ". f:app.kubernetes.io/name f:app.kubernetes.io/part-of f:environment f:tier");
    jw_object_end(w);
    jw_object_end(w);
    begin(w, "f:spec");
    begin(w, "f:containers");
    for (int i = 0; i < 2; i++) {
        begin(w, i ? "k:{\"name\":\"sidecar\"}" : "k:{\"name\":\"service\"}");
        put_fields(w, ". f:image f:imagePullPolicy f:name f:resources f:terminationMessagePath");
        put_field_list(m, "f:env", i ? VARIABLES - SERVICE_VARIABLES : SERVICE_VARIABLES,
                       "f:name f:value");
        put_field_list(m, "f:volumeMounts", 6, "f:mountPath f:name f:readOnly");
        jw_object_end(w);
    }
    jw_object_end(w);
    put_fields(w, "f:dnsPolicy f:enableServiceLinks f:restartPolicy f:schedulerName");
    put_field_list(m, "f:volumes", 6, "f:name f:configMap");
    jw_object_end(w);
    jw_object_end(w);
    JW_STR(w, "manager", str_of(manager));
    put_pairs(w, "operation=Update");
    put_time(w, "time", when);
    jw_object_end(w);
}
