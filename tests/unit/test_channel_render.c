/* channel_type, channel_render: bodies as their receivers want them, and nothing in a name that
 * they would act on. */
#include "alert/alert.h"
#include "alert/channel_type.h"
#include "base/buf.h"
#include "scratch.h"

#include <json-c/json.h>
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h> /* after check.h: both have a fail() */

static struct alert_message message_of(struct str title, struct str detail)
{
    return (struct alert_message){.channel = STR("c"),
                                  .event = ALERT_EVENT_SCORE_DROP,
                                  .title = title,
                                  .detail = detail,
                                  .time = 1773748859000};
}

static void bodies_are_what_receivers_document(void **state)
{
    (void)state;
    static const char *const bodies[CHANNEL_TYPES] = {
        [CHANNEL_TYPE_slack] =
            "{\"text\":\"Cluster production CSC score dropped to 42 (threshold: 70)\","
            "\"mrkdwn\":false,\"blocks\":["
            "{\"type\":\"header\",\"text\":{\"type\":\"plain_text\",\"text\":"
            "\"Cluster production CSC score dropped to 42 (threshold: 70)\",\"emoji\":false}},"
            "{\"type\":\"section\",\"text\":{\"type\":\"plain_text\",\"text\":"
            "\"5 active risks detected\",\"emoji\":false}},"
            "{\"type\":\"context\",\"elements\":[{\"type\":\"plain_text\",\"text\":"
            "\"Score Drop, 2026-03-17T12:00:59.000Z, loadline\",\"emoji\":false}]}]}",
        [CHANNEL_TYPE_teams] =
            "{\"type\":\"message\",\"attachments\":[{\"contentType\":"
            "\"application/vnd.microsoft.card.adaptive\",\"contentUrl\":null,\"content\":{"
            "\"$schema\":\"http://adaptivecards.io/schemas/adaptive-card.json\","
            "\"type\":\"AdaptiveCard\",\"version\":\"1.4\",\"body\":["
            "{\"type\":\"RichTextBlock\",\"inlines\":[{\"type\":\"TextRun\",\"text\":"
            "\"Cluster production CSC score dropped to 42 (threshold: 70)\",\"weight\":\"bolder\","
            "\"size\":\"large\"}]},"
            "{\"type\":\"RichTextBlock\",\"inlines\":[{\"type\":\"TextRun\",\"text\":"
            "\"5 active risks detected\"}]},"
            "{\"type\":\"RichTextBlock\",\"inlines\":[{\"type\":\"TextRun\",\"text\":"
            "\"Score Drop, 2026-03-17T12:00:59.000Z, loadline\"}]}]}}]}",
        [CHANNEL_TYPE_webhook] =
            "{\"event\":\"Score Drop\","
            "\"title\":\"Cluster production CSC score dropped to 42 (threshold: 70)\","
            "\"detail\":\"5 active risks detected\",\"source\":\"loadline\","
            "\"timestamp\":\"2026-03-17T12:00:59.000Z\"}",
    };
    struct alert_message message =
        message_of(STR("Cluster production CSC score dropped to 42 (threshold: 70)"),
                   STR("5 active risks detected"));
    for (size_t i = 0; i < CHANNEL_TYPES; i++) {
        struct str body = channel_type_render(arena, &channel_types[i], &message);
        assert_non_null(bodies[i]);
        assert_string_equal(arena_str(arena, body).p, bodies[i]);
    }
}

/* At the path, a text. */
static struct str text_at(struct json_object *at, const char *const *path)
{
    for (; *path; path++)
        at = json_object_is_type(at, json_type_array)
                 ? json_object_array_get_idx(at, strtoul(*path, NULL, 10))
                 : json_object_object_get(at, *path);
    assert_true(json_object_is_type(at, json_type_string));
    return str_of(json_object_get_string(at));
}

static struct json_object *parsed(int type, const struct alert_message *message)
{
    struct str body = channel_type_render(arena, &channel_types[type], message);
    assert_true(body.n <= CHANNEL_BODY_MAX);
    assert_true(str_is_utf8(body));
    struct json_object *object = json_tokener_parse(arena_str(arena, body).p);
    assert_non_null(object);
    return object;
}

