#include "store/api_use_text.h"

#include "base/buf.h"

enum { TEXT_MAX = 1024 * 1024, RESOURCE_MAX = 512 };

/* Tabs and ends of lines are ours. */
static void put_word(struct buf *out, struct str word)
{
    word = str_utf8_prefix(word, RESOURCE_MAX);
    for (size_t i = 0; i < word.n; i++)
        buf_putc(out, (unsigned char)word.p[i] < ' ' ? '?' : word.p[i]);
    buf_putc(out, '\t');
}

/* minor that removes it, kind, version, replacement, objects, namespace and name of one of them */
struct str api_use_text(struct arena *arena, const api_use_list *uses)
{
    struct buf out = buf_init(arena, TEXT_MAX);
    const struct api_use *use;
    LIST_EACH (use, *uses) {
        buf_printf(&out, "%lld\t", (long long)use->removal->removed);
        put_word(&out, use->removal->kind);
        put_word(&out, use->removal->api_version);
        put_word(&out, use->removal->replacement);
        buf_printf(&out, "%u\t", use->objects);
        put_word(&out, use->sample->meta.namespace);
        put_word(&out, resource_name(arena, use->sample));
        buf_putc(&out, '\n');
    }
    return out.n ? buf_str(&out) : STR("");
}

static int64_t number_of(struct str text)
{
    int64_t n;
    return str_to_i64(text, &n) ? n : 0;
}

gate_api_list api_use_read(struct arena *arena, struct str text)
{
    gate_api_list list = {0};
    struct str line;
    while (text.n) {
        struct str field[7] = {{0}};
        str_cut(text, '\n', &line, &text);
        for (size_t i = 0; i < sizeof field / sizeof *field; i++)
            str_cut(line, '\t', &field[i], &line);
        LIST_ADD(arena, list,
                 ((struct gate_api){.removed = number_of(field[0]),
                                    .kind = field[1],
                                    .api_version = field[2],
                                    .replacement = field[3],
                                    .objects = number_of(field[4]),
                                    .namespace = field[5],
                                    .resource = field[6]}));
    }
    return list;
}
