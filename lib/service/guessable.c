#include "service/guessable.h"

#include <math.h>
#include <zxcvbn.h>

#include "service/crypt.h"

enum { EMAIL_MAX = 254, PARTS_MAX = 32, PART_MIN = 3 };

struct parts {
    char text[2 * (EMAIL_MAX + 1)]; /* the address, then its parts, each with a NUL */
    const char *words[PARTS_MAX + 1];
    size_t n;
};

static void add(struct parts *parts, const char *word)
{
    if (parts->n < PARTS_MAX && strlen(word) >= PART_MIN)
        parts->words[parts->n++] = word;
}

/* ada.lovelace@example.com: the whole, ada, lovelace, example, com; before the @ and behind it. */
static void split(struct str email, struct parts *parts)
{
    *parts = (struct parts){.n = 0};
    if (email.n == 0 || email.n > EMAIL_MAX)
        return;
    char *piece = parts->text + email.n + 1;
    memcpy(parts->text, email.p, email.n);
    memcpy(piece, email.p, email.n);
    add(parts, parts->text);
    for (char *p = piece; piece; piece = p) {
        p = strpbrk(piece, "@.+-_");
        if (p)
            *p++ = '\0';
        add(parts, piece);
    }
}

bool guessable(struct str password, struct str email, int64_t guesses)
{
    char text[GUESSABLE_BYTES + 1];
    struct parts parts;
    if (guesses <= 0)
        return false;
    struct str head = str_sub(password, 0, GUESSABLE_BYTES);
    if (head.n)
        memcpy(text, head.p, head.n);
    text[head.n] = '\0';
    split(email, &parts);
    double bits = ZxcvbnMatch(text, parts.words, NULL);
    crypt_wipe(text, sizeof text);
    return bits < log2((double)guesses);
}
