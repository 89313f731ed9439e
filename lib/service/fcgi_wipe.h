/* fcgi_wipe: passwords, cookies and keys come in with a request, and libfcgi frees its memory as it
 * is. */
#ifndef LOADLINE_SERVICE_FCGI_WIPE_H
#define LOADLINE_SERVICE_FCGI_WIPE_H

#include <fcgiapp.h>

/* Overwrites what libfcgi has read of a request that has begun and is over: the buffer of its
 * connection, and its variables. */
void fcgi_wipe(const FCGX_Request *request);

#endif
