/* credential_cut: takes secrets out of text and leaves the rest readable:
 * "curl -u ci:[redacted] https://example.com".
 *
 * A secret is what credential.h knows by its shape, and what stands behind a name that promises
 * one: "--token=x", "PGPASSWORD=x psql", "?sig=x", "Authorization: Bearer x", "password": "x".
 * Names as objects of Kubernetes have them ("sk-proj-api-7d9f8b6c5d-x2k4p") are never taken for
 * one. The time is linear in the length of the text, whatever is in it.
 */
#ifndef LOADLINE_KUBE_CREDENTIAL_CUT_H
#define LOADLINE_KUBE_CREDENTIAL_CUT_H

#include "base/list.h"
#include "base/triplets.h"
#include "kube/credential.h"

/* What a text has more of is cut from there to its end: it grows by 9 bytes a cut at most. */
enum { CREDENTIAL_CUTS_MAX = 64 };

typedef LIST(struct credential_range) credential_ranges;
/* The secrets of a text, in their order, which is what credential_cut() takes out of it. When they
 * are gone, nothing else is one. `found` is emptied first. */
void credential_find(struct arena *arena, struct str text, credential_ranges *found);
/* Has it any? */
bool credential_holds(struct str text);
/* For tests: the steps that one search of the text takes, of which a byte may cost some and no
 * more. Vector code counts as none. */
uint64_t credential_steps(struct str text);

/* The text without its secrets: itself when it has none, else a copy in the arena. Cutting the copy
 * again changes nothing. */
struct str credential_cut(struct arena *arena, struct str text);

/* ---- for who knows more than the text ---- */

/* What begins where something may be a secret. Most of it is none. */
enum credential_mark {
    CREDENTIAL_MARK_NAME,       /* part of a name that may promise a secret: "pas", "key" */
    CREDENTIAL_MARK_SHAPE,      /* the start of a known shape */
    CREDENTIAL_MARK_ADDRESS,    /* "://" */
    CREDENTIAL_MARK_AT,         /* "@tc": user:password@tcp(host) */
    CREDENTIAL_MARK_DASHES,     /* "---" */
    CREDENTIAL_MARK_HEADER,     /* of "authorization", in its middle */
    CREDENTIAL_MARK_BEARER,     /* of "bearer" */
    CREDENTIAL_MARK_BASIC,      /* of "basic", in its middle */
    CREDENTIAL_MARK_TOOL,       /* of "curl", "mysql" and the like */
    CREDENTIAL_MARK_IDENTIFIED, /* "by '": IDENTIFIED BY 'x' */
    CREDENTIAL_MARK_MANIFEST,   /* of "apiVersion" */
    CREDENTIAL_MARK_ESCAPE      /* of JSON: what stands there is to be decoded first */
};
/* The next mark of a search (base/triplets.h), text.n when there is none. The text may be JSON as
 * it stands: no secret in it is without a mark. */
size_t credential_mark(struct triplets_search *search, enum credential_mark *mark);

/* Of a member of an object, or a name and a value side by side: where the secret begins in the
 * value, which ends with it. False when there is none. */
bool credential_of_pair(struct str name, struct str value, size_t *from);

/* "--password": the argument that comes next is a secret. */
bool credential_is_option(struct str argument);

/* Programs that take a secret by an option of one letter. NULL: the argument, or the last part of
 * its path, is none of them. */
const struct credential_tool *credential_tool(struct str argument);
/* One argument of it: the secret begins there, in this argument, or (*next) is the next one. False
 * when it is neither. */
bool credential_tool_option(const struct credential_tool *tool, struct str argument, bool *next,
                            size_t *from);
/* Of the argument that comes next: where its secret begins; at its end when it has none. */
size_t credential_tool_value(const struct credential_tool *tool, struct str argument);

/* A whole object as somebody wrote it, JSON or YAML, with all that was in it. */
bool credential_is_manifest(struct str text);

#endif
