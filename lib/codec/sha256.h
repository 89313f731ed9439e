/* sha256: the SHA-256 of a text in parts: names content for whoever must come to the same name. */
#ifndef LOADLINE_CODEC_SHA256_H
#define LOADLINE_CODEC_SHA256_H

#include "base/str.h"

enum { SHA256 = 32 };

/* Of the n parts one after another. */
void sha256(const struct str *parts, size_t n, unsigned char digest[SHA256]);

#endif
