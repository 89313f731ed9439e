/* jr_documents: JSON texts and what a strict reader makes of them. */
#ifndef LOADLINE_TESTS_UNIT_JR_DOCUMENTS_H
#define LOADLINE_TESTS_UNIT_JR_DOCUMENTS_H

#include "codec/jr.h"

struct jr_document {
    struct str text;
    enum jr_code code;
    uint64_t offset;  /* of the byte at fault */
    const char *json; /* right ones: decoded and written again; NULL: as it stands */
};

extern const struct jr_document JR_DOCUMENTS[];
extern const size_t JR_DOCUMENTS_COUNT;

#endif
