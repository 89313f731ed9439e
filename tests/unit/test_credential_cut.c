/* What is cut out of text, and what never is. */
#include "base/buf.h"
#include "base/triplets.h"
#include "kube/credential_cut.h"
#include "ordinary_env.h"
#include "ordinary_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Texts with <<secrets>> in them. They are made up, in the shapes of real ones. */
static const char *const secrets[] = {
    /* options */
    "--password=<<hunter2>>",
    "--password <<hunter2>> --verbose",
    "-password <<hunter2>>",
    "--token=<<abc>> --v=2",
    "--from-literal=password=<<s3cr3t!>>",
    "--set auth.rootPassword=<<hunter2>>,auth.username=app",
    "-Dspring.datasource.password=<<p@ss>> -jar app.jar",
    "--client-secret=<<ab-cd-ef>>",
    "--secret=<<hunter2>>",
    "--api-key='<<it is one>>' --x",
    "--admin-password=\"<<two words>>\" next",
    /* variables */
    "PGPASSWORD=<<hunter2>> psql -h db -U app",
    "export DB_PASSWORD='<<a b>>'; ./run",
    "MYSQL_PWD=<<x>>; mysqldump shop",
    "AWS_SECRET_ACCESS_KEY=<<wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY>>",
    "redis password = <<hunter2>>",
    /* tools */
    "curl -u ci:<<hunter2>> https://example.com/x",
    "curl -sS --user 'ci:<<hunter2>>' https://example.com | jq .",
    "curl -uci:<<hunter2>> https://example.com",
    "/usr/bin/curl -H \"Authorization: Bearer <<abc123def456>>\" -u a:<<b>> https://x",
    "curl https://example.com/login -u ci:<<hunter2>>",
    "mysql -uroot -p<<hunter2>> -e 'select 1'",
    "mysqladmin ping -h 127.0.0.1 -p<<hunter2>>",
    "mariadb-admin ping -h 127.0.0.1 -p<<hunter2>>",
    "/usr/bin/mariadb-import -uroot -p'<<hunter2>>' shop items.csv",
    "redis-cli -a <<hunter2>> ping",
    "sshpass -p <<hunter2>> ssh a@b",
    "docker login -u ci -p <<hunter2>> registry.example.com",
    "docker login -u=ci -p=<<hunter2>> registry.example.com",
    "docker login -u ci -p=\"<<hunter2>>\" registry.example.com",
    "curl -su ci:<<hunter2>> https://example.com",
    "curl -fsSLu 'ci:<<hunter2>>' https://example.com",
    "curl -sSuci:<<hunter2>> https://example.com",
    "mysql -u root -p'<<hunter2 x>>' -e 'select 1'",
    "mysql -uroot -p\"<<hunter2>>\" shop",
    "sh -c \\\"mysql -uroot -p\\\"<<hunter2>>\\\" shop\\\"",
    "sshpass -p'<<hunter2>>' ssh a@b",
    "mongosh -u root -p <<hunter2>> --eval 1",
    "redis-server --requirepass <<hunter2>> --masterauth <<hunter3>>",
    "keytool -storepass <<hunter2>> -keypass <<hunter3>>",
    "mysql -e \"CREATE USER 'app'@'%' IDENTIFIED BY '<<hunter2>>'; FLUSH PRIVILEGES\"",
    "mysql -e 'alter user app identified by \"<<hunter2 x>>\"'",
    "{\"sql\":\"CREATE USER app IDENTIFIED WITH caching_sha2_password BY \\\"<<x>>\\\";\"}",
    /* headers */
    "Authorization: Bearer <<abc.def-ghi1>>",
    "authorization: token <<0123456789abcdef>>",
    "-H 'Authorization: Basic <<dXNlcjpodW50ZXIy>>'",
    "{\"Authorization\":\"Bearer <<abc123>>\"}",
    "Basic <<dXNlcjpodW50ZXIy>>",
    "curl -H \"Authorization: Basic <<dXNlcjpodW50ZXI=>>\" -H \"Accept: x\" https://x",
    "{\"Authorization\":\"Basic <<dXNlcjpodW50ZXI=>>\",\"Accept\":\"x\"}",
    "{\\\"Authorization\\\":\\\"Basic <<dXNlcjpodW50ZXI=>>\\\",\\\"Accept\\\":\\\"x\\\"}",
    "Authorization: Token <<token=\"abc123\", nonce=\"x\">>\nAccept: x",
    "{\"h\":\"Authorization: Digest <<username=\\\"a\\\", response=\\\"6629fae49393\\\">>\"}",
    "Bearer <<tok3nTok3n>>",
    "X-Api-Key: <<0123abcd4567efgh>>",
    /* addresses */
    "postgres://app:<<hunter2>>@db:5432/shop?sslmode=disable",
    "redis://:<<hunter2>>@redis:6379/0",
    "https://user:<<p@ss>>@example.com/x",
    "amqp://a:<<b/c>>@mq:5672/",
    "failed to dial mongodb+srv://app:<<x>>@cluster0.example.net: timeout",
    "https://<<a1B2c3D4e5F6a1B2c3D4e5F6>>@sentry.example.com/2",
    "root:<<hunter2>>@tcp(db:3306)/shop",
    "https://hooks.slack.com/services/T<<000/B000/XXXXXXXX>>",
    "https://discord.com/api/webhooks/<<123456789/abcdefgh>>",
    "post to https://x.webhook.office.com/webhookb2/<<1@2/IncomingWebhook/3/4>> gave 404",
    "https://example.com/x?token=<<abc>>&page=2",
    "https://acct.blob.core.windows.net/c?sv=2024&sig=<<aBcDeFgH1234567890%2Bx%3D>>&se=2026",
    "https://s3.example.com/k?X-Amz-Signature=<<0123456789abcdef0123456789abcdef>>",
    /* settings in one line */
    "Server=db;User Id=sa;Password=<<hunter2>>;Encrypt=true",
    "DefaultEndpointsProtocol=https;AccountName=a;AccountKey=<<abcd1234efgh5678abcd==>>;x=y",
    "Endpoint=sb://x/;SharedAccessKeyName=n;SharedAccessKey=<<abcd1234efgh5678>>",
    "host=db user=app password=<<hunter2>> dbname=shop",
    "jdbc:postgresql://db/shop?user=app&password=<<hunter2>>",
    /* JSON, YAML and XML in a text */
    "{\"user\":\"app\",\"password\":\"<<hunter2>>\",\"port\":1}",
    "{\\\"password\\\":\\\"<<hunter2>>\\\",\\\"port\\\":1}",
    "user: app\npassword: <<hunter2>>\nport: 1",
    "auth:\n  clientSecret: \"<<ab cd>>\"\n",
    "{user: app, password: <<hunter2>>}",
    "<user>app</user><password><<hunter2>></password>",
    "{\"env\":[{\"name\":\"DB_PASSWORD\",\"value\":\"<<hunter2>>\"}]}",
    "{\\\"name\\\":\\\"DB_PASSWORD\\\",\\\"value\\\":\\\"<<hunter2>>\\\"}",
    "env:\n- name: DB_PASSWORD\n  value: <<hunter2>>\n- name: X\n  value: y",
    "{\"key\": \"api-token\", \"value\": \"<<a b>>\"}",
    "<property name=\"password\" value=\"<<hunter2>>\"/>",
    "Env:[{Name:DB_PASSWORD Value:<<hunter2>> ValueFrom:nil}]",
    "{\"X-Api-Key\":[\"<<abcDEF0123456789>>\"],\"Accept\":[\"*/*\"]}",
    "{\"auths\":{\"ghcr.io\":{\"auth\":\"<<dXNlcjpodW50ZXIyMg==>>\"}}}",
    "{\\\"auths\\\":{\\\"ghcr.io\\\":{\\\"auth\\\":\\\"<<dXNlcjpodW50ZXIyMg==>>\\\"}}}",
    "//registry.example.com/:_auth=<<dXNlcjpodW50ZXIyMg==>>",
    "connecting with password: <<hunter2>>",
    "login failed, token=<<abc>>, retrying",
    "{Password:<<hunter2>> User:app}",
    /* shapes */
    "key <<AKIAIOSFODNN7EXAMPLE>> is wrong",
    "\"<<ghp_0123456789abcdefghijABCDEFGHIJ012345>>\"",
    "x=<<glpat-ABCDEFGHIJ0123456789>>",
    "called with <<ll_0123456789abcdefghijABCDEFGHIJ0123456789abc>>",
    "\"<<llt_0123456789abcdefghij-BCDEFGHIJ_123456789abc>>\"",
    "https://loadline.example/#/link/<<lli_0123456789abcdefghijABCDEFGHIJ0123456789abc>>",
    "<<xoxb-1234567890-ABCDEFGHIJ>>.",
    "using <<sk_live_0123456789abcdef>>",
    "<<sk-ant-api03-ABCDEFGHIJKLMNOPQRSTUVWX>>",
    "<<sk-proj-ABCDEFGHIJKLMNOPQRSTUVWX>>",
    "<<AIzaABCDEFGHIJKLMNOPQRSTUVWXYZ012345678>>",
    "<<ATATT3ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ>>",
    "jwt <<eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl>> expired",
    "<<-----BEGIN RSA PRIVATE KEY-----\nMIIB\n-----END RSA PRIVATE KEY----->> and more",
    "<<-----BEGIN PRIVATE KEY-----\nMIIB>>",
    "<<-----BEGIN OPENSSH PRIVATE KEY-----\\nb3Bl\\n-----END OPENSSH PRIVATE KEY----->>\\n",
    "jwt <<eyJ4NXQiOiJhYmMiLCJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl>> expired",
    "jwt <<eyJlbmMiOiJBMjU2R0NNIiwiYWxnIjoiUlNBLU9BRVAifQ.a.b.c.d>> expired",
    "jwt <<ewogICJhbGciOiAiSFMyNTYiCn0.eyJzdWIiOiIxIn0.c2lnbmF0dXJl>> expired",
    "tls.key: <<LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0tLS0tCk1JSUV2UUlCQURBTkJna3Foa2lHOXcw>>",
    "cat <<LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQpNSUlFb3dJQkFBS0NB\nUVBd0l6>> and more",
    "<<LS0tLS1CRUdJTiBFQyBQUklWQVRFIEtFWS0tLS0tCk1IY0NBUUVF\\nSUI=>>",
    "x <<LS0tLS1CRUdJTiBPUEVOU1NIIFBSSVZBVEUgS0VZLS0tLS0KYjNCbGJuTnphQzFyWlhr>> y",
    "<<xoxc-1234567890-ABCDEFGHIJ>> and <<xoxd-ABCDEFGHIJ%2F1234567890>>",
    "<<GR1348941ABCDEFGHIJ0123456789>>",
    "<<ghr_0123456789abcdefghijABCDEFGHIJ012345>>",
    "<<eyJrIjoiYWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXoiLCJuIjoidGVzdCIsImlkIjoxfQ==>>",
    /* what shows when something else has been cut */
    "password=\"<<h-----BEGIN PRIVATE KEY-----ttps://TXXX>>",
    /* several */
    "A_PASSWORD=<<x>> B_TOKEN=<<y>> C=z",
};

