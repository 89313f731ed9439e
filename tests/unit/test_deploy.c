/* What was deployed, by the snapshots of one workload after another; and what is remembered between
 * two of them. */
#include "gate/deploy_state.h"
#include "scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

/* ---- the story of a workload ---- */

/* Snapshots in a row, a minute apart. Each is a word: the revision ("a"; "." none is shown), the
 * images ("1"), the replicas, and what else there is: '-' well, '<' not all available, '~' rolling,
 * '!' given up, '?' well, but nothing shows that it is, 'p' paused, 'c' another ConfigMap, 'n' made
 * just now, 'j' a CronJob, 'x' the author says something new. "+60" is so many minutes in which
 * nobody pushes. */
static const struct row {
    const char *name, *snapshots;
    const char *said; /* events as they come, with what has changed and how long it took: minutes */
} rows[] = {
    {"what is seen for the first time is not new", "a13-", ""},
    {"nothing happens", "a13- a13- a13-", ""},
    {"a replica is missing", "a13- a13< a13-", ""},
    {"another image", "a13- b23~ b23< b23-", "started(image) finished/2"},
    {"between two snapshots", "a13- b23-", "started(image) finished/0"},
    {"the same image, restarted", "a13- b13~ b13-", "started(template) finished/1"},
    {"no revision is shown", ".13- .23~ .23-", "started(image) finished/1"},
    {"nor are images", "..3- ..3-", ""},
    {"the revision is shown from now on", ".13- a13- a13-", ""},
    {"and not any more", "a13- .13- a13-", ""},
    {"the spec comes first, the ReplicaSet later", "a13- a23~ b23~ b23-",
     "started(image) finished/1"},
    {"a third before the second was through", "a13- b23~ c33~ c33-",
     "started(image) started(image) finished/1"},

    {"its controller gives up", "a13- b23~ b23! b23!", "started(image) stalled/1"},
    {"and it goes on", "a13- b23~ b23! b23~ b23-", "started(image) stalled/1 finished/3"},
    {"an hour is long enough", "a13- b23~ +59 b23~ b23~", "started(image) stalled/61"},
    {"also when replicas are missing", "a13- b23< +61 b23<", "started(image) stalled/62"},
    {"an hour sharp is not", "a13- b23~ +59 b23~", "started(image)"},
    {"a rollout that is paused is none", "a13- b23~ b23~p +90 b23~p b23-",
     "started(image) finished/93"},
    {"one that has stalled stalls once", "a13- b23~ +90 b23~ +90 b23~",
     "started(image) stalled/91"},
    {"nothing shows that it is through", "a13- b23~ b23?", "started(image)"},
    {"until something does", "a13- b23~ b23? b23? b23-", "started(image) finished/3"},
    {"for an hour: nobody knows", "a13- b23? +59 b23? b23? +90 b23- b23~ b23!", "started(image)"},
    {"that does not keep the next one from being seen", "a13- b23? +90 b23? c33~ c33-",
     "started(image) started(image) finished/1"},
    {"nothing shows that it went on", "a13- b23! b23? b23-", "started(image) stalled/0 finished/2"},
    {"nor when it was paused", "a13- b23?p +90 b23?p b23-", "started(image) finished/92"},

    {"replicas are missing without a rollout", "a13- +90 a13< +90 a13!", ""},

    {"back", "a13- b23~ a13~ a13-", "started(image) rolled_back(image) finished/1"},
    {"back after it had stalled", "a13- b23! a13-",
     "started(image) stalled/0 rolled_back(image) finished/0"},
    {"back after it was through", "a13- b23- +600 a13-",
     "started(image) finished/0 rolled_back(image) finished/0"},
    {"back and forth", "a13- b23- a13- b23-",
     "started(image) finished/0 rolled_back(image) finished/0 started(image) finished/0"},
    {"and back again", "a13- b23~ a13~ b23~ a13~",
     "started(image) rolled_back(image) started(image) rolled_back(image)"},
    {"the one before the last is another deploy", "a13- b23- c33- a13-",
     "started(image) finished/0 started(image) finished/0 started(image) finished/0"},
    {"back by images alone", ".13- .23- .13-",
     "started(image) finished/0 rolled_back(image) finished/0"},

    {"more replicas", "a13- a15< a15-", "changed(scale)"},
    {"to none", "a13- a10-", "changed(scale)"},
    {"an autoscaler sets them", "a1.- a1.-", ""},
    {"from now on", "a13- a1.- a15-", ""},
    {"scaled while it is rolled out", "a13- b23~ b25~ b25-",
     "started(image) changed(scale) finished/2"},
    {"scaled with it", "a13- b25~ b25-", "started(image scale) finished/1"},
    {"another ConfigMap", "a13- a13-c a13-", "changed(configuration)"},
    {"with another template", "a13- b13~c b13-", "started(template configuration) finished/1"},

    {"a new workload", "| a13<n a13-", "started(created) finished/1"},
    {"that never works", "| a13<n a13!", "started(created) stalled/1"},
    {"made long ago and not shown before", "| a13- a13-", ""},
    {"one that was gone", "a13- | b23-", ""},
    {"a CronJob has no rollout", ".1.-j .2.-j", "changed(image)"},
    {"nor a new one", "| .1.-jn .1.-j", "changed(created)"},
    {"what the author says counts with a change", "a13- b23-x a13- a13-x",
     "started(image)! finished/0 rolled_back(image) finished/0"},
};

