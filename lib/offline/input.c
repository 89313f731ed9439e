#include "offline/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "offline/found.h"
#include "offline/packed.h"
#include "offline/text.h"
#include "offline/tree.h"
#include "offline/unpack.h"
#include "offline/yaml.h"

/* Between two files: a file that is cut cannot go on in the next one. */
#define SEPARATOR STR("\nnull\n")

struct input {
    const char *const *names;
    size_t names_n, next;
    struct arena *arena;
    struct places places;
    uint32_t found; /* files in directories and archives */

    int fd;
    struct source stream;  /* given in place of names; read is NULL: none */
    struct unpack outer;   /* of what is named */
    struct tree *tree;     /* that is being walked, or NULL */
    struct packed *packed; /* that is being read, or NULL */
    struct str archive;    /* its name */

    struct unpack inner; /* of the current file */
    struct text text;
    struct yaml *yaml;
    struct source body; /* its JSON */
    bool open;
    struct str separator; /* what of it has not been handed on */

    uint64_t bytes;
    struct input_error error;
};

/* ---- errors and what is passed over ---- */

static struct place_file *current(const struct input *input)
{
    return &input->places.files.items[input->places.files.n - 1];
}

static bool failed(const struct input *input)
{
    return input->error.text.p != NULL;
}

static bool fail_at(struct input *input, struct str file, uint64_t line, uint64_t column,
                    const char *text)
{
    if (!failed(input))
        input->error = (struct input_error){.file = arena_str(input->arena, file),
                                            .line = line,
                                            .column = column,
                                            .text = arena_str(input->arena, str_of(text))};
    return false;
}

static bool fail(struct input *input, struct str file, const char *text)
{
    return fail_at(input, file, 0, 0, text);
}

static bool add_file(struct input *input, struct str name, bool found, const char *passed)
{
    struct place_file *file = places_add(&input->places, name);
    file->found = found;
    file->passed = passed;
    input->found += found;
    return input->found <= INPUT_FILES_MAX ||
           fail(input, name, "more than 100000 files; name the directory that has the objects");
}

/* ---- one file ---- */

static bool no_memory(struct input *input)
{
    return fail(input, current(input)->name, "no memory left");
}

static bool open_body(struct input *input)
{
    bool json = input->inner.content == CONTENT_JSON;
    current(input)->converted = !json;
    text_open(&input->text, input->inner.source, json);
    input->body = text_source(&input->text);
    if (!json) {
        input->yaml = yaml_open(input->body);
        if (!input->yaml)
            return no_memory(input);
        input->body = yaml_source(input->yaml);
    }
    input->separator = input->places.lines.offset ? SEPARATOR : STR("");
    input->open = true;
    return true;
}

static bool is_text(enum content content)
{
    return content == CONTENT_JSON || content == CONTENT_TEXT || content == CONTENT_UTF16 ||
           content == CONTENT_EMPTY;
}

static void close_file(struct input *input)
{
    yaml_close(input->yaml);
    input->yaml = NULL;
    unpack_close(&input->inner);
    input->open = false;
}

/* Why the current source failed. */
static bool fail_source(struct input *input)
{
    int code = errno;
    const char *packing = unpack_error(&input->inner);
    if (!packing)
        packing = unpack_error(&input->outer);
    if (!packing && input->packed)
        packing = packed_error(input->packed);
    return fail(input, current(input)->name, packing ? packing : strerror(code));
}

/* Opens a file in a directory or an archive. False on error; whether it is open then is another
 * thing. */
static bool open_found(struct input *input, struct str name, struct source source)
{
    if (!add_file(input, name, true, NULL))
        return false;
    if (!unpack_open(&input->inner, source, INPUT_INFLATED_MAX))
        return fail_source(input);
    if (is_text(input->inner.content))
        return open_body(input);
    if (input->inner.content == CONTENT_BINARY)
        return fail(input, name, "it is neither JSON nor YAML");
    current(input)->passed = "it is an archive";
    close_file(input);
    return true;
}

/* ---- what is named ---- */

