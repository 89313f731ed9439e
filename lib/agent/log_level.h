/* log_level: how bad a line of a log is, as its program wrote it: a member or key such as "level",
 * klog's first letter, or a word such as ERROR.
 */
#ifndef LOADLINE_AGENT_LOG_LEVEL_H
#define LOADLINE_AGENT_LOG_LEVEL_H

#include "reader/log_push.h"

/* LOG_ERROR or LOG_FATAL; LOG_INFO for all else. Only the first 4 KiB are looked at. */
enum log_severity log_level(struct str line);

#endif
