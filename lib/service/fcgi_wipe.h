/* fcgi_wipe: passwords, cookies and keys come in with a request, and libfcgi frees its memory as it
 * is. */
#ifndef LOADLINE_SERVICE_FCGI_WIPE_H
#define LOADLINE_SERVICE_FCGI_WIPE_H

/* Overwrites the buffer of a stream of libfcgi, by what is behind its `data` and by where it reads
 * (`rdNext`), and the variables of the request, a list that ends with NULL. */
void fcgi_wipe(const void *data, const unsigned char *at, char **variables);

#endif