static ptrdiff_t read_fd(void *context, char *dst, size_t cap)
{
    struct input *input = context;
    ssize_t n;
    if (input->stream.read)
        return input->stream.read(input->stream.context, dst, cap);
    do
        n = read(input->fd, dst, cap);
    while (n < 0 && errno == EINTR);
    input->bytes += n > 0 ? (uint64_t)n : 0;
    return n;
}

static void close_fd(struct input *input)
{
    if (input->fd > STDIN_FILENO)
        close(input->fd);
    input->fd = -1;
}

static bool open_packed(struct input *input, struct str name)
{
    input->packed = packed_open(input->outer.source);
    input->archive = name;
    return input->packed || fail(input, name, "no memory left");
}

/* A stream that is named: a file as it is, or an archive. */
static bool open_given(struct input *input, struct str name)
{
    struct source source = {read_fd, input};
    if (!unpack_open(&input->outer, source, INPUT_INFLATED_MAX)) {
        const char *packing = unpack_error(&input->outer);
        return fail(input, name, packing ? packing : strerror(errno));
    }
    if (input->outer.content == CONTENT_TAR || input->outer.content == CONTENT_ZIP)
        return open_packed(input, name);
    if (!is_text(input->outer.content))
        return fail(input, name,
                    "it is neither JSON, YAML nor an archive of these (tar, tgz, zip)");
    input->inner = (struct unpack){.source = input->outer.source, .content = input->outer.content};
    return add_file(input, name, false, NULL) && open_body(input);
}

static bool open_named(struct input *input, const char *name)
{
    struct stat status;
    bool standard = strcmp(name, "-") == 0;
    if (!standard && stat(name, &status) != 0)
        return fail(input, str_of(name), strerror(errno));
    if (!standard && S_ISDIR(status.st_mode)) {
        input->tree = tree_open(name);
        return input->tree || fail(input, str_of(name), strerror(errno));
    }
    input->fd = standard ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);
    if (input->fd < 0)
        return fail(input, str_of(name), strerror(errno));
    return open_given(input, str_of(name));
}

/* ---- the next file ---- */

/* Of an archive. False at its end and on error. */
static bool next_packed(struct input *input)
{
    struct packed_file file;
    if (!packed_next(input->packed, &file)) {
        const char *error = packed_error(input->packed);
        const char *packing = unpack_error(&input->outer);
        return error ? fail(input, input->archive, packing ? packing : error) : false;
    }
    struct str name = file.name;
    if (str_has_suffix(name, STR("/")))
        return true;
    const char *passed = file.regular ? found_passed(name) : "no ordinary file";
    name = arena_printf(input->arena, "%" STR_FMT "/%" STR_FMT, STR_ARG(input->archive),
                        STR_ARG(name));
    return passed ? add_file(input, name, true, passed) : open_found(input, name, file.source);
}

