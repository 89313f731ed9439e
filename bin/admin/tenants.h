/* tenants: the list of all tenants, for who operates the service. */
#ifndef LOADLINE_BIN_ADMIN_TENANTS_H
#define LOADLINE_BIN_ADMIN_TENANTS_H

#include "service/program.h"

/* Prints a line for each. */
enum error admin_tenants_list(struct program *program);

#endif