/* With and without the marks. */
static void split(const char *marked, char *whole, char *cut)
{
    while (*marked) {
        if (strncmp(marked, "<<", 2) == 0 && strstr(marked, ">>")) {
            const char *end = strstr(marked, ">>");
            while (end[2] == '>') /* "a>>>": the secret ends with one */
                end++;
            memcpy(whole, marked + 2, (size_t)(end - marked - 2));
            whole += end - marked - 2;
            cut = stpcpy(cut, CREDENTIAL_CUT);
            marked = end + 2;
        } else {
            *whole++ = *cut++ = *marked++;
        }
    }
    *whole = *cut = '\0';
}

static struct str cut_of(struct arena *arena, struct str text)
{
    struct str once = credential_cut(arena, text), twice = credential_cut(arena, once);
    if (!str_eq(once, twice))
        fail_msg("cut twice: %" STR_FMT "\n      once: %" STR_FMT, STR_ARG(twice), STR_ARG(once));
    return once;
}

static void secrets_are_cut(void **state)
{
    struct arena *arena = arena_new(1 << 20);
    (void)state;
    for (size_t i = 0; i < COUNT(secrets); i++) {
        char whole[512], cut[1024];
        split(secrets[i], whole, cut);
        struct str got = cut_of(arena, str_of(whole));
        if (!str_eq(got, str_of(cut)))
            print_error("     got: %.*s\nexpected: %s\n", STR_ARG(got), cut);
        assert_true(str_eq(got, str_of(cut)));
    }
    arena_free(arena);
}

