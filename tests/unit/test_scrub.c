/* The filter of JSON, whatever pieces it comes in. In rows ' stands for ", and <<x>> for a secret
 * that is cut. */
#include "base/buf.h"
#include "kube/credential_cut.h"
#include "reader/scrub.h"
#include "reader/snapshot_reader.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const char *const documents[] = {
    /* values by their keys */
    "{'password':'<<hunter2>>'}",
    "{'password' : '<<hunter2>>' }",
    "{ 'a':1,\n 'dbPassword'\t:\n'<<hunter2>>', 'b':'c'}",
    "{'password':'','token':null,'secret':true,'apiKey':12,'clientSecret':{'a':'b'}}",
    "{'password':'$(DB_PASSWORD)','token':'/var/run/token/x','key':'password'}",
    "{'csi.storage.k8s.io/node-stage-secret-name':'s','adminSecretName':'s','secretName':'tls'}",
    "{'parameters':{'monitors':'a:1','userKey':'x','adminPassword':'<<hunter2>>'}}",
    "{'volumeAttributes':{'accessKey':'<<AbC>>','share':'//srv/x'}}",
    "{'checksum/secret':'9f86d081884c7d659a2feaa0c55ad015'}",
    "{'tls-secret':'shop-tls','pullSecret':'quay/pull'}",
    "{'token':'<<a\\u0062\\'c>>','x':'y'}",
    "{'pass\\u0077ord':'<<hunter2>>'}",
    "{'Authorization':'Bearer <<x>>','authorization':'Basic <<eDp5>>'}",
    /* a blank that is a dash but for one bit: dashes are a mark */
    "{'a':'b'\r\r\r\r,'password'\r\r\r\r:\r\r\r\r'<<hunter2>>'\r\r\r\r\r,'c':'d'}\r\r\r\r\r",
    /* names beside values */
    "[{'name':'X-Api-Key','value':'<<abcdef0123456789x>>'},{'name':'Accept','value':'x'}]",
    "[{'name':'Authorization','value':'Bearer <<x>>'},{'name':'a','value':'Bearer'}]",
    "[{ 'name' : 'DB_PASSWORD' , 'value' : '<<x>>' }]",
    "[{'name':'DB_PASSWORD','value':''},{'name':'DB_PASSWORD','valueFrom':{'secretKeyRef':{'key':"
    "'password','name':'db'}}}]",
    /* names with secrets in them, as they are and as they are put */
    "[{'name':'secret: <<checksum0A>> token','value':'<<hunter2>>'}]",
    "{'secret: <<checksum0A>> token':'<<hunter2>>'}",
    /* arguments */
    "{'args':['--password','<<hunter2>>','--verbose']}",
    "{'args':['--password=<<hunter2>>','x']}",
    "{'args':['--password','--verbose','x']}",
    "{'args':['--password','$(X)','x'],'y':'z'}",
    "{'args':['--token'],'command':['x']}",
    "{'args':['--token','<<a>>','--password','<<b>>']}",
    "{'command':['curl','-s','-u','ci:<<x>>','https://example.com']}",
    "{'command':['/usr/bin/curl','-uci:<<x>>','--user','a:<<b>>']}",
    "{'command':['curl','-sSu','ci:<<x>>','https://example.com']}",
    "{'command':['docker','login','-u=ci','-p=<<x>>','registry.example.com']}",
    "{'command':['curl','-u','ci'],'x':'y'}",
    "{'command':['curl','-u','<<AKIAIOSFODNN7EXAMPLE>>','-u','a:<<b>>']}",
    "{'command':['curl','https://example.com/login','-u','ci:<<x>>']}",
    "{'password':'<<h-----BEGIN PRIVATE KEY-----ttps://TX>>'}",
    "[{'name':'token','value':'<<h-----BEGIN PRIVATE KEY-----ttps://TX>>'},'x']",
    "['--token','<<h-----BEGIN PRIVATE KEY-----ttps://TX>>','x']",
    "{'command':['mysqladmin','ping','-p<<x>>','-h','127.0.0.1']}",
    "{'command':['mariadb-admin','ping','-p<<x>>','-h','127.0.0.1']}",
    "{'command':['redis-cli','-a','<<x>>','ping']}",
    "{'command':['sh','-c','curl -u ci:<<x>> https://y; echo -n \\'z\\'']}",
    "{'command':['sh','-c','PGPASSWORD=\\'<<a b>>\\' psql\\nexit']}",
    "{'exec':{'command':['sh','-c','echo {\\'password\\':\\'<<x>>\\'} | a']}}",
    /* in texts, keys and nested texts */
    "{'message':'dial postgres://a:<<b>>@db: no such host'}",
    "{'message':'dial postgres:\\/\\/a:<<b>>@db: no such host'}",
    "{'a':'https://x/?a=b\\u0026token=<<c>>\\u0026d=e'}",
    "{'a':'<<\\u0041KIAIOSFODNN7EXAMPLE>>'}",
    "{'<<AKIAIOSFODNN7EXAMPLE>>':'x'}",
    "{'x':'line\\n<<AKIAIOSFODNN7EXAMPLE>>\\tx'}",
    "{'x':'\xC3\xA4\\u00e4\\ud83d\\ude00 <<AKIAIOSFODNN7EXAMPLE>> \\u00e4'}",
    "{'x':'<<-----BEGIN PRIVATE KEY-----\\nMII\\n-----END PRIVATE KEY----->>\\n'}",
    "{'config':'{\\'user\\':\\'x\\',\\'authToken\\':\\'<<x>>\\'}'}",
    "{'patch':'{\\'env\\':[{\\'name\\':\\'DB_PASSWORD\\',\\'value\\':\\'<<x>>\\'}]}'}",
    "{'x':'env:\\n- name: DB_PASSWORD\\n  value: <<x>>\\n- name: y'}",
    "{'x':'{\\'auths\\':{\\'ghcr.io\\':{\\'auth\\':\\'<<dXNlcjpodW50ZXIyMg==>>\\'}}}'}",
    "{'x':'Env:[{Name:DB_PASSWORD Value:<<x>> ValueFrom:nil}]'}",
    "{'args':['--requirepass','<<x>>','--masterauth','<<y>>']}",
    "{'command':['mysql','-e','CREATE USER a IDENTIFIED BY \\'<<x>>\\'']}",
    "{'x':'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSURCVENDQWUy','y':'<<LS0tLS1CRUdJTiBSU0EgUFJJV"
    "kFURSBLRVktLS0tLQpNSUlFb3dJ\\nBQUtDQVFFQXdJ>>'}",
    /* manifests */
    "{'annotations':{'x/"
    "original':'<<{\\'apiVersion\\':\\'v1\\',\\'kind\\':\\'Secret\\'}>>','y':'z'}}",
    "{'annotations':{'x':'<<kind: Secret\\napiVersion: v1\\ndata: {}\\n>>'}}",
    "{'x':'<<# Source: shop/secret.yaml\\n\\napiVersion: v1\\nkind: Secret\\ndata: {}\\n>>'}",
    "{'x':'<<%YAML 1.2\\n---\\nkind: Secret\\napiVersion: v1\\n>>','y':'# apiVersion: v1\\n# kind: "
    "a'}",
    "{'apiVersion':'v1','kind':'Pod','message':'apiVersion: v1 of kind: Pod is wrong'}",
    "{'x':'{\\'kind\\':\\'a\\'}','y':'[{\\'apiVersion\\':1}]'}",
    /* what looks like the end of a string, or the beginning of one */
    "{'a,':[1,2],'b:':{},'[':'{','{':'[', 'c':',','d':':'}",
    "[',',':','[','{',',:',':[']",
    "['\\\\','\\'','\\\\\\'',',\\\\']",
    "{'':''}",
    "[]",
    "{} {}\n['<<AKIAIOSFODNN7EXAMPLE>>']1 null[]",
};

