/* What must never be kept is not in the redacted copy; everything else is, byte for byte. */
#include "reading.h"

#include <json-c/json.h>
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Documents with <<what is pushed>>what is kept>> where the two differ, and ' in the place of ".
 * Every planted secret has "hush" in it. */
#define HUSH      "<<'hush'>>'[redacted]'>>"
#define META      "'metadata':{'name':'a'}"
#define ENV       "'env':[{'name':'A','value':" HUSH "},{'name':'B','value':''},{'name':'C'}]"
#define CONTAINER "{'name':'c'," ENV ",'args':['--x']}"
#define SPEC                                                                                       \
    "'spec':{'containers':[" CONTAINER "," CONTAINER "],'ephemeralContainers':[" CONTAINER         \
    "],'initContainers':[" CONTAINER "],'nodeName':'n'}"
#define RAW_SPEC    "'spec':{'containers':[{'name':'c','env':[{'name':'A','value':'hush'}]}]}"
#define APPLIED     "'kubectl.kubernetes.io/last-applied-configuration'"
#define SECRET_DATA "'data':<<{'k':'aHVzaA==','l':'hush'}>>{}>>,'stringData':<<{'k':'hush'}>>{}>>"

static const char *const documents[] = {
    /* secrets and configuration */
    "{'apiVersion':'v1','kind':'Secret'," META "," SECRET_DATA ",'type':'Opaque'}",
    "{'apiVersion':'v1'," SECRET_DATA ",'kind':'Secret'," META "}",
    "{" SECRET_DATA "," META ",'kind':'Secret','apiVersion':'v1'}",
    "{'kind':'Secret'," SECRET_DATA "}",
    "{'kind':'Secret','d\\u0061ta':<<{'a':'hush'}>>{}>>,'\\u0064\\u0061\\u0074\\u0061':"
    "<<{'a':'hush'}>>{}>>}",
    "{'kind':'Secret','data':<<{'a':'hush'}>>{}>>,'data':<<{'b':'hush'}>>{}>>}",
    "{'kind':'Secret','data':<<'hush'>>{}>>,'stringData':<<['hush',{'a':['hush']}]>>{}>>}",
    "{'kind':'Secret','data':<<1234>>{}>>,'stringData':<<true>>{}>>}",
    "{'kind':'Secret','data':null,'stringData':{}}",
    "{ 'kind' : 'Secret' ,\n 'data' : <<{ 'a' : 'hush' }>>{}>> \n}\n",
    "{'kind':'ConfigMap'," META ",'data':<<{'a':'hush\\u0000\\\\\\'','b':''}>>{}>>,"
    "'binaryData':<<{'c':'hush'}>>{}>>,'immutable':true}",
    "{'binaryData':<<{'c':'hush'}>>{}>>,'data':<<{'a':'hush'}>>{}>>,'kind':'ConfigMap'}",
    "{'apiVersion':'apps/v1','kind':'ControllerRevision','data':<<{'spec':{'template':{" RAW_SPEC
    "}}}>>{}>>,'revision':3}",
    "{'kind':'ControllerRevision','data':<<'hush'>>{}>>}",
    "{'apiVersion':'config.openshift.io/v1','kind':'ClusterOperator','metadata':{'name':'a',"
    "'managedFields':<<[{'x':'hush'}]>>[]>>,'annotations':{" APPLIED
    ":<<'hush'>>'[redacted]'>>}},'spec':{},"
    "'status':{'conditions':[{'type':'Available','status':'True','message':'m'}],"
    "'relatedObjects':[{'group':'','name':'a','resource':'namespaces'}],'extension':null}}",
    /* of extensions nothing is kept but what is read */
    "{'apiVersion':'route.openshift.io/v1','kind':'Route'," META
    ",'spec':{'host':'a.example','tls':{'termination':'edge','key':<<'hush'>>null>>,"
    "'caCertificate':<<['hush']>>null>>},'to':{'name':'web','weight':<<100>>null>>}},"
    "'status':{'ingress':[{'routerName':'r','conditions':[],'x':<<{'y':'hush'}>>null>>}]}}",
    "{'spec':{'tls':{'key':<<'hush'>>null>>}},'kind':'Route',"
    "'apiVersion':'route.openshift.io/v1'}",
    "{'apiVersion':'helm.toolkit.fluxcd.io/v2','kind':'HelmRelease'," META
    ",'spec':{'values':<<{'password':'hush'}>>null>>,'suspend':false,'chart':<<{}>>null>>},"
    "'status':{'conditions':[],'history':<<[{'x':'hush'}]>>null>>},'more':<<'hush'>>null>>,"
    "'nothing':null}",
    "{'apiVersion':'argoproj.io/v1alpha1','kind':'Application'," META
    ",'spec':{'source':<<{'helm':{'values':'hush'}}>>null>>},'operation':<<{'x':'hush'}>>null>>,"
    "'status':{'sync':{'status':'Synced','comparedTo':<<{'x':'hush'}>>null>>},'operationState':{"
    "'phase':'Failed','operation':<<{'x':'hush'}>>null>>}}}",
    "{'apiVersion':'gateway.networking.k8s.io/v1','kind':'HTTPRoute'," META
    ",'spec':{'rules':[{'backendRefs':[{'name':'web'}],'filters':<<[{'set':'hush'}]>>null>>}]}}",
    "{'apiVersion':'helm.toolkit.fluxcd.io/v2','kind':'HelmRelease','spec':<<'hush'>>null>>,"
    "'status':<<['hush']>>null>>}",
    /* environment, wherever a pod spec can be */
    "{'apiVersion':'v1','kind':'Pod'," META "," SPEC "}",
    "{" SPEC ",'kind':'Pod'}",
    "{'kind':'Deployment','spec':{'template':{" SPEC "}}}",
    "{'kind':'StatefulSet','spec':{'template':{" META "," SPEC "}}}",
    "{'kind':'DaemonSet','spec':{'template':{" SPEC "}}}",
    "{'kind':'ReplicaSet','spec':{'template':{" SPEC "}}}",
    "{'kind':'ReplicationController','spec':{'template':{" SPEC "}}}",
    "{'kind':'Job','spec':{'template':{" SPEC "}}}",
    "{'kind':'CronJob','spec':{'jobTemplate':{'spec':{'template':{" SPEC "}}}}}",
    "{'kind':'Rollout','spec':{'template':{" SPEC "}}}",
    "{'kind':'DeploymentConfig','spec':{'template':{" SPEC "}}}",
    "{'kind':'DeploymentConfig','spec':{'strategy':{'customParams':{'environment':[{'name':'A',"
    "'value':" HUSH "}]},'recreateParams':{'mid':{'execNewPod':{" ENV
    "}}},'rollingParams':{'maxSurge':1,'pre':{'execNewPod':{" ENV "}}}}}}",
    "{'kind':'Pod','spec':{'containers':[{'env':[{'value':" HUSH ",'name':'A'}]}]}}",
    "{'kind':'Pod','spec':{'containers':[{'env':[{'v\\u0061lue':" HUSH ",'value':" HUSH "}]}]}}",
    "{'kind':'Pod','spec':{'containers':[{'\\u0065nv':[{'value':" HUSH "}],'env':[{'value':" HUSH
    "}]}]},'spec':"
    "{'containers':[{'env':[{'value':" HUSH "}]}]}}",
    "{'kind':'Pod','spec':{'containers':[{'env':[{'name':'A','valueFrom':{'secretKeyRef':"
    "{'name':'s','key':'k'}}}]}]}}",
    "{'kind':'Pod','spec':{'containers':[{'env':[{'value':<<1234>>'[redacted]'>>},{'value':<<true>>"
    "'[redacted]'>>},"
    "{'value':null},{'value':<<{'x':'hush'}>>'[redacted]'>>},{'value':<<['hush']>>'[redacted]'>>},"
    "7,'x',null]}]}}",
    /* the same in places where it cannot be */
    "{'kind':'Pod','spec':{'containers':{'c':" CONTAINER "}}}",
    "{'kind':'Pod','spec':[{'containers':[" CONTAINER "]}]}",
    "{'kind':'Pod','spec':{'containers':[[" CONTAINER "]]}}",
    "{'kind':'Pod','spec':{'containers':[{'env':{'A':" HUSH ",'B':{'value':" HUSH "}}}]}}",
    /* metadata */
    "{'kind':'Pod','metadata':{'annotations':{" APPLIED
    ":<<'{\\'hush\\':1}'>>'[redacted]'>>,'a':'b'}}}",
    "{'kind':'Pod','metadata':{'annotations':{" APPLIED ":''}}}",
    "{'kind':'Pod','metadata':{'annotations':{'kubectl.kubernetes.io\\/last-applied-configuration':"
    "<<'hush'>>'[redacted]'>>,'kapp.k14s.io/"
    "original':<<'hush'>>'[redacted]'>>,'objectset.rio.cattle.io/applied':"
    "<<'hush'>>'[redacted]'>>}}}",
    "{'kind':'Pod','metadata':{'annotations':[{" APPLIED ":<<'hush'>>'[redacted]'>>}]}}",
    "{'kind':'Deployment','spec':{'template':{'metadata':{'annotations':{" APPLIED
    ":<<'hush'>>'[redacted]'>>}}}}}",
    "{'kind':'Pod','metadata':{'managedFields':<<[{'apiVersion':'v1','fieldsV1':{'f:hush':{}}}]>>"
    "[]>>,'name':'a'}}",
    "{'kind':'Pod','metadata':{'managedFields':[],'name':'a'}}",
    "{'kind':'Pod','metadata':{'managedFields':null,'name':'a'}}",
    "{'kind':'Pod','metadata':{'managedFields':<<{'hush':1}>>[]>>,'name':'a'}}",
    "{'kind':'Pod','metadata':{'managedFields':<<'hush'>>[]>>}}",
    "{'kind':'Pod','metadata':{'managedFields':<<[{'f:hush':1}]>>[]>>},'metadata':"
    "{'managedFields':<<[{'f:hush':2}]>>[]>>}}",
    "{'kind':'Deployment','spec':{'template':{'metadata':{'managedFields':<<[{'f:hush':{}}]>>[]>>,"
    "'name':'a'}}}}",
    "{'kind':'CronJob','spec':{'jobTemplate':{'metadata':{'annotations':{" APPLIED
    ":<<'hush'>>'[redacted]'>>},'managedFields':<<['hush']>>[]>>}}}}",
    "{'kind':'StatefulSet','spec':{'volumeClaimTemplates':[{'metadata':{'annotations':{" APPLIED
    ":<<'hush'>>'[redacted]'>>}}}]}}",
    "{'kind':'Pod','spec':{'volumes':[{'name':'v','ephemeral':{'volumeClaimTemplate':{'metadata':"
    "{'annotations':{" APPLIED ":<<'hush'>>'[redacted]'>>}}}}}]}}",
    /* where no such kind has it */
    "{'kind':'ControllerRevision'," META ",'spec':{'template':{" SPEC "}}}",
    "{'kind':'Pod'," META ",'template':{" SPEC "},'containers':[" CONTAINER "]}",
    "{'kind':'Pod'," META ",'spec':{'containers':[{'env':" HUSH "}]}}",
    "{'kind':'Node'," META ",'env':{'A':" HUSH "}}",
    /* what is not read */
    "{'kind':'List','items':[<<{'apiVersion':'example.com/v1','kind':'Vault','key':'hush'}>>null>>,"
    "{'kind':'Node'},<<{'token':'hush'}>>null>>,null]}",
    "{'kind':'List','extra':<<'hush'>>null>>,'items':[{'kind':'Node'}],'metadata':{'a':1}}",
    "<<{'kind':'Vault','x':'hush'}>>{}>>{'kind':'Node'}<<'hush'>>{}>><<'hush'>>{}>> <<7>>{}>> "
    "null{}",
    "[<<{'kind':'Vault','x':'hush'}>>null>>,{'kind':'Node'}]",
    "{'foo':<<'hush'>>null>>,'apiVersion':<<'hush'>>null>>}{'kind':'Node'}",
    "{'kind':'VaultList','apiVersion':'x/v1','items':[<<{'metadata':{'name':'hush'}}>>null>>]}"
    "{'kind':'Node'}",
    /* collections */
    "{'secrets':[{" META "," SECRET_DATA "}],'pods':{'items':[{" META "," SPEC "}]}}",
    "{'configmaps':{'items':[{" META ",'data':<<{'a':'hush'}>>{}>>}],'kind':'ConfigMapList'}}",
    "{'vaults':<<[{'a':'hush'}]>>null>>,'nodes':[{" META "}],'token':<<'hush'>>null>>,"
    "'at':<<12>>null>>,'x':null,'more':<<{'a':'hush'}>>null>>}",
    "{'pods':[<<{" META ",'data':{'a':'hush'},'kind':'Secret','apiVersion':'v1'}>>null>>,"
    "{" META "," SPEC "}]}",
    "{'pods':[<<{'kind':'Vault','a':'hush'}>>null>>,{'kind':'Secret'," SECRET_DATA "}]}",
    /* summary items */
    "{'pods':[{'name':'a','status':'Running','containers':[" CONTAINER "],'env':{'A':" HUSH
    ",'B':null},'extra':{'deep':[{" ENV "}]}}]}",
    "{'secrets':[{'name':'a','data':<<{'a':'hush'}>>{}>>}],'pods':[{'name':'b'," SPEC "}]}",
    "{'deployments':[{'name':'a','annotations':{" APPLIED
    ":<<'hush'>>'[redacted]'>>},'managedFields':"
    "<<[{'x':'hush'}]>>[]>>,'template':{" SPEC "}}]}",
    /* what was cut says what it was, where a name promises a secret, or a server without one */
    "{'kind':'Pod','spec':{'containers':[{'env':[{'name':'DB_PASSWORD','value':<<'hush-Xk29fjQ8'>>"
    "'[redacted] looks like a credential'>>},{'name':'DB_PASSWORD_FILE','value':<<'/hush'>>"
    "'[redacted]'>>},{'value':<<'hush-Xk29fjQ8'>>'[redacted]'>>,'name':'DB_PASSWORD'},"
    "{'name':'MYSQL_ALLOW_EMPTY_PASSWORD','value':<<'yes'>>'[redacted] asks for no password'>>},"
    "{'name':'MYSQL_ALLOW_EMPTY_PASSWORD','value':<<'no'>>'[redacted]'>>},"
    "{'name':'DB_PASSWORD','value':''}]}]}}",
    /* nothing to redact */
    "{'kind':'Pod','spec':{'containers':[{'env':[{'name':'DB_PASSWORD','value':'[redacted] looks "
    "like a credential'},{'name':'A_TOKEN','value':'[redacted]'},{'name':'PASSWORD','value':"
    "'[redacted] asks for no password'}]}]}}",
    "{'apiVersion':'v1','kind':'List','items':[{'kind':'Pod'," META ",'spec':{'containers':[{'env':"
    "[{'name':'A','value':''}]}]}},{'kind':'Secret','data':{}},{'kind':'Node'," META "}]}",
    "{'pods':[{" META "}],'nodes':[]}",
};

