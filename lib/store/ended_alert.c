#include "store/ended_alert.h"

#define STATEMENTS "store/ended_alert.def"
#include "db/statements.inc"

static int threshold_of(const struct alert_setup *setup, struct str id)
{
    const struct alert_rule *rule;
    LIST_EACH (rule, setup->rules)
        if (str_eq(rule->id, id))
            return rule->threshold;
    return 0;
}

enum error ended_alert_keep(struct db *db, struct arena *arena, struct str cluster,
                            const struct alert_setup *setup, const alert_state_list *states,
                            int64_t taken)
{
    struct ended_alert_put_args *args = ARENA_ARRAY(arena, states->n, struct ended_alert_put_args);
    for (uint32_t i = 0; i < states->n; i++) {
        const struct alert_state *state = &states->items[i];
        bool recovered = state->clear_since != TIME_NONE;
        char id[UUID_TEXT_LEN + 1];
        rand_uuid(id);
        args[i] = STMT_ARGS(
            ended_alert_put, .cluster = cluster, .ended_at = recovered ? state->clear_since : taken,
            .alert_id = arena_str(arena, str_of(id)), .rule_id = state->rule,
            .threshold = threshold_of(setup, state->rule), .subject = state->subject,
            .since = state->since, .sent_at = state->sent, .recovered = recovered);
    }
    return DB_RUN_MANY(db, arena, ended_alert_put, args, states->n);
}

/* What the row does not say, because it follows. */
static void complete(struct ended_alert *alert)
{
    alert->kind = alert_kind_name(alert->subject.n ? ALERT_DEGRADED_APP : ALERT_SCORE_DROP);
    if (!str_eq(alert->rule, STR(ALERT_CATCH_ALL_ID)))
        return;
    alert->rule = (struct str){0};
    alert->threshold = ALERT_CATCH_ALL;
}

enum error ended_alert_list(struct db *db, struct arena *arena,
                            const struct ended_alert_filter *filter, struct ended_alerts *alerts)
{
    const struct keyset *page = &filter->page;
    enum error e =
        DB_ROWS(db, arena, &alerts->items, &alerts->n, ended_alert_list, .from = filter->from,
                .to = filter->to, .before = page->before, .before_id = page->before_id,
                .name = filter->cluster_name, .limit = page->limit);
    for (size_t i = 0; !e && i < alerts->n; i++)
        complete(&alerts->items[i]);
    return e;
}
