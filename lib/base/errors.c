#include "base/errors.h"

static const struct row {
    int status;
    struct str code, sentence;
} rows[ERR_COUNT] = {
    [ERR_OK] = {200, STR("ok"), STR("")},
#define ERROR(name, status, code, sentence)                                                        \
    [ERR_##name] = {status, {code, sizeof(code) - 1}, {sentence, sizeof(sentence) - 1}},
#include "base/errors.def"
#undef ERROR
};

int error_status(enum error e)
{
    return rows[e].status;
}

struct str error_code(enum error e)
{
    return rows[e].code;
}

struct str error_sentence(enum error e)
{
    return rows[e].sentence;
}

enum error error_of_status(int status)
{
    for (int e = 1; e < ERR_COUNT; e++)
        if (rows[e].status == status)
            return (enum error)e;
    return status < 500 ? ERR_BAD_REQUEST : ERR_INTERNAL;
}
