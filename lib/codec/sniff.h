/* sniff: what a document is, by its first bytes. */
#ifndef LOADLINE_CODEC_SNIFF_H
#define LOADLINE_CODEC_SNIFF_H

#include "base/str.h"

enum { SNIFF_BYTES = 512 }; /* of a document that are enough to tell */

enum content {
    CONTENT_EMPTY, /* nothing but white space */
    CONTENT_JSON,  /* begins with { or [ */
    CONTENT_TEXT,  /* other text: YAML, perhaps */
    CONTENT_UTF16, /* text in UTF-16, with or without a byte order mark */
    CONTENT_GZIP,
    CONTENT_ZSTD,
    CONTENT_TAR,
    CONTENT_ZIP,
    CONTENT_BINARY, /* holds a NUL, and is none of the above */
};

/* start: the first SNIFF_BYTES bytes, or all of a shorter document. */
enum content sniff(struct str start);

/* What some programs put before UTF-8. */
enum { SNIFF_BOM_BYTES = 3 };
bool sniff_has_bom(struct str start);

/* Does a text begin as YAML does: with "---", "%YAML", a comment or "key:"? */
bool sniff_is_yaml(struct str start);

#endif
