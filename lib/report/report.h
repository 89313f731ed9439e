/* report: a ledger as JSON, as SARIF and as a table for people. Output goes to a sink in pieces, so
 * a ledger of any size costs little memory. Same ledger, same bytes. */
#ifndef LOADLINE_REPORT_REPORT_H
#define LOADLINE_REPORT_REPORT_H

#include "codec/jw.h"
#include "codec/source.h"
#include "report/extras.h"
#include "score/score.h"

/* What the snapshots of a cluster show of it: "namespaces", some of them only, or "cluster". */
struct str report_scope(bool partial);

/* How a file was judged. */
struct report_terms {
    bool partial;            /* as of score_policy */
    int64_t time;            /* at which; TIME_NONE leaves it out */
    const char *time_source; /* "option", "snapshot" (when it was taken, as its objects tell) or
                                "clock" */
    bool later_left_out;     /* of "snapshot": it also has later times, of another look */
};

/* {"csc_score", "score_exact", "decision", "verdict", "hazard", "formula", "scope", "time",
 * "time_source", "categories", "coverage", "risks": [all of them]}. False when the sink refused. */
bool report_json(struct arena *arena, const struct ledger *ledger, struct report_terms terms,
                 const struct report_extras *extras, struct sink out);

/* SARIF 2.1.0 (OASIS). artifact: the name of the file that was scored, for what stands nowhere. */
bool report_sarif(struct arena *arena, const struct ledger *ledger, struct str artifact,
                  const struct report_extras *extras, struct sink out);

/* JUnit's XML: a test suite a category, a test case a check. With a baseline only what is new
 * fails. */
bool report_junit(struct arena *arena, const struct ledger *ledger,
                  const struct report_extras *extras, struct sink out);

/* One page of HTML that needs nothing from elsewhere and runs no scripts. */
bool report_html(struct arena *arena, const struct ledger *ledger, struct report_terms terms,
                 const struct report_extras *extras, struct sink out);

struct report_style {
    uint32_t top; /* checks shown, costliest first */
    bool color;   /* ANSI escapes */
    struct report_terms terms;
    const struct report_extras *extras;
};
bool report_text(struct arena *arena, const struct ledger *ledger, struct report_style style,
                 struct sink out);

/* The text with ? for each byte of what nobody sees (str_visible_length()): what a snapshot holds
 * must not steer a terminal, nor mislead its reader. The text itself when it is all printable
 * ASCII; a copy ends with a NUL. */
struct str report_plain(struct arena *arena, struct str text);

/* One check as its row tells it, with its cost; and all of them, a line each. */
void report_check(struct buf *out, const struct check *check);
void report_checks(struct buf *out);

/* {"policy": {"lost", "hazard", "checks", "evaluated"}, ...}: what each has lost in points, its
 * part of the hazard, and how many of its checks had something to judge. */
void report_categories(struct jw *w, const struct category_result categories[CATEGORY_COUNT]);

/* {"objects", "kinds": [{"kind", "api_version", "objects"}]}: what the snapshot holds of kinds that
 * no check is about; of the kinds at most `most`, those of most objects. */
void report_unread(struct jw *w, unread_list unread, uint32_t most);

/* "Widget (3), Gadget (1) and 2 more kinds": the same in words, without what would steer a
 * terminal.
 */
enum { REPORT_UNREAD_NAMED = 6 };
void report_unread_words(struct buf *out, unread_list unread);

/* The members that tell of a risk's exemption: one that holds, has expired or is to come. */
void report_exemption(struct jw *w, const struct risk *risk);
/* One risk as the API's object. scope: "cluster" or "change". first_seen: TIME_NONE leaves the
 * member out. */
void report_risk(struct jw *w, const struct risk *risk, struct str scope, int64_t first_seen);
/* The same as members of the object that is open. */
void report_risk_members(struct jw *w, const struct risk *risk, struct str scope,
                         int64_t first_seen);

#endif