struct pair_of_texts {
    struct str pushed, kept;
};

static void put_quoted(struct buf *out, char c)
{
    buf_putc(out, c == '\'' ? '"' : c);
}

static struct pair_of_texts expand(struct arena *arena, const char *document)
{
    struct buf pushed = buf_init(arena, SIZE_MAX), kept = buf_init(arena, SIZE_MAX);
    enum { BOTH, PUSHED, KEPT } part = BOTH;
    for (const char *p = document; *p; p++) {
        if ((part == BOTH && p[0] == '<' && p[1] == '<') ||
            (part != BOTH && p[0] == '>' && p[1] == '>')) {
            part = part == KEPT ? BOTH : part + 1;
            p++;
            continue;
        }
        if (part != KEPT)
            put_quoted(&pushed, *p);
        if (part != PUSHED)
            put_quoted(&kept, *p);
    }
    return (struct pair_of_texts){buf_str(&pushed), buf_str(&kept)};
}

/* Is it JSON, one value after another, to another parser too? */
static void parses(struct str text)
{
    struct json_tokener *tokener = json_tokener_new();
    json_tokener_set_flags(tokener, JSON_TOKENER_VALIDATE_UTF8);
    for (size_t at = 0; at < text.n;) {
        struct json_object *value = json_tokener_parse_ex(tokener, text.p + at, (int)(text.n - at));
        enum json_tokener_error error = json_tokener_get_error(tokener);
        json_object_put(value);
        at += json_tokener_get_parse_end(tokener);
        if (error == json_tokener_continue && at == text.n)
            break; /* white space at the end */
        if (error != json_tokener_success)
            fail_msg("%s in %" STR_FMT, json_tokener_error_desc(error), STR_ARG(text));
    }
    json_tokener_free(tokener);
}

