#include "web/judging.h"

static bool is_late(const void *context)
{
    const struct judging *judging = context;
    return clock_monotonic() > judging->deadline;
}

void judging_begin(struct judging *judging, struct request *r)
{
    const struct conf *conf = r->conf;
    *judging = (struct judging){.r = r};
    judging->deadline = clock_monotonic() + conf->score_deadline * CLOCK_SECOND;
    judging->limits =
        (struct effort_limits){.steps_least = (uint64_t)conf->score_steps_least * 1000,
                               .steps_per_kib = (uint64_t)conf->score_steps,
                               .is_late = is_late,
                               .context = judging};
}

static str_list words_of(struct arena *arena, struct str text)
{
    struct str rest = text, word;
    str_list words = {0};
    while (str_next_word(&rest, &word))
        words.n++;
    LIST_ROOM(arena, words);
    while (str_next_word(&text, &word))
        LIST_PUT(words, word);
    return words;
}

struct score_policy judging_policy(struct request *r)
{
    struct score_policy policy = score_policy_default();
    struct str namespaces =
        arena_printf(r->arena, "%s %s", r->conf->system_namespaces.s, r->conf->agent_namespace.s);
    policy.system_namespaces = words_of(r->arena, namespaces);
    policy.trusted_registries = words_of(r->arena, str_of(r->conf->trusted_registries.s));
    policy.components = words_of(r->arena, str_of(r->conf->components.s));
    policy.allow_exemptions = r->conf->allow_exemptions != 0;
    return policy;
}

bool judging_reads_deploys(const struct request *r)
{
    return strcmp(r->conf->deploys_in_score.s, "on") == 0;
}

enum error judging_guard(struct judging *judging, void (*work)(void *context), void *context)
{
    struct request *r = judging->r;
    if (arena_guard(r->arena, work, context))
        return judging->error;
    if (!judging->effort || judging->effort->end == EFFORT_FINE)
        arena_exhaust(r->arena); /* of memory: that is the loop's business */
    return refuse(r, ERR_TOO_COMPLEX, "The snapshot is too complex: %" STR_FMT ".",
                  STR_ARG(effort_text(r->arena, judging->effort)));
}