static bool next_in_tree(struct input *input)
{
    struct tree_file file;
    if (!tree_next(input->tree, &file)) {
        const char *path = file.path ? file.path : input->names[input->next - 1];
        return errno ? fail(input, str_of(path), strerror(errno)) : false;
    }
    struct str name = str_of(file.path);
    const char *passed = file.regular ? found_passed(str_of(file.below)) : "no ordinary file";
    if (passed)
        return add_file(input, name, true, passed);
    input->fd = open(file.path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (input->fd < 0)
        return fail(input, name, strerror(errno));
    return open_found(input, name, (struct source){read_fd, input});
}

/* What is named is at its end. */
static void close_given(struct input *input)
{
    tree_close(input->tree);
    input->tree = NULL;
    packed_close(input->packed);
    input->packed = NULL;
    unpack_close(&input->outer);
    close_fd(input);
}

/* Goes on until a file is open. False at the end and on error. */
static bool next_file(struct input *input)
{
    while (!input->open && !failed(input)) {
        if (input->packed && next_packed(input))
            continue;
        if (input->tree && !failed(input)) {
            close_fd(input);
            if (next_in_tree(input))
                continue;
        }
        if (failed(input))
            break;
        close_given(input);
        if (input->next == input->names_n)
            break;
        const char *name = input->names[input->next++];
        if (input->stream.read)
            open_given(input, str_of(name));
        else
            open_named(input, name);
    }
    return input->open && !failed(input);
}

/* ---- the stream ---- */

#define TEMPLATE                                                                                   \
    " (it holds {{: a template of Helm; render it first, as in: helm template CHART | "            \
    "loadline-score -)"

static bool fail_yaml(struct input *input, const struct yaml_error *error)
{
    bool template = input->text.braces;
    struct str text = arena_printf(input->arena, "%s%s", error->text, template ? TEMPLATE : "");
    return fail_at(input, current(input)->name, error->line, error->column, text.p);
}

static bool fail_reading(struct input *input)
{
    const struct yaml_error *yaml = input->yaml ? yaml_error(input->yaml) : NULL;
    struct str name = current(input)->name;
    if (input->text.stray_log)
        return fail_at(input, name, input->text.line, 0,
                       "the end of a pod's log that never began: a log in this dump has such lines "
                       "of its own; use kubectl cluster-info dump --output-directory");
    if (input->text.unended_log)
        return fail_at(input, name, input->text.log_line, 0, "the pod's log does not end");
    if (yaml && *yaml->text)
        return fail_yaml(input, yaml);
    return fail_source(input);
}

static ptrdiff_t hand_on(struct input *input, const char *bytes, ptrdiff_t n)
{
    lines_add(&input->places.lines, (struct str){bytes, (size_t)n});
    return n;
}

static ptrdiff_t read_separator(struct input *input, char *dst, size_t cap)
{
    struct str part = str_sub(input->separator, 0, cap);
    memcpy(dst, part.p, part.n);
    input->separator = str_sub(input->separator, part.n, input->separator.n);
    return hand_on(input, dst, (ptrdiff_t)part.n);
}

static ptrdiff_t read_input(void *context, char *dst, size_t cap)
{
    struct input *input = context;
    ptrdiff_t n;
    while (input->open || next_file(input)) {
        if (input->separator.n)
            return read_separator(input, dst, cap);
        if (input->separator.p) {
            places_begin(&input->places);
            input->separator.p = NULL;
        }
        n = input->body.read(input->body.context, dst, cap);
        if (n > 0 && input->packed && input->places.lines.offset > INPUT_INFLATED_MAX)
            fail(input, input->archive, "it has more than 4 GiB of objects");
        else if (n > 0)
            return hand_on(input, dst, n);
        else if (n < 0)
            fail_reading(input);
        places_end(&input->places);
        close_file(input);
        if (failed(input))
            break;
    }
    return failed(input) ? -1 : 0;
}

/* ---- what the reader asks and tells ---- */

static struct snapshot_origin find_origin(void *context, uint64_t offset)
{
    const struct input *input = context;
    const struct place_file *file = places_file(&input->places, offset);
    struct snapshot_origin origin = {.objects_only = file && file->found};
    if (origin.objects_only)
        origin.kind = found_kind(file->name);
    return origin;
}

struct snapshot_origins input_origins(struct input *input)
{
    return (struct snapshot_origins){find_origin, input};
}

void input_count(struct input *input, const struct snapshot_object *object)
{
    struct place_file *file = places_file(&input->places, object->from);
    if (file)
        file->objects++;
}

/* ---- opening ---- */

static struct input *new_input(void)
{
    struct input *input = calloc(1, sizeof *input);
    if (!input)
        return NULL;
    input->fd = -1;
    input->arena = arena_new(SIZE_MAX / 2);
    if (!input->arena) {
        free(input);
        return NULL;
    }
    places_init(&input->places, input->arena);
    return input;
}

struct input *input_open(const char *const *names, size_t n)
{
    struct input *input = new_input();
    if (input) {
        input->names = names;
        input->names_n = n;
    }
    return input;
}

struct input *input_open_stream(const char *const *name, struct source from)
{
    struct input *input = input_open(name, 1);
    if (input)
        input->stream = from;
    return input;
}

void input_close(struct input *input)
{
    if (!input)
        return;
    close_file(input);
    close_given(input);
    arena_free(input->arena);
    free(input);
}

struct source input_source(struct input *input)
{
    return (struct source){read_input, input};
}

const struct input_error *input_error(const struct input *input)
{
    return &input->error;
}

uint64_t input_bytes(const struct input *input)
{
    return input->bytes;
}

const struct places *input_places(const struct input *input)
{
    return &input->places;
}
