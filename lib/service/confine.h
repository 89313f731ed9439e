/* confine: what a program that answers requests may ask of the kernel from now on. The only module
 * that knows libseccomp.
 *
 * Whoever takes over a worker by a hostile document then cannot start another program, listen for
 * connections, make memory executable or gain rights. What is allowed is the list of syscalls.def.
 */
#ifndef LOADLINE_SERVICE_CONFINE_H
#define LOADLINE_SERVICE_CONFINE_H

#include <stdbool.h>

/* For this process and all of its threads, and for good: there is no way back. Files that are open
 * and sockets that listen already stay usable. False when the kernel has no such filter, or not
 * for this architecture; rights can then not be gained all the same.
 *
 * A call that is not on the list fails with ENOSYS, as on an older kernel, so that a library takes
 * the way it knows for that; one that is refused on purpose with EPERM. Nothing is killed: a
 * library that tries something new must not end a worker. Under ASan there is no filter, because
 * the sanitizer needs more. */
bool confine(void);

#endif
