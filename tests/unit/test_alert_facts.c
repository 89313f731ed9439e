/* alert: what a judged snapshot tells of its score and its deployments. */
#include "alert/alert.h"
#include "base/buf.h"
#include "reading.h"
#include "scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h> /* after check.h: both have a fail() */

#define DEPLOYMENT(name, spec, status)                                                             \
    "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'" name                        \
    "','namespace':'shop'},'spec':{" spec "},'status':{" status "}}"
#define LIST_OF(items) "{'kind':'List','apiVersion':'v1','items':[" items "]}"
#define A_POD                                                                                      \
    "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'p','namespace':'shop'},'spec':{},"        \
    "'status':{'phase':'Running'}}"
#define A_SERVICE                                                                                  \
    "{'apiVersion':'v1','kind':'Service','metadata':{'name':'s','namespace':'shop'},'spec':{}}"

static void facts_are_what_the_snapshot_tells(void **state)
{
    (void)state;
    static const struct {
        const char *document;
        bool apps_known;
        const char *apps;
    } rows[] = {
        {LIST_OF(
             DEPLOYMENT("web", "'replicas':3", "'replicas':3,'availableReplicas':2") "," DEPLOYMENT(
                 "api", "'replicas':3", "'replicas':3")),
         true, "shop/api 0/3, shop/web 2/3"},
        {LIST_OF(DEPLOYMENT("api", "", "'observedGeneration':1")), true, "shop/api 0/1"},
        {LIST_OF(DEPLOYMENT("api", "'replicas':0", "'observedGeneration':1")), true,
         "shop/api 0/0"},
        /* a manifest has no status, and a summary says what it knows */
        {LIST_OF(DEPLOYMENT("api", "'replicas':3", "")), true, "shop/api ?"},
        {"{'deployments':[{'name':'api','namespace':'shop','replicas':3,'readyReplicas':0}]}", true,
         "shop/api 0/3"},
        {"{'deployments':[{'name':'api','namespace':'shop','replicas':3}]}", true, "shop/api ?"},
        {"{'deployments':[],'pods':[{'name':'p','namespace':'shop','phase':'Running'}]}", true, ""},
        /* who asks for nodes has not asked for deployments; who asks for pods and services has */
        {"{'apiVersion':'v1','kind':'Node','metadata':{'name':'n'}}", false, ""},
        {"{'pods':[{'name':'p','namespace':'shop','phase':'Running'}]}", false, ""},
        {LIST_OF(A_POD "," A_SERVICE), true, ""},
        /* a pod's owner that is not in the snapshot, and other kinds */
        {"{'apiVersion':'v1','kind':'Pod','metadata':{'name':'p','namespace':'shop','"
         "ownerReferences':"
         "[{'apiVersion':'apps/v1','kind':'Deployment','name':'api','uid':'u','controller':true}]},"
         "'status':{'phase':'Pending'}}",
         false, ""},
        {LIST_OF("{'apiVersion':'apps/"
                 "v1','kind':'StatefulSet','metadata':{'name':'db','namespace':'shop'},"
                 "'spec':{'replicas':1},'status':{'replicas':1}}"),
         true, ""},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct reading reading = reading_open(rows[i].document, READING_PLAIN, 0);
        assert_non_null(reading.cluster);
        struct score_policy policy = score_policy_default();
        struct ledger *ledger = score(arena, reading.cluster, &policy, 1764547200000);
        struct alert_facts facts =
            alert_facts(arena, STR("production"), reading.cluster, ledger, true);
        struct buf out = buf_init(arena, 1024);
        const struct alert_app *app;
        LIST_EACH (app, facts.apps) {
            buf_printf(&out, "%s%" STR_FMT " ", out.n ? ", " : "", STR_ARG(app->subject));
            if (app->known)
                buf_printf(&out, "%lld/%lld", (long long)app->available, (long long)app->desired);
            else
                buf_putc(&out, '?');
        }
        assert_text(out.n ? buf_str(&out) : STR(""), rows[i].apps);
        assert_int_equal(facts.apps_known, rows[i].apps_known);
        assert_int_equal(facts.score, ledger->csc_score);
        assert_int_equal(facts.risks, ledger->risks.n);
        assert_int_equal(alert_facts(arena, STR("c"), reading.cluster, ledger, false).apps.n, 0);
        reading_close(&reading);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(facts_are_what_the_snapshot_tells),
    };
    return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
