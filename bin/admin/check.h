/* check: what is wrong with Loadline on this host. */
#ifndef LOADLINE_BIN_ADMIN_CHECK_H
#define LOADLINE_BIN_ADMIN_CHECK_H

#include "findings.h"
#include "service/conf.h"
#include "store/server_state.h"

/* Looks at everything and prints it. False when something is wrong. Changes nothing. certificate:
 * the file of certificate, chain and key; NULL: that of a host. */
bool admin_check(const char *certificate, bool as_json);

/* ---- its parts: each adds one finding at least ---- */

void check_pools(struct findings *findings, const struct conf *conf);
void check_jobs(struct findings *findings, const struct conf *conf, int64_t now);
void check_certificate(struct findings *findings, const struct conf *conf, const char *file);
/* state: NULL when the server has not told. asked: when it was, by this host's clock. */
void check_clock(struct findings *findings, const struct server_state *state, int64_t asked);
void check_disk(struct findings *findings, const struct conf *conf,
                const struct server_state *state);

#endif