static bool collect(void *context, struct str bytes)
{
    buf_put(context, bytes);
    return true;
}

/* What comes out when it goes in in pieces of so many bytes. */
static struct str scrub(struct arena *arena, struct str in, size_t piece)
{
    struct buf *out = ARENA_NEW(arena, struct buf);
    *out = buf_init(arena, SIZE_MAX);
    struct scrub *scrub = scrub_new(arena, (struct sink){collect, out});
    scrub_set_piece_min(scrub, piece % 3 ? 0 : 5 * piece); /* some wait for one another */
    struct sink sink = scrub_sink(scrub);
    for (size_t at = 0; at < in.n; at += piece) {
        /* A copy: what is read beyond a piece is found. */
        struct str copy = arena_str(arena, str_sub(in, at, piece));
        assert_true(sink.put(sink.context, copy));
    }
    assert_true(scrub_end(scrub));
    return buf_str(out);
}

static bool finds(struct arena *arena, struct str in, size_t piece)
{
    struct scrub *scrub = scrub_new(arena, (struct sink){NULL, NULL});
    scrub_set_piece_min(scrub, 0);
    struct sink sink = scrub_sink(scrub);
    bool good = true;
    for (size_t at = 0; at < in.n && good; at += piece)
        good = sink.put(sink.context, str_sub(in, at, piece));
    good = scrub_end(scrub) && good;
    assert_int_equal(good, !scrub_found(scrub));
    return !good;
}

