/* scope_line: the lines of scope_text(), written and read: fields that end with a tab. */
#ifndef LOADLINE_GATE_SCOPE_LINE_H
#define LOADLINE_GATE_SCOPE_LINE_H

#include "base/buf.h"
#include "kube/model.h"

/* The numbers of both stand in texts that are kept: they stay. */
/* Who feels it when the object is down? */
enum scope_role {
    SCOPE_ROLE_NONE,    /* who leans on it */
    SCOPE_ROLE_CLUSTER, /* all */
    SCOPE_ROLE_INGRESS  /* who is reached through ingress */
};

/* How far the rollout of a workload is. */
enum scope_state {
    SCOPE_STATE_NONE,
    SCOPE_STATE_ROLLING,
    SCOPE_STATE_STUCK,
    SCOPE_STATE_PAUSED,
    SCOPE_STATE_SUSPENDED
};

/* A field. NUMBER_ABSENT (TIME_NONE) is written, too. */
void scope_put_number(struct buf *out, int64_t n);
/* Whatever is in it is read back the same. */
void scope_put_text(struct buf *out, struct str text);
/* The same for a text of ours, which has nothing to escape. */
void scope_put_word(struct buf *out, struct str word);
/* As it stands in a line. */
struct str scope_escape(struct arena *arena, struct str text);

/* The next field, as it stands in the line, which goes on behind it. Empty at the end. */
struct str scope_field(struct str *line);
/* NUMBER_ABSENT when it is none. */
int64_t scope_number(struct str *line);
struct str scope_unescape(struct arena *arena, struct str field);

#endif
