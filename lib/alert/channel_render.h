/* channel_render: for the renderers, channel_NAME.c: how they write text that comes from clusters.
 */
#ifndef LOADLINE_ALERT_CHANNEL_RENDER_H
#define LOADLINE_ALERT_CHANNEL_RENDER_H

#include "alert/alert.h"
#include "codec/jw.h"

/* In characters as receivers count them: UTF-16. Slack refuses a message of which a section has
 * more than 3,000. */
enum { CHANNEL_TITLE_MAX = 2000, CHANNEL_DETAIL_MAX = 3000 };
#define CHANNEL_SOURCE     STR("loadline")
#define CHANNEL_ZERO_WIDTH "\xE2\x80\x8B"

/* What one character becomes. Absent: itself. */
typedef struct str channel_escape(char c);
channel_escape channel_escape_nothing;

/* At most max characters, escapes counted and never cut; what is longer ends with an ellipsis. */
struct str channel_text(struct arena *arena, struct str s, channel_escape *escape, size_t max);
/* "Score Drop, 2026-03-17T12:00:00.000Z, loadline" */
struct str channel_footer(struct arena *arena, const struct alert_message *message);

#endif
