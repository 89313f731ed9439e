/* replay: runs a fuzz target over its corpus, tests/fuzz/corpus/NAME for fuzz_NAME.t, as a plain
 * test: each file is one TAP line, and passes when the target returns. */
#include <dirent.h>
#include <libgen.h>
#include <stdbool.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

enum { INPUT_MAX = 8 << 20 };

static bool replay(const char *directory, const char *name)
{
    char path[4096 + 257]; /* a directory, a slash and a name of readdir */
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "rb");
    unsigned char *data = malloc(INPUT_MAX);
    bool done = file != NULL && data != NULL;
    if (done) {
        size_t size = fread(data, 1, INPUT_MAX, file);
        unsigned char *exact = realloc(data, size + !size); /* a byte too far is seen by ASan */
        data = exact != NULL ? exact : data;
        LLVMFuzzerTestOneInput(data, size);
    }
    free(data);
    if (file != NULL)
        fclose(file);
    return done;
}

int main(int argc, char **argv)
{
    (void)argc;
    char directory[4096], *name = basename(argv[0]) + strlen("fuzz_");
    snprintf(directory, sizeof directory, "tests/fuzz/corpus/%.*s", (int)strcspn(name, "."), name);
    DIR *corpus = opendir(directory);
    int count = 0, failed = 0;
    for (struct dirent *entry; corpus != NULL && (entry = readdir(corpus)) != NULL;) {
        if (entry->d_name[0] == '.')
            continue;
        bool done = replay(directory, entry->d_name);
        failed += !done;
        printf("%s %d - %s\n", done ? "ok" : "not ok", ++count, entry->d_name);
        fflush(stdout);
    }
    if (corpus != NULL)
        closedir(corpus);
    if (count == 0)
        printf("not ok %d - %s is empty\n", ++count, directory);
    printf("1..%d\n", count);
    return failed != 0 || corpus == NULL;
}
