/* fcgi_connection: what is set for a connection of the web server, whoever reads and writes on it.
 */
#ifndef LOADLINE_SERVICE_FCGI_CONNECTION_H
#define LOADLINE_SERVICE_FCGI_CONNECTION_H

#include <stdint.h>

/* Which listening socket of this host it is: the same number in all its workers. */
uint64_t fcgi_listener(int fd);

/* While the head of a request is read, a web server that says nothing for two seconds is given up,
 * whatever has come of it. A body may take longer. What ends the body comes with it, or within
 * 100 ms. */
void fcgi_limit_head(int fd);
void fcgi_allow_body(int fd);
void fcgi_limit_end(int fd);

/* A web server that takes nothing of an answer for a minute is given up, and the request with it.
 */
void fcgi_limit_writes(int fd);

/* Of a large answer the web server finds little at a time: of more than 64 KiB at once lighttpd
 * makes a temporary file, and that costs as much as all else it does. The kernel takes twice the
 * number, overhead included. Others go out whole, and the worker waits for nobody. */
void fcgi_limit_room(int fd);

/* The web server may still be sending the body: it has its answer now and closes. What it has sent
 * until then is taken off the connection, or it might wait for room and not read the answer. Waits
 * two seconds for more, and takes no more after two seconds. */
void fcgi_take_off(int fd);

#endif