static void ordinary_text_stays(void **state)
{
    struct arena *arena = arena_new(1 << 20);
    (void)state;
    for (size_t i = 0; i < COUNT(ordinary_text); i++) {
        struct str got = credential_cut(arena, str_of(ordinary_text[i]));
        if (got.p != ordinary_text[i])
            fail_msg("%s\ncut: %" STR_FMT, ordinary_text[i], STR_ARG(got));
    }
    for (size_t i = 0; i < COUNT(ordinary_env); i++) {
        struct str got = credential_cut(arena, str_of(ordinary_env[i]));
        if (got.p != ordinary_env[i])
            fail_msg("%s\ncut: %" STR_FMT, ordinary_env[i], STR_ARG(got));
    }
    arena_free(arena);
}

/* What the checks call a credential by its value alone leaves no such text behind. */
static void each_shape_is_cut(void **state)
{
    static const char filling[] =
        "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7aB3dE6gH9jK2mN5pQ8sT1vW4yZ7aB3dE6gH9jK2";
    struct arena *arena = arena_new(1 << 20);
    (void)state;
    for (const struct credential_shape *shape = credential_shapes; shape->prefix; shape++) {
        char text[256];
        snprintf(text, sizeof text, "found %s%.*s here", shape->prefix, (int)shape->least, filling);
        assert_true(credential_value(str_of(text)) & CREDENTIAL_VALUE_KNOWN);
        struct str got = cut_of(arena, str_of(text));
        if (!str_eq(got, STR("found [redacted] here")))
            fail_msg("%s\n%" STR_FMT, text, STR_ARG(got));
        snprintf(text, sizeof text, "found %s%.*s here", shape->prefix, (int)shape->least - 1,
                 filling);
        if (shape->least > 15 && credential_cut(arena, str_of(text)).p != text)
            fail_msg("%s is cut", text);
    }
    arena_free(arena);
}