struct story {
    const char *at;
    int64_t now;
    bool is_known;
    struct deploy_memory memory;
    struct buf said;
};

static uint64_t number_of(char letter)
{
    return letter == '.' ? 0 : (unsigned char)letter;
}

static struct deploy_sight sight_of(const char *word, size_t n)
{
    struct str more = {word + 3, n - 3};
    struct deploy_sight sight = {.key = 7,
                                 .version = {number_of(word[0]), number_of(word[1])},
                                 .replicas = word[2] == '.' ? NUMBER_ABSENT : word[2] - '0',
                                 .cause = str_has(more, STR("x")) ? 99 : 0,
                                 .rolls = !str_has(more, STR("j")),
                                 .paused = str_has(more, STR("p")),
                                 .complete = str_has(more, STR("-")) || str_has(more, STR("?")),
                                 .unsure = str_has(more, STR("?")),
                                 .stuck = str_has(more, STR("!")),
                                 .created = str_has(more, STR("n")),
                                 .configured = str_has(more, STR("c"))};
    return sight;
}

static void say(struct story *story, const struct deploy_step *step)
{
    struct str changes = deploy_changes_text(arena, step->changes);
    if (step->change)
        buf_printf(&story->said, "%s%" STR_FMT "(%" STR_FMT ")%s", story->said.n ? " " : "",
                   STR_ARG(deploy_event_name(step->change)), STR_ARG(changes),
                   step->has_cause ? "!" : "");
    if (step->progress)
        buf_printf(&story->said, "%s%" STR_FMT "/%lld", story->said.n ? " " : "",
                   STR_ARG(deploy_event_name(step->progress)),
                   (long long)((story->now - step->began) / CLOCK_MINUTE));
}

/* What is remembered goes through its bytes from snapshot to snapshot. */
static void keep(struct deploy_memory *memory)
{
    struct deploy_state state = {.workloads = {.items = memory, .n = 1}}, read;
    assert_true(deploy_state_unpack(arena, deploy_state_pack(arena, &state), &read));
    assert_int_equal(read.workloads.n, 1);
    *memory = read.workloads.items[0];
}

static void tell(struct story *story, struct str word)
{
    int64_t minutes;
    story->now += CLOCK_MINUTE;
    if (str_eq(word, STR("|"))) {
        story->is_known = false;
        return;
    }
    if (word.p[0] == '+') {
        assert_true(str_to_i64(str_sub(word, 1, word.n), &minutes));
        story->now += (minutes - 1) * CLOCK_MINUTE;
        return;
    }
    struct deploy_sight sight = sight_of(word.p, word.n);
    struct deploy_step step =
        deploy_judge(story->is_known ? &story->memory : NULL, &sight, story->now);
    say(story, &step);
    story->memory = step.next;
    story->is_known = true;
    keep(&story->memory);
}

static void is_told_by_snapshots(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct story story = {.now = CLOCK_DAY, .said = buf_init(arena, 4096)};
        struct str rest = str_of(rows[i].snapshots), word;
        while (str_next_word(&rest, &word))
            tell(&story, word);
        if (!str_eq(buf_str(&story.said), str_of(rows[i].said)))
            fail_msg("%s: \"%" STR_FMT "\"", rows[i].name, STR_ARG(buf_str(&story.said)));
    }
}

static void names(void **state)
{
    (void)state;
    for (int event = DEPLOY_STARTED; event < DEPLOY_EVENTS; event++)
        assert_int_equal(deploy_event_find(deploy_event_name((enum deploy_event)event)), event);
    assert_int_equal(deploy_event_find(STR("")), DEPLOY_NONE);
    assert_int_equal(deploy_event_find(STR("Started")), DEPLOY_NONE);
    assert_true(str_eq(deploy_changes_text(arena, 0), STR("")));
    assert_true(
        str_eq(deploy_changes_text(arena, 31), STR("created image template scale configuration")));
}