static void split(const char *marked, struct buf *in, struct buf *out)
{
    for (; *marked; marked++) {
        const char *end = strncmp(marked, "<<", 2) == 0 ? strstr(marked, ">>") : NULL;
        if (!end) {
            buf_putc(in, *marked == '\'' ? '"' : *marked);
            buf_putc(out, *marked == '\'' ? '"' : *marked);
            continue;
        }
        for (marked += 2; marked < end; marked++)
            buf_putc(in, *marked == '\'' ? '"' : *marked);
        buf_put(out, STR(CREDENTIAL_CUT));
        marked++;
    }
}

static void is_scrubbed(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(documents); i++) {
        struct arena *arena = arena_new(64 << 20);
        struct buf in = buf_init(arena, SIZE_MAX), out = buf_init(arena, SIZE_MAX);
        split(documents[i], &in, &out);
        struct str whole = buf_str(&in), expected = buf_str(&out);
        for (size_t piece = 1; piece <= whole.n; piece++) {
            struct str got = scrub(arena, whole, piece);
            if (!str_eq(got, expected))
                fail_msg("pieces of %zu\n     got: %" STR_FMT "\nexpected: %" STR_FMT, piece,
                         STR_ARG(got), STR_ARG(expected));
            assert_int_equal(finds(arena, whole, piece), !str_eq(whole, expected));
            assert_false(finds(arena, expected, piece));
        }
        arena_free(arena);
    }
}

/* ---- long ones ---- */

static struct str long_string(struct arena *arena, const char *before, size_t n, const char *after)
{
    struct buf out = buf_init(arena, SIZE_MAX);
    buf_put(&out, str_of(before));
    for (size_t i = 0; i < n; i++)
        buf_putc(&out, "abcdefg "[i % 8]);
    buf_put(&out, str_of(after));
    return buf_str(&out);
}

static void a_long_string_is_cut_whole(void **state)
{
    static const size_t pieces[] = {1 << 20, 100000, 4096, 777, 64};
    struct arena *arena = arena_new(256 << 20);
    (void)state;
    for (size_t i = 0; i < COUNT(pieces); i++) {
        struct str kept =
            long_string(arena, "{\"a\":\"", SCRUB_HELD_MAX - 12, "password=x \",\"b\":1}");
        struct str got = scrub(arena, kept, pieces[i]);
        assert_true(str_has_suffix(got, STR("password=[redacted] \",\"b\":1}")));
        assert_int_equal(got.n, kept.n + 9);
        struct str cut =
            long_string(arena, "{\"a\":\"", SCRUB_HELD_MAX, "password=x\\\"\",\"b\":1}");
        got = scrub(arena, cut, pieces[i]);
        assert_true(str_eq(got, STR("{\"a\":\"[redacted]\",\"b\":1}")));
        arena_reset(arena);
    }
    arena_free(arena);
}

static void a_long_string_without_a_mark_is_kept(void **state)
{
    static const size_t pieces[] = {4 << 20, 1 << 20, 100000, 4096, 777, 64};
    struct arena *arena = arena_new(256 << 20);
    (void)state;
    for (size_t i = 0; i < COUNT(pieces); i++) {
        struct str kept =
            long_string(arena, "{\"a\":\"", SCRUB_PLAIN_MAX - 100, "\\\"\",\"password\":\"x\"}");
        struct str got = scrub(arena, kept, pieces[i]);
        assert_true(str_has_suffix(got, STR("\\\"\",\"password\":\"[redacted]\"}")));
        assert_int_equal(got.n, kept.n + 9);
        struct str late =
            long_string(arena, "{\"a\":\"", 3 * SCRUB_HELD_MAX, "password=x\",\"password\":\"x\"}");
        got = scrub(arena, late, pieces[i]);
        assert_true(str_eq(got, STR("{\"a\":\"[redacted]\",\"password\":\"[redacted]\"}")));
        arena_reset(arena);
    }
    struct str endless = long_string(arena, "{\"a\":\"", 2 * SCRUB_PLAIN_MAX, "\",\"b\":1}");
    assert_true(str_eq(scrub(arena, endless, 100000), STR("{\"a\":\"[redacted]\",\"b\":1}")));
    arena_free(arena);
}

