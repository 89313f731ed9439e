/* fcgi_records: an answer as FastCGI records, gathered and sent in few system calls. libfcgi would
 * make a record and a system call of every 8 KiB, and the web server would be woken by each.
 */
#ifndef LOADLINE_SERVICE_FCGI_RECORDS_H
#define LOADLINE_SERVICE_FCGI_RECORDS_H

#include "base/str.h"

enum { FCGI_RECORD_MAX = 65528, FCGI_RECORDS = 2 };

/* What has not gone out yet. Zeroed before an answer begins. */
struct fcgi_records {
    char bytes[FCGI_RECORDS * FCGI_RECORD_MAX];
    size_t n;
    bool gone; /* the other end takes nothing any more: what follows is dropped */
};

/* Bytes of the answer to this request of the connection: kept here, and sent when enough of them
 * are together. False when the other end is gone. */
bool fcgi_records_put(struct fcgi_records *records, int fd, int request, struct str bytes);
/* Sends what is here. end: the answer is whole, and the request over. */
bool fcgi_records_flush(struct fcgi_records *records, int fd, int request, bool end);

#endif