/* Its kind is that of the snapshot, whatever is remembered. */
static void the_kind_is_that_of_the_snapshot(void **unused)
{
    (void)unused;
    struct deploy_sight sight = sight_of("a13-", 4);
    struct deploy_memory was = {.kind = DEPLOY_DEPLOYMENT, .key = sight.key};
    sight.kind = DEPLOY_CRONJOB;
    assert_int_equal(deploy_judge(NULL, &sight, CLOCK_DAY).next.kind, DEPLOY_CRONJOB);
    assert_int_equal(deploy_judge(&was, &sight, CLOCK_DAY).next.kind, DEPLOY_CRONJOB);
}

/* ---- bytes ---- */

static struct deploy_memory whole(void)
{
    struct deploy_memory memory = {.kind = DEPLOY_ROLLOUT,
                                   .key = UINT64_MAX,
                                   .version = {1, UINT64_MAX},
                                   .previous = {0, 5},
                                   .replicas = INT32_MAX,
                                   .cause = 3,
                                   .phase = DEPLOY_STUCK,
                                   .began = 1763800000123,
                                   .has_decision = true};
    memcpy(memory.decision, "0123456789abcdef", DEPLOY_DECISION);
    return memory;
}

static void bytes(void **unused)
{
    (void)unused;
    struct deploy_memory memories[] = {whole(), {.replicas = NUMBER_ABSENT, .began = TIME_NONE}};
    struct deploy_config_memory config = {8, 9};
    struct deploy_state state = {{memories, 2, 0}, {&config, 1, 0}}, read;
    struct str packed = deploy_state_pack(arena, &state);
    assert_true(deploy_state_unpack(arena, packed, &read));
    assert_true(str_eq(deploy_state_pack(arena, &read), packed));
    const struct deploy_memory *m = &read.workloads.items[0];
    assert_true(m->key == UINT64_MAX && m->version.images == UINT64_MAX && m->previous.images == 5);
    assert_true(m->replicas == INT32_MAX && m->cause == 3 && m->phase == DEPLOY_STUCK);
    assert_true(m->kind == DEPLOY_ROLLOUT);
    assert_true(m->began == 1763800000123 && m->has_decision);
    assert_memory_equal(m->decision, "0123456789abcdef", DEPLOY_DECISION);
    m = &read.workloads.items[1];
    assert_true(m->replicas == NUMBER_ABSENT && m->began == TIME_NONE && !m->has_decision);
    assert_true(read.configs.n == 1 && read.configs.items[0].version == 9);
    for (size_t n = 0; n < packed.n; n++)
        assert_false(deploy_state_unpack(arena, str_sub(packed, 0, n), &read));
    assert_false(
        deploy_state_unpack(arena, arena_printf(arena, "%" STR_FMT "x", STR_ARG(packed)), &read));
    char *other = arena_bytes(arena, packed.n);
    memcpy(other, packed.p, packed.n);
    other[0]++;
    assert_false(deploy_state_unpack(arena, (struct str){other, packed.n}, &read));
    assert_true(packed.n <= 128);
}

/* Whatever byte is another one: it is read or refused, and nothing else. */
static void broken_bytes(void **unused)
{
    (void)unused;
    struct deploy_memory memory = whole();
    struct deploy_config_memory config = {8, 9};
    struct deploy_state state = {{&memory, 1, 0}, {&config, 1, 0}}, read;
    struct str packed = deploy_state_pack(arena, &state);
    size_t refused = 0;
    for (size_t i = 0; i < packed.n; i++)
        for (int bit = 0; bit < 8; bit++) {
            char *other = arena_bytes(arena, packed.n);
            memcpy(other, packed.p, packed.n);
            other[i] = (char)(other[i] ^ 1 << bit);
            if (!deploy_state_unpack(arena, (struct str){other, packed.n}, &read))
                refused++;
            else
                assert_true(deploy_state_pack(arena, &read).n <= 2 * packed.n);
        }
    assert_true(refused > 8);
}

static void when_to_look_again(void **unused)
{
    (void)unused;
    struct deploy_memory memories[2] = {whole(), whole()};
    struct deploy_state state = {{memories, 2, 0}, {NULL, 0, 0}};
    int64_t began = memories[0].began, hour = CLOCK_HOUR;
    assert_int_equal(deploy_state_due(&state, began + 5), began + 5 + DEPLOY_LOOK_MS);
    memories[1].phase = DEPLOY_ROLLING;
    assert_int_equal(deploy_state_due(&state, began + 5), began + 5);
    assert_int_equal(deploy_state_due(&state, began + hour), began + hour);
    assert_int_equal(deploy_state_due(&state, began + hour + 1), began + hour + 1 + DEPLOY_LOOK_MS);
    memories[0].phase = memories[1].phase = DEPLOY_IDLE;
    assert_int_equal(deploy_state_due(&state, began), TIME_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_told_by_snapshots),
        cmocka_unit_test(names),
        cmocka_unit_test(the_kind_is_that_of_the_snapshot),
        cmocka_unit_test(bytes),
        cmocka_unit_test(broken_bytes),
        cmocka_unit_test(when_to_look_again),
    };
    return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