static void many_cuts_become_one(void **state)
{
    struct arena *arena = arena_new(1 << 20);
    struct buf text = buf_init(arena, SIZE_MAX);
    (void)state;
    for (int i = 0; i < CREDENTIAL_CUTS_MAX; i++)
        buf_put(&text, STR("pwd=x "));
    struct str got = cut_of(arena, buf_str(&text));
    assert_true(str_has_suffix(got, STR("pwd=[redacted] ")));
    buf_put(&text, STR("pwd=x and what comes then"));
    got = cut_of(arena, buf_str(&text));
    assert_true(str_has_suffix(got, STR("pwd=[redacted]")));
    assert_true(got.n <= text.n + 9 * (CREDENTIAL_CUTS_MAX + 1));
    arena_free(arena);
}

/* ---- time ---- */

static double seconds_of(struct arena *arena, struct str unit, size_t n)
{
    struct buf text = buf_init(arena, SIZE_MAX);
    struct timespec from, to;
    while (text.n < n)
        buf_put(&text, unit);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
    cut_of(arena, buf_str(&text));
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
    arena_reset(arena);
    return (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) / 1e9;
}

/* How often a byte is looked at, which no other work on the machine changes. */
static double steps_of(struct arena *arena, struct str unit, size_t n)
{
    struct buf text = buf_init(arena, SIZE_MAX);
    while (text.n < n)
        buf_put(&text, unit);
    double steps = (double)credential_steps(buf_str(&text)) / (double)text.n;
    arena_reset(arena);
    return steps;
}

#define STEPS_MAX 12.0
#ifdef SLOW_ASSERTS
#define MIB_SECONDS 10.0 /* with sanitizers */
#else
#define MIB_SECONDS 1.0
#endif

