/* slow_names.so, preloaded into a program: names that end with .invalid are looked up for
 * SLOW_NAMES seconds and not found, as where no name server answers. */
#include <dlfcn.h>
#include <netdb.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef int look_up(const char *, const char *, const struct addrinfo *, struct addrinfo **);

static bool is_slow(const char *name)
{
    static const char end[] = ".invalid";
    size_t n = name ? strlen(name) : 0;
    return n >= sizeof end - 1 && strcmp(name + n - (sizeof end - 1), end) == 0;
}

int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints,
                struct addrinfo **result)
{
    const char *seconds = getenv("SLOW_NAMES");
    if (is_slow(node)) {
        sleep(seconds ? (unsigned)strtoul(seconds, NULL, 10) : 0);
        return EAI_AGAIN;
    }
    look_up *found = (look_up *)dlsym(RTLD_NEXT, "getaddrinfo");
    return found ? found(node, service, hints, result) : EAI_FAIL;
}