static const char *const slack_text[] = {"text", NULL};
static const char *const slack_header[] = {"blocks", "0", "text", "text", NULL};
static const char *const slack_section[] = {"blocks", "1", "text", "text", NULL};
static const char *const teams_title[] = {"attachments", "0", "content", "body", "0",
                                          "inlines",     "0", "text",    NULL};
static const char *const teams_detail[] = {"attachments", "0", "content", "body", "1",
                                           "inlines",     "0", "text",    NULL};
static const char *const webhook_title[] = {"title", NULL};
static const char *const webhook_detail[] = {"detail", NULL};

#define Z "\xE2\x80\x8B"

static void names_do_nothing(void **state)
{
    (void)state;
    static const struct {
        const char *name, *slack, *teams;
    } rows[] = {
        {"<!channel>", "&lt;!channel&gt;", "<" Z "!channel>"},
        {"<!here|here>", "&lt;!here|here&gt;", "<" Z "!here|here>"},
        {"<@U012AB3CD>", "&lt;@" Z "U012AB3CD&gt;", "<" Z "@" Z "U012AB3CD>"},
        {"@here @everyone", "@" Z "here @" Z "everyone", "@" Z "here @" Z "everyone"},
        {"<at>everyone</at>", "&lt;at&gt;everyone&lt;/at&gt;", "<" Z "at>everyone<" Z "/at>"},
        {"<https://e.example|click>", "&lt;https://e.example|click&gt;",
         "<" Z "https://e.example|click>"},
        {"&lt;!channel&gt;", "&amp;lt;!channel&amp;gt;", "&lt;!channel&gt;"},
        {"*b* _i_ ~s~ `c` [t](http://e.example) # h", "*b* _i_ ~s~ `c` [t](http://e.example) # h",
         "*b* _i_ ~s~ `c` [t](http://e.example) # h"},
        {"\"},{\"type\":\"image\"", "\"},{\"type\":\"image\"", "\"},{\"type\":\"image\""},
        {"\\u003c!channel\\u003e", "\\u003c!channel\\u003e", "\\u003c!channel\\u003e"},
        {"\xC3\xA4\xF0\x9F\x9A\xA2", "\xC3\xA4\xF0\x9F\x9A\xA2", "\xC3\xA4\xF0\x9F\x9A\xA2"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct alert_message message = message_of(str_of(rows[i].name), str_of(rows[i].name));
        struct json_object *slack = parsed(CHANNEL_TYPE_slack, &message);
        struct json_object *teams = parsed(CHANNEL_TYPE_teams, &message);
        struct json_object *webhook = parsed(CHANNEL_TYPE_webhook, &message);
        assert_string_equal(text_at(slack, slack_text).p, rows[i].slack);
        assert_string_equal(text_at(slack, slack_header).p, rows[i].slack);
        assert_string_equal(text_at(slack, slack_section).p, rows[i].slack);
        assert_string_equal(text_at(teams, teams_title).p, rows[i].teams);
        assert_string_equal(text_at(teams, teams_detail).p, rows[i].teams);
        assert_string_equal(text_at(webhook, webhook_title).p, rows[i].name);
        assert_string_equal(text_at(webhook, webhook_detail).p, rows[i].name);
        json_object_put(slack);
        json_object_put(teams);
        json_object_put(webhook);
    }
}

static struct str repeated(const char *text, size_t times)
{
    struct buf out = buf_init(arena, times * strlen(text));
    for (size_t i = 0; i < times; i++)
        buf_put(&out, str_of(text));
    return buf_str(&out);
}

/* In UTF-16. */
static size_t length(struct str s)
{
    size_t n = 0;
    while (s.n) {
        size_t bytes = str_utf8_length(s);
        assert_true(bytes > 0);
        n += bytes == 4 ? 2 : 1;
        s = str_sub(s, bytes, s.n);
    }
    return n;
}

static void sizes_are_kept(void **state)
{
    (void)state;
    static const char *const units[] = {
        "a", "<", "&", "@", "\"", "\xC3\xA4", "\xE2\x82\xAC", "\xF0\x9F\x9A\xA2"};
    static const size_t times[] = {0, 1, 149, 150, 151, 1999, 2001, 2999, 3000, 3001, 100000};
    for (size_t i = 0; i < COUNT(units) * COUNT(times); i++) {
        struct str text = repeated(units[i % COUNT(units)], times[i / COUNT(units)]);
        struct alert_message message = message_of(text, text);
        struct json_object *slack = parsed(CHANNEL_TYPE_slack, &message);
        struct str header = text_at(slack, slack_header), section = text_at(slack, slack_section);
        assert_true(length(header) <= 150);
        assert_true(length(section) <= 3000);
        assert_true(str_has(header, STR("&lt")) == str_has(header, STR("&lt;")));
        if (text.n > 0 && text.n <= 150 && units[i % COUNT(units)][0] == 'a')
            assert_true(str_eq(header, text) && str_eq(section, text));
        if (text.n == 151 && *text.p == 'a')
            assert_true(str_has_suffix(header, STR("a\xE2\x80\xA6")) && length(header) == 150 &&
                        str_has_prefix(section, text) && section.n == 2 * text.n + 1);
        json_object_put(slack);
        for (int type = 0; type < CHANNEL_TYPES; type++)
            json_object_put(parsed(type, &message));
    }
}

/* The database has these names. A type may be added, and none renamed or taken away. */
static void names_in_use_stay(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool is_signed;
    } rows[] = {{"slack", false}, {"teams", false}, {"webhook", true}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct channel_type *type = channel_type_find(str_of(rows[i].name));
        assert_non_null(type);
        assert_string_equal(arena_str(arena, type->name).p, rows[i].name);
        assert_int_equal(type->is_signed, rows[i].is_signed);
    }
}