/* Texts that are repeated. */
static const char *const hostile_units[] = {
    "pass",
    "password=true ",
    "password: a b ",
    "pwd=a://",
    "sk-",
    "sk-proj-a",
    "://",
    "://a:1/",
    "://a:b",
    "-----BEGIN ",
    "-",
    "authorization:",
    "Authorization",
    "bearer ",
    "basic ",
    "basic aaaa ",
    "curl ",
    "curl -u ",
    "curl a;",
    "mysql -p ",
    "@tc",
    "a:@tcp",
    "\"password\\",
    "token\\\\\\",
    "key=\"",
    "secret='\\'",
    "=",
    "apiVersion kind",
    "{\"apiVersion\"",
    "sig=",
    "password=$",
    "xoxb-a",
    "eyJhbGciO",
    "login -p\n",
    "hvs.a",
    "password=\\\"\\",
    "AKIA",
    "credentials",
    "key: ",
    "<password>",
    "login <",
    "(login --",
    "\"client{login ",
    "curl }?{",
    "`signature#]mongo ",
    "--password:,",
    "/pass=",
    "a_key=",
    "token_x=a1",
    "authorization=",
    "sk-xoxb-",
    "sk-ant-",
    "https://password-=xoxb-",
    "pwd:a-",
    "sig=",
    "key=1 ",
    "user:@tcp@unix",
    "Basic dXNlcjpodW50ZXIy:",
    "identified by '",
    "by '",
    "identified with x by \"",
    "a-b-c by \\\\\"",
    "\"name\":\"password\",",
    "name: token,,,,,,,,value ",
    "auth=",
    "\"auth\":\"aaaa",
    "Authorization: Basic x=\"",
    "Authorization: Digest a='b' ",
    "curl -sSfgu ",
    "mysql -p'",
    "login -p=\\\"",
    "LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0t",
    "token:[\"",
};

/* Four times the text takes about four times as long: sixteen would be too many. */
static void hostile_text_takes_linear_time(void **state)
{
    struct arena *arena = arena_new(64 << 20);
    (void)state;
    for (size_t i = 0; i < COUNT(hostile_units); i++) {
        double small = seconds_of(arena, str_of(hostile_units[i]), 256 << 10);
        double large = seconds_of(arena, str_of(hostile_units[i]), 1 << 20);
        if (large > 0.2 && large > 10 * small)
            fail_msg("\"%s\": %.3f s for 256 KiB, %.3f s for 1 MiB", hostile_units[i], small,
                     large);
        if (large > MIB_SECONDS)
            fail_msg("\"%s\": %.3f s for 1 MiB", hostile_units[i], large);
        double steps = steps_of(arena, str_of(hostile_units[i]), 1 << 20);
        if (steps > STEPS_MAX)
            fail_msg("\"%s\": %.1f steps a byte", hostile_units[i], steps);
    }
    arena_free(arena);
}

/* ---- what it is found by ---- */

/* Does one with this tag stand there? */
static bool is_word(const struct triplet *words, const char *p, size_t left, uint8_t tag)
{
    size_t n = strlen(words[tag - 1].word);
    struct str word = {words[tag - 1].word, n}, found = {p, n};
    if (left < n || tag == 6)
        return false;
    return words[tag - 1].exact ? str_eq(word, found) : str_eq_nocase(word, found);
}

static void triplets_agree(void **state)
{
    static const struct triplet words[] = {
        {"abc", 1, false}, {"AKIA", 2, true}, {"\\u0", 3, false}, {"://", 4, false},
        {"abz", 5, false}, {"abc", 6, false}, {"cab:", 7, false}, {"zaK", 8, true}};
    struct triplets triplets;
    char text[300];
    (void)state;
    triplets_init(&triplets, words, COUNT(words));
    for (unsigned seed = 0; seed < 3000; seed++) {
        size_t n = seed % sizeof text;
        uint32_t random = seed * 2654435761u + 1;
        for (size_t i = 0; i < n; i++) {
            random = random * 1664525u + 1013904223u;
            text[i] = "abczAKI\\u0:/\xC3\xE1 "[(random >> 16) % 15];
        }
        for (size_t from = 0; from <= n; from += 1 + (random >> 8) % 40) {
            random = random * 1664525u + 1013904223u;
            struct triplets_search search = triplets_search((struct str){text, n});
            size_t at = from;
            search.from = from;
            do {
                uint8_t tag = 0, other = 0;
                size_t plainly = triplets_find_plainly(&triplets, search.text, at, &other);
                at = triplets_next(&triplets, &search, &tag);
                assert_int_equal(at, plainly);
                assert_int_equal(tag, other);
                assert_true(at == n ||
                            (at >= from && at + 3 <= n && is_word(words, text + at, n - at, tag)));
                at += (random >> 4) % 8 ? 1 : 1 + (random >> 12) % 90;
                search.from = at;
            } while (at < n);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(secrets_are_cut),   cmocka_unit_test(ordinary_text_stays),
        cmocka_unit_test(each_shape_is_cut), cmocka_unit_test(many_cuts_become_one),
        cmocka_unit_test(triplets_agree),    cmocka_unit_test(hostile_text_takes_linear_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