static void is_redacted(struct pair_of_texts texts, size_t piece)
{
    struct reading reading = reading_of(texts.pushed, READING_REDACT, piece);
    if (!str_eq(reading.redacted, texts.kept))
        fail_msg("in pieces of %zu\n  pushed: %" STR_FMT "\n    kept: %" STR_FMT
                 "\nexpected: %" STR_FMT,
                 piece, STR_ARG(texts.pushed), STR_ARG(reading.redacted), STR_ARG(texts.kept));
    assert_false(str_has(reading.redacted, STR("hush")));
    parses(reading.redacted);

    struct reading again = reading_of(reading.redacted, READING_PLAIN, piece);
    assert_non_null(reading.cluster);
    assert_non_null(again.cluster);
    assert_memory_equal(again.cluster->counts, reading.cluster->counts,
                        sizeof again.cluster->counts);
    reading_close(&again);
    reading_close(&reading);
}

static void redacted(void **state)
{
    static const size_t pieces[] = {0, 1, 2, 3, 5, 7, 64, 100};
    (void)state;
    struct arena *arena = arena_new(1 << 20);
    for (size_t i = 0; i < COUNT(documents); i++) {
        struct pair_of_texts texts = expand(arena, documents[i]);
        for (size_t k = 0; k < COUNT(pieces); k++)
            is_redacted(texts, pieces[k]);
        arena_reset(arena);
    }
    arena_free(arena);
}

