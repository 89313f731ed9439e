/* render: a message as the body that a channel is posted.
 *
 * Names in it come from clusters, so whoever may create a deployment chooses them. Every value is
 * escaped for its format and stands where the receiver does not look for markup: nothing in a name
 * mentions anybody, links or formats. Bodies keep the receivers' limits of size.
 */
#ifndef LOADLINE_ALERT_RENDER_H
#define LOADLINE_ALERT_RENDER_H

#include "alert/alert.h"

enum alert_format {
    ALERT_SLACK,  /* incoming webhook: text, and blocks of plain text */
    ALERT_TEAMS,  /* Workflows: a message with an Adaptive Card */
    ALERT_WEBHOOK /* {event, title, detail, source, timestamp} */
};
/* "slack", "teams", "webhook" */
struct str alert_format_name(enum alert_format format);
bool alert_format_find(struct str name, enum alert_format *format);

enum { ALERT_BODY_MAX = 24 * 1024 /* Teams takes 28 KB */ };

/* Valid JSON of at most ALERT_BODY_MAX bytes. */
struct str alert_render(struct arena *arena, enum alert_format format,
                        const struct alert_message *message);

#endif
