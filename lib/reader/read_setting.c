#include "reader/read_setting.h"

#include <stddef.h>
#include <string.h>

/* What is left of the version's room does not count: the text tells by itself where it ends. */
static struct str setting_text(const struct read_setting *setting)
{
    size_t n = offsetof(struct read_setting, of.version) + setting->of.version_n;
    return (struct str){(const char *)&setting->of, n};
}

bool read_setting_take(struct read_setting *setting, enum kind hint, uint32_t redaction,
                       struct str version)
{
    if (version.n > READ_SETTING_VERSION_MAX)
        return false;
    if (setting->known && setting->of.hint == hint && setting->of.redaction == redaction &&
        str_eq(version, (struct str){setting->of.version, setting->of.version_n}))
        return true;
    setting->of.hint = hint;
    setting->of.redaction = redaction;
    setting->of.version_n = version.n;
    if (version.n)
        memcpy(setting->of.version, version.p, version.n);
    setting->known = content_hash(setting_text(setting), STR(""), &setting->hash);
    return setting->known;
}

bool read_setting_hash(const struct read_setting *setting, struct str text,
                       struct content_hash *hash)
{
    return content_hash(setting_text(setting), text, hash);
}