static void other_names_are_no_types(void **state)
{
    (void)state;
    static const char *const names[] = {"", "Slack", "slack ", "slac", "email", "slack, teams"};
    for (size_t i = 0; i < COUNT(names); i++)
        assert_null(channel_type_find(str_of(names[i])));
}

static void the_list_has_every_name_once(void **state)
{
    (void)state;
    struct str names = channel_type_names(arena), rest;
    assert_true(str_has_prefix(names, channel_types[0].name));
    for (size_t i = 0; i < CHANNEL_TYPES; i++) {
        assert_ptr_equal(channel_type_find(channel_types[i].name), &channel_types[i]);
        assert_true(str_has_prefix(names, channel_types[i].name));
        rest = str_sub(names, channel_types[i].name.n, names.n);
        size_t between =
            i + 1 == CHANNEL_TYPES ? 0 : strlen(i + 2 == CHANNEL_TYPES ? " or " : ", ");
        names = str_sub(rest, between, rest.n);
    }
    assert_int_equal(names.n, 0);
}

/* What a receiver of such a URL would want elsewhere is moved by the type; these leave all as it
 * is. */
static void posts_go_as_they_are(void **state)
{
    (void)state;
    static const int types[] = {CHANNEL_TYPE_slack, CHANNEL_TYPE_teams, CHANNEL_TYPE_webhook};
    for (size_t i = 0; i < COUNT(types); i++) {
        struct channel_post post = {STR("https://example.com/?key=1"), STR("{}")};
        assert_null(channel_types[types[i]].route(arena, &post));
        assert_true(str_eq(post.url, STR("https://example.com/?key=1")));
        assert_true(str_eq(post.body, STR("{}")));
    }
}

static void a_test_names_its_channel(void **state)
{
    (void)state;
    struct alert_message message = alert_test(arena, STR("c"), STR("ops\n<!channel>"), 5);
    assert_int_equal(message.event, ALERT_EVENT_TEST);
    assert_true(str_eq(message.title, STR("Test message from Loadline")));
    assert_true(str_eq(message.detail,
                       STR("Channel ops?<!channel> works: alerts will arrive like this one")));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_are_what_receivers_document),
        cmocka_unit_test(names_do_nothing),
        cmocka_unit_test(sizes_are_kept),
        cmocka_unit_test(names_in_use_stay),
        cmocka_unit_test(other_names_are_no_types),
        cmocka_unit_test(the_list_has_every_name_once),
        cmocka_unit_test(posts_go_as_they_are),
        cmocka_unit_test(a_test_names_its_channel),
    };
    return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
