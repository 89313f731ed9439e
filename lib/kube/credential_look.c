#include "kube/credential_look.h"

static bool is_word_end(unsigned char c)
{
    return c <= ' ' || credential_is_quote((char)c);
}

static bool is_token_char(char c)
{
    return credential_is_letter(c) || credential_is_digit(c) || (c && memchr("._~+/=-", c, 7));
}

static bool stops(enum credential_stop stop, char c)
{
    switch (stop) {
    case CREDENTIAL_STOP_WORD:
        return is_word_end((unsigned char)c);
    case CREDENTIAL_STOP_AUTHORITY:
        return c && memchr("/?#,<>\\", c, 7);
    case CREDENTIAL_STOP_LINE:
        return (unsigned char)c < ' ' || memchr("\"'`\\]", c, 5);
    case CREDENTIAL_STOP_TOKEN:
        return !is_token_char(c);
    case CREDENTIAL_STOP_NAME:
        return !credential_is_name_char(c);
    case CREDENTIAL_STOP_OBJECT:
        return !credential_is_object_char(c);
    case CREDENTIAL_STOP_ARGUMENT:
        return is_word_end((unsigned char)c) || memchr("|;&", c, 3);
    case CREDENTIAL_STOP_LETTER:
        return credential_is_letter(c);
    case CREDENTIAL_STOP_DIGIT:
        return credential_is_digit(c);
    case CREDENTIAL_STOP_BARE:
        return is_word_end((unsigned char)c) || memchr(";&\\<>|,", c, 7);
    default:
        return false;
    }
}

/* A bit for each thing that a byte stops. */
static const uint16_t *classes(void)
{
    static uint16_t of[256];
    static bool made;
    if (made)
        return of;
    for (unsigned c = 0; c < 256; c++)
        for (unsigned stop = 0; stop < CREDENTIAL_STOP_ADDRESS; stop++)
            of[c] |= (uint16_t)(stops((enum credential_stop)stop, (char)c) << stop);
    made = true;
    return of;
}

void credential_look_init(struct credential_look *look, struct str text)
{
    look->text = text; /* member by member: of most texts nothing else is ever asked for */
    look->known = look->runs_n = 0;
    look->back_from = look->back = 0;
    look->named = (struct credential_range){0, 0};
    look->steps = 0;
}

/* ---- forward ---- */

/* "a=b,password=x,c=d": what follows a comma is another setting. */
static bool another_setting(struct credential_look *look, size_t comma)
{
    enum { NAME_MAX_BYTES = 64 };
    size_t from = comma + 1;
    size_t to = credential_look_for(look, CREDENTIAL_STOP_NAME, from, NAME_MAX_BYTES);
    return to > from && to < look->text.n && look->text.p[to] == '=';
}

static size_t read_address(struct str text, size_t at, size_t end)
{
    size_t n = end < text.n - 2 ? end + 2 - at : text.n - at;
    const char *found = n > 2 ? memmem(text.p + at, n, "://", 3) : NULL;
    return found ? (size_t)(found - text.p) : end;
}

/* Reads on from `at`. Where it stops, or `end`. */
static size_t read_on(struct credential_look *look, enum credential_stop stop, size_t at,
                      size_t end)
{
    const uint16_t *class = classes(), bit = (uint16_t)(1u << stop);
    const char *p = look->text.p;
    size_t from = at;
    if (stop == CREDENTIAL_STOP_ADDRESS) {
        at = look->text.n > 2 ? read_address(look->text, at, end) : end;
    } else {
        while (at < end && !(class[(unsigned char)p[at]] & bit))
            at++;
        while (stop == CREDENTIAL_STOP_BARE && at < end && p[at] == ',' &&
               !another_setting(look, at))
            for (at++; at < end && !(class[(unsigned char)p[at]] & bit);)
                at++;
    }
    look->steps += at - from + 1;
    return at;
}

static size_t end_of(const struct credential_look *look, size_t from, size_t most)
{
    return most < look->text.n - from ? from + most : look->text.n;
}

/* Is what is known enough to answer? Else from where on it must be read. */
static bool answer(struct credential_seen *seen, bool known, size_t from, size_t end, size_t *at)
{
    if (!known || from < seen->from || from > seen->to)
        *seen = (struct credential_seen){.from = from, .to = from};
    *at = seen->to < end ? seen->to : end;
    return seen->ends || *at == end;
}

static size_t note(struct credential_seen *seen, size_t at, size_t end)
{
    seen->to = at;
    seen->ends = at < end;
    return at;
}

size_t credential_look_for(struct credential_look *look, enum credential_stop stop, size_t from,
                           size_t most)
{
    struct credential_seen *seen = &look->seen[stop];
    size_t at, end;
    if (from >= look->text.n)
        return look->text.n;
    end = end_of(look, from, most);
    bool known = look->known & 1u << stop;
    look->known |= 1u << stop;
    return answer(seen, known, from, end, &at) ? at : note(seen, read_on(look, stop, at, end), end);
}

bool credential_look_has(struct credential_look *look, enum credential_stop stop, size_t from,
                         size_t to)
{
    size_t n = stop == CREDENTIAL_STOP_ADDRESS ? 2 : 0;
    return from + n < to && credential_look_for(look, stop, from, to - n - from) < to - n;
}

static struct credential_run *run_of(struct credential_look *look, const char *also)
{
    unsigned i = 0;
    while (i < look->runs_n && strcmp(look->runs[i].also, also) != 0)
        i++;
    if (i == look->runs_n && i < CREDENTIAL_RUNS)
        look->runs_n++;
    else if (i < look->runs_n)
        return &look->runs[i];
    struct credential_run *run = &look->runs[look->runs_n - 1];
    *run = (struct credential_run){.also = also};
    return run;
}

size_t credential_look_run(struct credential_look *look, const char *also, size_t from, size_t most)
{
    struct credential_run *run = run_of(look, also);
    const char *p = look->text.p;
    size_t at, end = end_of(look, from, most), n = strlen(also);
    if (answer(&run->seen, true, from, end, &at))
        return at;
    for (; at < end &&
           (credential_is_letter(p[at]) || credential_is_digit(p[at]) || memchr(also, p[at], n));
         at++)
        look->steps++;
    return note(&run->seen, at, end);
}

/* ---- back ---- */

size_t credential_look_back(struct credential_look *look, size_t at)
{
    struct str text = look->text;
    size_t from = look->back_from, least = at > CREDENTIAL_LOOK ? at - CREDENTIAL_LOOK : 0;
    if (from < least || from > at)
        from = look->back = least;
    for (; from < at; from++, look->steps++)
        if (is_word_end((unsigned char)text.p[from]) || text.p[from] == '=')
            look->back = from + 1;
    look->back_from = at;
    return look->back > least ? look->back : least;
}
