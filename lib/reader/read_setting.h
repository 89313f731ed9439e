/* read_setting: what an object is read under: the kind that its list tells, the redaction and the
 * list's API version. Only what was read under the same becomes the same. */
#ifndef LOADLINE_READER_READ_SETTING_H
#define LOADLINE_READER_READ_SETTING_H

#include "codec/content_hash.h"
#include "kube/kinds.h"

enum { READ_SETTING_VERSION_MAX = 128 };

/* Begins as {0}. */
struct read_setting {
    struct {
        uint32_t hint, redaction;
        uint64_t version_n;
        char version[READ_SETTING_VERSION_MAX];
    } of;                     /* what is hashed, as far as the version goes */
    struct content_hash hash; /* of it alone */
    bool known;
};

/* Takes over what is current; mostly it is that of the object before. False when the version is too
 * long, or when content_hash() fails. */
bool read_setting_take(struct read_setting *setting, enum kind hint, uint32_t redaction,
                       struct str version);
/* The hash of a text that is read under it. */
bool read_setting_hash(const struct read_setting *setting, struct str text,
                       struct content_hash *hash);

#endif
