/* judge: what unit tests of checks share: a small document in, verdicts out.
 *
 * Documents are JSON with ' in the place of ", so that they read well in C. They are judged at
 * JUDGE_TIME with all namespaces and the default policy otherwise.
 */
#ifndef LOADLINE_TESTS_JUDGE_H
#define LOADLINE_TESTS_JUDGE_H

#include "reader/snapshot_reader.h"
#include "score/score.h"

#define JUDGE_TIME "2026-03-17T12:00:00Z"

/* A document of one object: POD("'containers':[...]") is a Pod "a" in namespace "shop". */
#define OBJECT(version, kind, meta, rest)                                                          \
    "{'apiVersion':'" version "','kind':'" kind "','metadata':{'name':'a','namespace':'shop'" meta \
    "}" rest "}"
#define POD(spec) OBJECT("v1", "Pod", "", ",'spec':{" spec "}")
/* A Deployment "a" with this pod spec in its template. */
#define DEPLOYMENT(spec)                                                                           \
    OBJECT("apps/v1", "Deployment", "", ",'spec':{'template':{'spec':{" spec "}}}")
/* A List of the objects given, separated by commas. */
#define DOCUMENT(items) "{'apiVersion':'v1','kind':'List','items':[" items "]}"

struct judgement {
    struct arena *arena;
    struct cluster *cluster;
    struct ledger *ledger;
};

/* Fails the running test when the document cannot be read. policy NULL: the default with all
 * namespaces. Close with judgement_close. */
struct judgement judgement_open(const char *document, const struct score_policy *policy);
void judgement_close(struct judgement *judgement);

/* NULL when the check does not fail for the resource ("pod/a"). */
const struct risk *judgement_risk(const struct judgement *judgement, const char *check,
                                  const char *resource);
/* FAILED when there is such a risk; else PASSED when the check evaluated any object at all: a row
 * that must tell PASSED from NOT_EVALUATED holds one object of the kind asked. */
enum verdict judgement_verdict(const struct judgement *judgement, const char *check,
                               const char *resource);

struct judge_row {
    const char *name, *document, *resource;
    const char *expected; /* "privileged-container=fail host-pid=pass naked-pod=none" */
};

/* Asserts every expectation of every row; names the row and the check that differ. */
void judge_rows(const struct judge_row *rows, size_t n);

#endif
