#include "kube/credential.h"

#include "base/asserts.h"

enum { WORDS_MAX = 32, WORD_MAX = 24 };

/* ---- lists of words ---- */

/* What a word says in a name, as bits. */
enum {
    IS_SECRET = 1,        /* it is a secret on its own */
    MAKES_KEY_SECRET = 2, /* a key is a secret with it before: a CACHE_KEY is none */
    MAKES_PUBLIC = 4,     /* with it before, a key or token is for everybody to see, or a name */
    NAMES_SOMETHING_ELSE = 8, /* at the end: where a secret is, or something about it */
    GOES_ON = 16,             /* behind a secret: whose or which it is: DB_PASSWORD_PROD */
    FILE_EXTENSION = 32,      /* "token-rules.yaml" holds rules: only the end says what is in it */
    MAKES_PROPERTY = 64, /* "client.secret" is a property. Of other words before a dot it may be
                          * the name of a Secret, under which OpenShift keeps its checksum. */
    SPEAKS_OF_IT = 128,  /* behind a secret: something about it, though not always at the end */
    IS_AMBIGUOUS = 256   /* a secret at the end only: PASS_HOST_HEADERS, PWD_FOO */
};

static const struct {
    unsigned says;
    const char *words;
} WORDS[] = {
    {IS_SECRET, "pass pwd passphrase apikey secretkey creds accesskey privatekey apitoken "
                "requirepass masterauth storepass keypass dbpass rootpass userpass adminpass"},
    {IS_AMBIGUOUS, "pass pwd"},
    {MAKES_KEY_SECRET,
     "access account api auth client crypt encryption master private secret session "
     "shared signing storage"},
    {MAKES_PUBLIC, "anon gpg pull foreign partition primary pub public publishable site sort "
                   "verification verify max min num next hash range row hot"},
    {NAMES_SOMETHING_ELSE,
     "address age alg algo algorithm algorithms arn attempts attribute audience "
     "audiences backend bits bucket burst bytes cache capacity chars claim class "
     "column config configmap contract cookie cost count days delay dir directory "
     "disabled domain driver duration enabled encoder encoding endpoint engine exp "
     "expiration expire expires expiry field file filename files folder format grace "
     "hasher hashing header hint host hours id ids index interval issuer issuers "
     "iterations kid kind label leeway length level lifespan lifetime limit limits "
     "location manager max method methods millis min minutes mode mount ms name "
     "names namespace ns param parameter path paths pattern period plugin policy "
     "port prefix processor profile protocol provider providers rate realm ref "
     "reference refresh regex region required resolver retention retries role "
     "rotation rounds scheme scope scopes sec seconds secs separator server service "
     "size skew source storage store strategy strength suffix table template "
     "threshold timeout ttl type types uri url urls user username users validation "
     "validator validity version volume window"},
    {GOES_ON, "admin app base64 b64 current db default dev development encoded main new old "
              "plain plaintext prev previous prod production root secondary stage staging "
              "string test text val value"},
    {FILE_EXTENSION, "cfg conf ini json properties rules sh toml txt xml yaml yml"},
    {MAKES_PROPERTY, "api app auth client consumer cookie hmac jwt oauth oauth2 session shared "
                     "signing token user webhook"},
    {SPEAKS_OF_IT,
     "allowed annotation annotations authentication check clock complexity controller "
     "day exchange generator grant hash hour labels lookup mapping minute "
     "operator page placeholder prompt reset review reviewer rule rules schema "
     "selector status sync"},
};

enum { SLOTS = 1024, SLOT_MAX = 16 };

static struct {
    char word[SLOT_MAX]; /* "": free */
    unsigned says;
} slots[SLOTS];

static unsigned slot_of(struct str word)
{
    uint32_t hash = (uint32_t)word.n;
    for (size_t i = 0; i < word.n; i++)
        hash = (hash ^ (unsigned char)word.p[i]) * 0x01000193u;
    return (hash ^ hash >> 15) % SLOTS;
}