/* Bytes that hold no quote are not taken for a string, however many there are. */
static void numbers_are_no_string(void **state)
{
    struct arena *arena = arena_new(256 << 20);
    struct buf in = buf_init(arena, SIZE_MAX);
    (void)state;
    buf_put(&in, STR("{\"a,\":[1"));
    for (size_t i = 0; i < 2 * SCRUB_HELD_MAX; i++)
        buf_put(&in, i % 2 ? STR(",1") : STR(", 22"));
    buf_put(&in, STR("],\"password\":                \"x\"}"));
    for (size_t piece = 1000; piece < 100000; piece *= 3) {
        struct str got = scrub(arena, buf_str(&in), piece);
        assert_int_equal(got.n, in.n + 9);
        assert_true(str_has_suffix(got, STR("\"[redacted]\"}")));
    }
    arena_free(arena);
}

/* What belongs to a string is waited for, but not for ever. */
static void blanks_do_not_hold_everything(void **state)
{
    struct arena *arena = arena_new(256 << 20);
    struct buf in = buf_init(arena, SIZE_MAX);
    (void)state;
    buf_put(&in, STR("[\"--password\""));
    for (size_t i = 0; i < 4 * SCRUB_HELD_MAX; i++)
        buf_putc(&in, ' ');
    buf_put(&in, STR(",\"x\"]"));
    assert_true(str_eq(scrub(arena, buf_str(&in), 5000), buf_str(&in)));
    arena_free(arena);
}

/* ---- with the reader: what is recalled ---- */

/* Pods whose lists repeat each other, of which one has a secret where the others have none. */
static void recalled_text_is_looked_at(void **state)
{
    static const char *const statuses[] = {
        "'containerID':'containerd://"
        "0123456789abcdef','image':'i','started':'2026-03-17T12:00:00Z'",
        "'containerID':'containerd://"
        "0123456789abcdef','image':'i','started':'2026-03-17T12:00:01Z'",
        "'containerID':'containerd://"
        "0123456789abcdeg','image':'i','started':'2026-03-17T12:00:02Z'",
        "'containerID':'https://"
        "u:hush-password@0123x','image':'i','started':'2026-03-17T12:00:03Z'",
        "'containerID':'x AKIAIOSFODNN7EXAMPLE "
        "012345','image':'i','started':'2026-03-17T12:00:04Z'",
        "'containerID':'containerd://0123456789abcdeh','image':'i','started':'--token "
        "AKIAIOSFODNN'",
    };
    struct buf text = buf_init(arena_new(8 << 20), SIZE_MAX), out = text;
    struct sink sink = {collect, &out};
    struct snapshot_error error;
    (void)state;
    buf_put(&text, STR("{'kind':'List','items':["));
    for (size_t i = 0; i < 60; i++)
        buf_printf(
            &text,
            "%s{'kind':'Pod','apiVersion':'v1','metadata':{'name':'p%zu'},'spec':{'containers':["
            "{'name':'c','image':'i','args':['--password','hush','--a=b','c'],'workingDir':'/x'}"
            "]},'status':{'containerStatuses':[{'name':'c','ready':true,'restartCount':1,%s}]}}",
            i ? "," : "", i, statuses[i % COUNT(statuses)]);
    buf_put(&text, STR("]}"));
    for (size_t i = 0; i < text.n; i++)
        text.p[i] = text.p[i] == '\'' ? '"' : text.p[i];
    struct str bytes = buf_str(&text), kept;
    struct snapshot_options options = {.redacted = &sink};
    assert_non_null(snapshot_read(text.arena, source_of(&bytes), &options, &error));
    kept = buf_str(&out);
    assert_false(str_has(kept, STR("hush")) || str_has(kept, STR("AKIA")));
    assert_true(str_eq(kept, scrub(text.arena, buf_str(&text), 777)));
    arena_free(text.arena);
}

static bool refuse(void *context, struct str bytes)
{
    (void)bytes;
    return --*(int *)context > 0;
}

static void a_refusal_ends_it(void **state)
{
    struct arena *arena = arena_new(1 << 20);
    (void)state;
    for (int puts = 1; puts < 4; puts++) {
        int left = puts;
        struct scrub *scrub = scrub_new(arena, (struct sink){refuse, &left});
        scrub_set_piece_min(scrub, 0);
        struct sink sink = scrub_sink(scrub);
        struct str document = STR("{\"password\":\"x\"}");
        bool good = sink.put(sink.context, document);
        good = good && scrub_end(scrub);
        assert_false(good);
        assert_false(sink.put(sink.context, document));
    }
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_scrubbed),
        cmocka_unit_test(a_long_string_is_cut_whole),
        cmocka_unit_test(a_long_string_without_a_mark_is_kept),
        cmocka_unit_test(numbers_are_no_string),
        cmocka_unit_test(blanks_do_not_hold_everything),
        cmocka_unit_test(recalled_text_is_looked_at),
        cmocka_unit_test(a_refusal_ends_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
