#include "reader/kept_spec.h"

void spec_look_begin(struct spec_look *look, struct kept_spec *expected)
{
    look->expected = expected;
    look->taken = NULL;
    look->met = 0;
}

bool kept_spec_is(const struct kept_spec *spec, const struct read_setting *setting, struct str text)
{
    struct content_hash hash;
    return text.n == spec->n && read_setting_hash(setting, text, &hash) &&
           content_hash_eq(&hash, &spec->hash);
}

static void jump(struct decoder *decoder, const struct kept_spec *spec, struct str text)
{
    struct kept_text now = {.raw = text_view_of(&text),
                            .edits = spec->edits,
                            .edits_n = spec->edits_n,
                            .room = decoder->spec->room};
    struct text_view view = kept_text_view(&now);
    struct str seen = spec->edits_n ? text_view_all(&view) : text;
    kept_edits_note(decoder->repeats, jr_offset(decoder->jr), spec->edits, spec->edits_n);
    if (decoder->spec->scrub) { /* nothing was cut of the pod, so nothing would be of this */
        jr_jump(decoder->jr, spec->n, &STR(""));
        scrub_pass(decoder->spec->scrub, seen);
    } else {
        jr_jump(decoder->jr, spec->n, NULL);
    }
}

const struct pod *kept_spec_take(struct decoder *decoder)
{
    struct spec_look *look = decoder->spec;
    struct jr *jr = decoder->jr;
    if (!look || look->met++)
        return NULL;
    struct kept_spec *spec = look->expected;
    if (!spec || !spec->pod || jr_is_marked(jr) || jr_depth(jr) > spec->depth)
        return NULL;
    struct str text = str_sub(jr_ahead(jr, spec->n), 0, spec->n);
    if (!text.n || text.p[text.n - 1] != '}' || !kept_spec_is(spec, look->setting, text))
        return NULL;
    jump(decoder, spec, text);
    look->taken = spec;
    return spec->pod;
}

void kept_spec_note(struct decoder *decoder, uint64_t from)
{
    struct spec_look *look = decoder->spec;
    if (!look)
        return;
    uint64_t n = jr_offset(decoder->jr) - from;
    look->from = from;
    look->n = n > UINT32_MAX ? 0 : (uint32_t)n;
    look->depth = jr_depth(decoder->jr);
}