/* All of them in one document, so that windows, marks and replacements meet everywhere. */
static void redacted_in_a_long_document(void **state)
{
    (void)state;
    struct arena *arena = arena_new(64 << 20);
    struct buf pushed = buf_init(arena, SIZE_MAX), kept = buf_init(arena, SIZE_MAX);
    for (int round = 0; round < 40; round++)
        for (size_t i = 0; i < COUNT(documents); i++) {
            struct pair_of_texts texts = expand(arena, documents[i]);
            buf_put(&pushed, texts.pushed);
            buf_put(&kept, texts.kept);
        }
    is_redacted((struct pair_of_texts){buf_str(&pushed), buf_str(&kept)}, 0);
    is_redacted((struct pair_of_texts){buf_str(&pushed), buf_str(&kept)}, 4099);
    arena_free(arena);
}

/* Pods of a few owners, one after another: their texts repeat each other, and what is jumped over
 * must be redacted as it was the first time (repeat_cache.h). */
static void redacted_when_it_repeats(void **state)
{
    (void)state;
    struct arena *arena = arena_new(64 << 20);
    struct buf text = buf_init(arena, SIZE_MAX);
    buf_put(&text, STR("{'kind':'List','items':["));
    for (unsigned i = 0; i < 600; i++)
        buf_printf(
            &text,
            "%s{'apiVersion':'v1','kind':'Pod','metadata':{'name':'p-%u','labels':{'app.kuber"
            "netes.io/name':'a-%u'}},'spec':{'containers':[{'env':[{'name':'LONG_ENOUGH_NAME',"
            "'value':<<'hush-%u'>>'[redacted]'>>},{'name':'B','value':<<'hush'>>'[redacted]'>>},{'"
            "name':'C','value':"
            "''}],'image':'registry.example.com/a:%u','volumeMounts':[{'mountPath':'/etc/a/path',"
            "'name':'config'},{'mountPath':'/var/run/secrets','name':'kube-api-access-%u'}]},"
            "{'env':[{'name':'LONG_ENOUGH_NAME','value':<<'hush'>>'[redacted]'>>}],'name':'sidecar-"
            "%u'}]}}",
            i ? "," : "", i, i / 7, i / 7, i / 3, i, i % 2);
    buf_put(&text, STR("]}"));
    struct pair_of_texts texts = expand(arena, arena_str(arena, buf_str(&text)).p);
    static const size_t pieces[] = {0, 1, 1000, 4099};
    for (size_t i = 0; i < COUNT(pieces); i++)
        is_redacted(texts, pieces[i]);
    arena_free(arena);
}

