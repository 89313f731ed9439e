#include "offline/found.h"

enum { COLLECTION_MAX = 64 };

static bool has_suffix(struct str path, struct str suffix)
{
    return str_has_suffix(path, suffix) && path.n > suffix.n;
}

/* Without an ending that is read; the path itself when it has none of these. */
static struct str without_ending(struct str path)
{
    static const char *const endings[] = {".json", ".yaml", ".yml"};
    struct str plain = path;
    if (has_suffix(plain, STR(".gz")))
        plain.n -= 3;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (has_suffix(plain, str_of(endings[i])))
            return str_sub(plain, 0, plain.n - strlen(endings[i]));
    return path;
}

static bool is_hidden(struct str part)
{
    return part.n > 1 && part.p[0] == '.' && !str_eq(part, STR(".."));
}

const char *found_passed(struct str path)
{
    static const char *const logs[] = {"logs", "podlogs", NULL};
    struct str rest = path, part;
    while (str_cut(rest, '/', &part, &rest))
        if (str_in(part, logs))
            return "a log";
        else if (is_hidden(part))
            return "hidden";
    if (is_hidden(part))
        return "hidden";
    return without_ending(path).n < path.n ? NULL : "its name does not end in .json, .yaml or .yml";
}

/* "pods", and of a singular "pod", "ingress", "network-policy". */
static enum kind kind_of_word(struct str word)
{
    static const struct {
        struct str ending, plural;
    } forms[] = {
        {STR(""), STR("")}, {STR(""), STR("s")}, {STR(""), STR("es")}, {STR("y"), STR("ies")}};
    char name[COLLECTION_MAX];
    if (word.n == 0 || word.n > COLLECTION_MAX - 3)
        return KIND_NONE;
    memcpy(name, word.p, word.n);
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        size_t n = word.n - forms[i].ending.n;
        if (!str_has_suffix(word, forms[i].ending))
            continue;
        memcpy(name + n, forms[i].plural.p, forms[i].plural.n);
        enum kind kind = kind_of_collection((struct str){name, n + forms[i].plural.n});
        if (kind != KIND_NONE)
            return kind;
    }
    return KIND_NONE;
}

enum kind found_kind(struct str path)
{
    struct str directory, file, parent, last;
    if (!str_cut_last(path, '/', &directory, &file)) {
        file = path;
        directory = (struct str){NULL, 0};
    }
    file = without_ending(file);
    enum kind kind = kind_of_word(file);
    if (kind == KIND_NONE && str_cut_last(file, '_', NULL, &last))
        kind = kind_of_word(last);
    if (kind == KIND_NONE && directory.n) {
        if (!str_cut_last(directory, '/', NULL, &parent))
            parent = directory;
        kind = kind_of_word(parent);
    }
    return kind;
}
