#include "pods.h"

#include "base/buf.h"

/* ' stands for ". */
static const char *const specs[PODS_SPECS] = {
    "{'nodeName':'n','containers':[{'name':'c','image':'i:1','securityContext':{'runAsUser':0},"
    "'volumeMounts':[{'name':'data','mountPath':'/var/lib/data'}]}],'serviceAccountName':'a'}",
    "{'nodeName':'n','containers':[{'name':'c','image':'i:1','env':[{'name':'MODE','value':'x'},"
    "{'name':'EMPTY','value':''},{'name':'LEVEL','value':'hush-hush'}],'image':'i:1'}]}",
    "{'nodeName':'n','containers':[{'name':'c','image':'i:1','env':[{'name':'MODE','value':'y'},"
    "{'name':'EMPTY','value':''},{'name':'LEVEL','value':'hush-hush'}],'image':'i:1'}]}",
    "{'initContainers':[{'name':'s','restartPolicy':'Always'},{'name':'i'}],'containers':"
    "[{'name':'c'}],'ephemeralContainers':[{'name':'e','env':[{'name':'X-Api-Key','value':'k'}]}]}",
    /* something is cut of it */
    "{'containers':[{'name':'c','args':['--password=correct-horse-battery-9']}]}",
    "{}",
    "null",
    "['nodeName','n']",
    "{'template':{'spec':{'containers':[{'env':[{'name':'A','value':'b'}]}]}},'env':'hush-hush',"
    "'containers':'none','nodeName':'n','nodeName':'m','x':[[[[[{'a':{'b':{}}}]]]]]}",
    /* marks of secrets in what is none */
    "{'containers':[{'name':'password','args':['--token',['x']],'ports':[{'name':'secret',"
    "'containerPort':80}]}],'volumes':[{'name':'token','secret':{'secretName':'token'}}]}",
    "{'containers':[{'name':'c','image':'i:\\u0031','command':['a\\\\b']}],'nodeName':'\\\"n'}",
};

/* M: metadata, S: the spec, O: the other one, T: the status. No other text has these letters. */
static const char *const forms[PODS_FORMS] = {
    "{'apiVersion':'v1','kind':'Pod',M,'spec':S,T}",
    "{'apiVersion':'v1','kind':'Pod','spec': S ,M,T}",
    "{'kind':'Pod','apiVersion':'v1',T,M,'spec':S}",
    "{'apiVersion':'v1','kind':'Pod',M,'spec':S,'spec':O,T}",
    "{'apiVersion':'v1','kind':'Pod',M,'spec':O,T,'spec':S}",
    "{M,'spec':S,T,'kind':'Pod','apiVersion':'v1'}",
    "{M,'spec':S,T}",
    "{'apiVersion':'v1','kind':'Pod',M,'name':'X-Api-Key','value':{'spec':S},'spec':S,T}",
    "{'apiVersion':'v1','kind':'Pod','spec':S}",
};

static void put_part(struct buf *text, struct arena *arena, const struct pod_parts *parts, char c)
{
    unsigned state = parts->state % 10;
    switch (c) {
    case 'M':
        buf_put(text, arena_printf(arena,
                                   "'metadata':{'name':'p-%u','namespace':'s',"
                                   "'resourceVersion':'%u','labels':{'app':'a'}}",
                                   parts->name % PODS_NAMES, state));
        break;
    case 'S':
        buf_put(text, str_of(specs[parts->spec % PODS_SPECS]));
        break;
    case 'O':
        buf_put(text, str_of(specs[parts->other % PODS_SPECS]));
        break;
    case 'T':
        buf_put(text, arena_printf(arena,
                                   "'status':{'phase':'Running','containerStatuses':[{"
                                   "'name':'c','restartCount':%u},{'name':'s'}]}",
                                   state));
        break;
    default:
        buf_putc(text, c);
    }
}

struct str pods_text(struct arena *arena, struct pod_parts parts)
{
    struct buf text = buf_init(arena, SIZE_MAX);
    const char *form = forms[parts.form % PODS_FORMS];
    for (; *form; form++)
        put_part(&text, arena, &parts, *form);
    for (size_t i = 0; i < text.n; i++)
        if (text.p[i] == '\'')
            text.p[i] = '"';
    return buf_str(&text);
}
