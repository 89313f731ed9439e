#include "reader/misfit.h"

enum { SHOWN_MAX = 40 }; /* bytes of a text */

static const char *const TYPES[] = {
    [JR_OBJECT] = "an object", [JR_ARRAY] = "a list", [JR_STRING] = "a string",
    [JR_NUMBER] = "a number",  [JR_TRUE] = "true",    [JR_FALSE] = "false",
};

/* "a string or a number" */
static const char *words_of(struct arena *arena, unsigned accepts)
{
    struct str words = {NULL, 0};
    for (enum jr_type type = JR_OBJECT; type < JR_NULL; type++)
        if (accepts >> type & 1)
            words = arena_printf(arena, "%" STR_FMT "%s%s", STR_ARG(words), words.n ? " or " : "",
                                 TYPES[type]);
    return words.p;
}

/* What stands there again is told again. */
static void tell(struct decoder *decoder, const char *is, const char *wanted)
{
    const struct snapshot_visitor *visitor = decoder->misfits;
    struct snapshot_misfit misfit = {.at = jr_offset(decoder->jr),
                                     .field = jr_field(decoder->jr, decoder->item_depth),
                                     .is = is,
                                     .wanted = wanted};
    repeat_cache_forget(decoder->repeats);
    visitor->misfit(visitor->context, &misfit);
}

void misfit_note(struct decoder *decoder, enum jr_type type, unsigned accepts)
{
    if (decoder->misfits && type != JR_NULL && !decoder->stopped)
        tell(decoder, TYPES[type], words_of(decoder->scratch, accepts));
}

void misfit_note_field(struct decoder *decoder, enum jr_type type, const struct field *field)
{
    if (!field)
        return;
    bool number = field->type == FIELD_NUMBER || field->type == FIELD_QUANTITY;
    /* a text that is a number is taken, too */
    misfit_note(decoder, type, number ? ACCEPTS(NUMBER) : field->accepts);
}

void misfit_note_number(struct decoder *decoder, const char *wanted)
{
    if (!decoder->misfits)
        return;
    struct str text = str_utf8_prefix(jr_text(decoder->jr), SHOWN_MAX);
    tell(decoder, arena_printf(decoder->scratch, "\"%" STR_FMT "\"", STR_ARG(text)).p, wanted);
}
