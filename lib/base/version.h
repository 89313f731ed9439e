/* version: of everything in this tree, and the one place that says so. Programs and scripts print
 * it (--version), GET /health and GET /metrics tell it, reports and webhooks carry it. CHANGELOG.md
 * says what is in it; tests/lint/version.t compares them. */
#ifndef LOADLINE_BASE_VERSION_H
#define LOADLINE_BASE_VERSION_H

#define LOADLINE_VERSION "0.1.0"

/* The newest migration in sql/: a database that lacks it is refused. */
enum { LOADLINE_SCHEMA = 41 };

#endif
