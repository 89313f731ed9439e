#include "judge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#include "codec/source.h"

enum { CEILING = 64 * 1024 * 1024 };

static struct str with_double_quotes(struct arena *arena, const char *document)
{
    struct str text = arena_str(arena, str_of(document));
    char *p = (char *)text.p;
    for (size_t i = 0; i < text.n; i++)
        if (p[i] == '\'')
            p[i] = '"';
    return text;
}

static bool drop(void *context, struct str bytes)
{
    (void)context, (void)bytes;
    return true;
}

/* As a push is read: with redaction, which shares the reader's way through the document. */
struct judgement judgement_open(const char *document, const struct score_policy *policy)
{
    struct judgement judgement = {.arena = arena_new(CEILING)};
    struct score_policy all = score_policy_default();
    const struct sink kept = {drop, NULL};
    const struct snapshot_options options = {.redacted = &kept};
    struct snapshot_error error = {0};
    all.all_namespaces = true;
    struct str text = with_double_quotes(judgement.arena, document), bytes = text;
    judgement.cluster = snapshot_read(judgement.arena, source_of(&bytes), &options, &error);
    if (!judgement.cluster)
        fail_msg("cannot read, code %d at %llu: %s\n%s", (int)error.code,
                 (unsigned long long)error.json.offset, error.json.text ? error.json.text : "",
                 text.p);
    judgement.ledger = score(judgement.arena, judgement.cluster, policy ? policy : &all,
                             clock_parse(str_of(JUDGE_TIME)));
    return judgement;
}

void judgement_close(struct judgement *judgement)
{
    arena_free(judgement->arena);
}

const struct risk *judgement_risk(const struct judgement *judgement, const char *check,
                                  const char *resource)
{
    const struct risk *risk;
    LIST_EACH (risk, judgement->ledger->risks)
        if (str_eq(str_of(risk->check->id), str_of(check)) &&
            str_eq(risk->resource, str_of(resource)))
            return risk;
    return NULL;
}

enum verdict judgement_verdict(const struct judgement *judgement, const char *check,
                               const char *resource)
{
    const struct check *row = check_find(str_of(check));
    if (!row)
        fail_msg("there is no check %s", check);
    if (judgement_risk(judgement, check, resource))
        return FAILED;
    return judgement->ledger->checks[row - checks].evaluated ? PASSED : NOT_EVALUATED;
}

static const char *const verdict_words[] = {"none", "pass", "fail"};

static void expect_one(const struct judgement *judgement, const struct judge_row *row,
                       struct str expectation)
{
    struct str id, word;
    str_cut(expectation, '=', &id, &word);
    const char *check = arena_str(judgement->arena, id).p;
    const char *got = verdict_words[judgement_verdict(judgement, check, row->resource)];
    if (!str_eq(str_of(got), word))
        fail_msg("%s: %s is %s, expected %" STR_FMT, row->name, check, got, STR_ARG(word));
}

void judge_rows(const struct judge_row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct judgement judgement = judgement_open(rows[i].document, NULL);
        struct str rest = str_of(rows[i].expected), expectation;
        while (rest.n) {
            str_cut(rest, ' ', &expectation, &rest);
            if (expectation.n)
                expect_one(&judgement, &rows[i], expectation);
        }
        judgement_close(&judgement);
    }
}