/* Without a sink: reading stops where something would have to be redacted, and only there. */
static void found(void **state)
{
    (void)state;
    struct arena *arena = arena_new(1 << 20);
    for (size_t i = 0; i < COUNT(documents); i++) {
        struct pair_of_texts texts = expand(arena, documents[i]);
        struct reading pushed = reading_of(texts.pushed, READING_FIND, 1);
        struct reading kept = reading_of(texts.kept, READING_FIND, 0);
        bool sensitive = !str_eq(texts.pushed, texts.kept);
        if ((pushed.error.code == SNAPSHOT_E_SENSITIVE) != sensitive || !kept.cluster)
            fail_msg("%d %d: %" STR_FMT, (int)pushed.error.code, (int)kept.error.code,
                     STR_ARG(texts.pushed));
        reading_close(&pushed);
        reading_close(&kept);
        arena_reset(arena);
    }
    arena_free(arena);
}

/* Small pieces wait for one another, so what is written may come in one. */
static bool refuse(void *context, struct str bytes)
{
    (void)bytes;
    ++*(int *)context;
    return false;
}

static void sink_refuses(void **state)
{
    (void)state;
    int calls = 0;
    struct arena *arena = arena_new(1 << 20);
    struct pair_of_texts texts = expand(arena, documents[0]);
    struct sink sink = {refuse, &calls};
    struct snapshot_error error;
    assert_null(snapshot_read(arena, source_of(&texts.pushed),
                              &(struct snapshot_options){.redacted = &sink}, &error));
    assert_int_equal(error.code, SNAPSHOT_E_JSON);
    assert_int_equal(error.json.code, JR_E_SOURCE);
    assert_int_equal(calls, 1);
    arena_free(arena);
}

/* Twice a kind, the first one believed: nothing may pass on that belief. */
static void kind_twice(void **state)
{
    static const char document[] =
        "{'apiVersion':'v1','kind':'Pod','data':{'a':'hush'},'kind':'Secret'}{'kind':'Node'}";
    (void)state;
    struct reading reading = reading_open(document, READING_PLAIN, 0);
    assert_text(reading_counts(&reading), "Node 1; unknown 1");
    reading_close(&reading);
    reading = reading_open(document, READING_FIND, 0);
    assert_int_equal(reading.error.code, SNAPSHOT_E_SENSITIVE);
    reading_close(&reading);
    reading = reading_open(document, READING_REDACT, 0);
    assert_null(reading.cluster);
    assert_int_equal(reading.error.code, SNAPSHOT_E_JSON);
    assert_int_equal(reading.error.json.code, JR_E_SYNTAX);
    reading_close(&reading);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(redacted),
        cmocka_unit_test(redacted_in_a_long_document),
        cmocka_unit_test(redacted_when_it_repeats),
        cmocka_unit_test(found),
        cmocka_unit_test(sink_refuses),
        cmocka_unit_test(kind_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