/* Where the word is, or would be. */
static unsigned find_slot(struct str word)
{
    unsigned slot = slot_of(word);
    while (slots[slot].word[0] &&
           (memcmp(slots[slot].word, word.p, word.n) != 0 || slots[slot].word[word.n]))
        slot = (slot + 1) % SLOTS;
    return slot;
}

static void fill_slots(void)
{
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++) {
        struct str rest = str_of(WORDS[i].words), word;
        while (str_next_word(&rest, &word)) {
            assert(word.n < SLOT_MAX);
            unsigned slot = find_slot(word);
            memcpy(slots[slot].word, word.p, word.n);
            slots[slot].says |= WORDS[i].says;
        }
    }
}

/* "mysqlpassword", "dbpasswd": at the end of another word, too. */
static bool ends_as_secret(struct str word)
{
    static const char *const endings[] = {"password",    "passwd",     "secret", "token",
                                          "credentials", "credential", NULL};
    if (word.n < 5 || !memchr("dtsnl", word.p[word.n - 1], 5))
        return false;
    for (const char *const *ending = endings; *ending; ending++)
        if (str_has_suffix(word, str_of(*ending)))
            return true;
    return false;
}

/* "passwords": several of them, or how many. */
static bool is_plural(struct str word)
{
    return word.n && word.p[word.n - 1] == 's' && ends_as_secret(str_sub(word, 0, word.n - 1));
}

static unsigned says(struct str word)
{
    static bool filled;
    if (!filled)
        fill_slots();
    filled = true;
    unsigned bits = word.n < SLOT_MAX ? slots[find_slot(word)].says : 0;
    if (word.n && word.p[0] >= '0' && word.p[0] <= '9')
        bits |= GOES_ON;
    return bits | (ends_as_secret(word) ? IS_SECRET : 0);
}

/* ---- words ---- */

/* A name as lower-case words: "dbPassword", "DB_PASSWORD" and "db-password" are the same two. Of a
 * longer word the end is kept, which is what tells. */
struct words {
    char text[WORDS_MAX][WORD_MAX];
    unsigned says[WORDS_MAX];
    size_t n;
};

static bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

static bool is_alphanumeric(char c)
{
    return is_upper(c) || is_lower(c) || (c >= '0' && c <= '9');
}

/* Does a word start at i? After anything that is no letter, and at the hump of camelCase, where
 * the last capital of "APIToken" belongs to the word that follows. */
static bool word_starts(struct str name, size_t i)
{
    if (!is_alphanumeric(name.p[i]))
        return false;
    if (i == 0 || !is_alphanumeric(name.p[i - 1]))
        return true;
    if (!is_upper(name.p[i]))
        return false;
    return is_lower(name.p[i - 1]) ||
           (is_upper(name.p[i - 1]) && i + 1 < name.n && is_lower(name.p[i + 1]));
}

/* "password2" is a password, too: the digits behind a word say which one. */
static void end_word(struct words *words, size_t length)
{
    if (!words->n)
        return;
    char *word = words->text[words->n - 1];
    size_t letters = length;
    unsigned bits = says((struct str){word, length});
    while (letters && word[letters - 1] >= '0' && word[letters - 1] <= '9')
        letters--;
    if (!bits && letters && letters < length) {
        bits = says((struct str){word, letters});
        length = letters;
    }
    word[length] = '\0';
    words->says[words->n - 1] = bits;
}

static void split(struct str name, struct words *words)
{
    size_t length = 0;
    words->n = 0;
    for (size_t i = 0; i < name.n; i++) {
        if (word_starts(name, i)) {
            end_word(words, length);
            length = 0;
            if (words->n == WORDS_MAX)
                return;
            words->n++;
        }
        if (!is_alphanumeric(name.p[i]))
            continue;
        char *word = words->text[words->n - 1];
        if (length + 1 == WORD_MAX)
            memmove(word, word + 1, --length);
        word[length++] = str_lower(name.p[i]);
    }
    end_word(words, length);
}

/* ---- the name ---- */

