/* stamp: when a job of this host ended well the last time. It is the time of an empty file beside
 * waiting_file, so it is forgotten when the host boots. */
#ifndef LOADLINE_SERVICE_STAMP_H
#define LOADLINE_SERVICE_STAMP_H

#include "service/conf.h"

/* The directory of waiting_file: what runs on this host has its files there. */
void stamp_directory(const struct conf *conf, char directory[CONF_TEXT_MAX + 1]);

/* The job has ended well, now. Where that cannot be written, nobody will know. */
void stamp_set(const struct conf *conf, const char *job);
/* Milliseconds; TIME_NONE: not since the host has booted, or not to be seen. */
int64_t stamp_time(const struct conf *conf, const char *job);

#endif
