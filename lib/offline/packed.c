#include "offline/packed.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <locale.h>
#include <stdlib.h>

struct packed {
    struct source from;
    struct archive *archive;
    locale_t utf8; /* for the names of files; 0: there is none */
    bool failed;
    bool nameless; /* it failed at a name */
    char window[64 * 1024];
};

static la_ssize_t read_packed(struct archive *archive, void *context, const void **bytes)
{
    struct packed *packed = context;
    ptrdiff_t n = packed->from.read(packed->from.context, packed->window, sizeof packed->window);
    if (n < 0)
        archive_set_error(archive, EIO, "it cannot be read any further");
    *bytes = packed->window;
    return n;
}

struct packed *packed_open(struct source from)
{
    struct packed *packed = calloc(1, sizeof *packed);
    struct archive *archive = packed ? archive_read_new() : NULL;
    if (!archive) {
        free(packed);
        return NULL;
    }
    packed->from = from;
    packed->archive = archive;
    packed->utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    archive_read_support_format_tar(archive);
    archive_read_support_format_zip_streamable(archive);
    packed->failed = archive_read_open(archive, packed, NULL, read_packed, NULL) < ARCHIVE_WARN;
    return packed;
}

void packed_close(struct packed *packed)
{
    if (!packed)
        return;
    archive_read_free(packed->archive);
    if (packed->utf8)
        freelocale(packed->utf8);
    free(packed);
}

static ptrdiff_t read_file(void *context, char *dst, size_t cap)
{
    struct packed *packed = context;
    la_ssize_t n = packed->failed ? -1 : archive_read_data(packed->archive, dst, cap);
    packed->failed |= n < 0;
    return n < 0 ? -1 : n;
}

static bool read_header(struct packed *packed, struct packed_file *file)
{
    struct archive_entry *entry;
    int code = packed->failed ? ARCHIVE_FATAL : archive_read_next_header(packed->archive, &entry);
    packed->failed |= code < ARCHIVE_WARN;
    if (packed->failed || code == ARCHIVE_EOF)
        return false;
    const char *name = archive_entry_pathname(entry);
    packed->nameless = !name;
    packed->failed = !name;
    if (!name)
        return false;
    *file = (struct packed_file){.name = str_of(name),
                                 .regular = archive_entry_filetype(entry) == AE_IFREG &&
                                            !archive_entry_hardlink(entry),
                                 .source = {read_file, packed}};
    return true;
}

/* The library turns names into those of the thread's locale, and has none for what cannot be
 * written there. In one of UTF-8 all text can be. */
bool packed_next(struct packed *packed, struct packed_file *file)
{
    locale_t former = uselocale(packed->utf8);
    bool found = read_header(packed, file);
    uselocale(former);
    return found;
}

const char *packed_error(const struct packed *packed)
{
    if (packed->nameless)
        return "the name of a file in it cannot be read; pack it anew with names in UTF-8";
    const char *text = packed->failed ? archive_error_string(packed->archive) : NULL;
    return packed->failed && !text ? "it is damaged" : text;
}