static bool is_word(const struct words *words, size_t at, const char *word)
{
    return strcmp(words->text[at], word) == 0;
}

static unsigned said_before(const struct words *words, size_t at)
{
    return at ? words->says[at - 1] : 0;
}

/* Does a word that stands for a secret end at this one? */
static bool secret_ends(const struct words *words, size_t at)
{
    if (is_word(words, at, "key"))
        return said_before(words, at) & MAKES_KEY_SECRET;
    return words->says[at] & IS_SECRET && !(said_before(words, at) & MAKES_PUBLIC);
}

static bool secrets_end(const struct words *words, size_t at)
{
    return is_plural(str_of(words->text[at])) && !(said_before(words, at) & MAKES_PUBLIC);
}

static enum credential_name name_of_file(const struct words *words)
{
    if (words->n && secret_ends(words, words->n - 1))
        return CREDENTIAL_NAME_SECRET;
    return words->n && secrets_end(words, words->n - 1) ? CREDENTIAL_NAME_LIKELY
                                                        : CREDENTIAL_NAME_NONE;
}

static bool is_key(const struct words *words)
{
    return words->n > 1 && is_word(words, words->n - 1, "key") &&
           !(said_before(words, words->n - 1) & MAKES_PUBLIC);
}

/* Words behind a secret say whose it is, unless they are known to speak of something else. */
static enum credential_name name_of_words(const struct words *words)
{
    bool only_goes_on = true;
    unsigned behind = 0;
    for (size_t at = words->n; at-- > 0; behind |= words->says[at]) {
        bool other = behind & (NAMES_SOMETHING_ELSE | SPEAKS_OF_IT);
        if (secret_ends(words, at) && only_goes_on)
            return CREDENTIAL_NAME_SECRET;
        if (secret_ends(words, at))
            return other || words->says[at] & IS_AMBIGUOUS ? CREDENTIAL_NAME_HINT
                                                           : CREDENTIAL_NAME_LIKELY;
        if (secrets_end(words, at) && !other)
            return CREDENTIAL_NAME_LIKELY;
        only_goes_on &= (words->says[at] & GOES_ON) != 0;
    }
    return is_key(words) ? CREDENTIAL_NAME_HINT : CREDENTIAL_NAME_NONE;
}

enum credential_name credential_name(struct str name)
{
    struct words words;
    split(name, &words);
    if (words.n == 0)
        return CREDENTIAL_NAME_NONE;
    unsigned last = words.says[words.n - 1];
    if (words.n > 1 && last & FILE_EXTENSION && str_has(name, STR("."))) {
        words.n--;
        return name_of_file(&words);
    }
    if (last & NAMES_SOMETHING_ELSE || str_eq(name, STR("PWD")) ||
        str_eq(name, STR("OLDPWD"))) /* the shell's directories */
        return CREDENTIAL_NAME_NONE;
    if (str_has_suffix(name, STR(".secret")) && words.n > 1 &&
        !(said_before(&words, words.n - 1) & MAKES_PROPERTY))
        return CREDENTIAL_NAME_OBJECT;
    return name_of_words(&words);
}

/* Images of Bitnami (ALLOW_EMPTY_PASSWORD), MySQL, MariaDB (MARIADB_ALLOW_EMPTY_ROOT_PASSWORD). */
static bool names_waiver(struct str name)
{
    return (str_eq(name, STR("ALLOW_EMPTY_PASSWORD")) ||
            str_has_suffix(name, STR("_ALLOW_EMPTY_PASSWORD")) ||
            str_has_suffix(name, STR("_ALLOW_EMPTY_ROOT_PASSWORD")));
}

/* MySQL's and MariaDB's images take any text for yes; Bitnami's only these. */
bool credential_waived(struct str name, struct str value)
{
    static const char *const words[] = {"yes", "true", "1", "on", NULL};
    if (!names_waiver(name))
        return false;
    for (const char *const *word = words; *word; word++)
        if (str_eq_nocase(value, str_of(*word)))
            return true;
    return false;
}
