#include "kube/image_ref.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define SHA          "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static void parses(void **state)
{
    static const struct {
        const char *text, *registry, *repository, *tag, *digest;
        bool bad, mutable;
    } rows[] = {
        {"nginx", "docker.io", "nginx", "", "", false, true},
        {"nginx:latest", "docker.io", "nginx", "latest", "", false, true},
        {"nginx:1.25", "docker.io", "nginx", "1.25", "", false, false},
        {"bitnami/redis:7", "docker.io", "bitnami/redis", "7", "", false, false},
        {"registry:5000/app", "registry:5000", "app", "", "", false, true},
        {"registry:5000/app:latest", "registry:5000", "app", "latest", "", false, true},
        {"registry:5000/app:1", "registry:5000", "app", "1", "", false, false},
        {"index.docker.io/library/nginx:1", "docker.io", "library/nginx", "1", "", false, false},
        {"registry-1.docker.io/a/b:1", "docker.io", "a/b", "1", "", false, false},
        {"index.docker.io:443/a/b:1", "docker.io", "a/b", "1", "", false, false},
        {"docker.io:5000/a/b:1", "docker.io:5000", "a/b", "1", "", false, false},
        {"k8s.gcr.io:443/pause:3", "k8s.gcr.io", "pause", "3", "", false, false},
        {"k8s.gcr.io:4430/pause:3", "k8s.gcr.io:4430", "pause", "3", "", false, false},
        {"localhost/app:1", "localhost", "app", "1", "", false, false},
        {"gcr.io/a/b/c:v1", "gcr.io", "a/b/c", "v1", "", false, false},
        {"[::1]:5000/app:1", "[::1]:5000", "app", "1", "", false, false},
        {"app@" SHA, "docker.io", "app", "", SHA, false, false},
        {"app:latest@" SHA, "docker.io", "app", "latest", SHA, false, false},
        {"registry:5000/app@" SHA, "registry:5000", "app", "", SHA, false, false},
        {"app@sha256:abc", "docker.io", "app", "", "", true, false},
        {"app:1@sha256:ABCDEF", "docker.io", "app", "1", "", true, false},
        {"app@", "docker.io", "app", "", "", true, false},
        {"app@md5:d41d8cd98f00b204e9800998ecf8427e", "docker.io", "app", "",
         "md5:d41d8cd98f00b204e9800998ecf8427e", false, false},
        {"app@md5:d", "docker.io", "app", "", "md5:d", false, false},
        {"app@md5:g", "docker.io", "app", "", "", true, false},
        {"app@md5:", "docker.io", "app", "", "", true, false},
        {"app@sha256:d41d8cd98f00b204e9800998ecf8427e", "docker.io", "app", "", "", true, false},
        {"app@a+b-c:d41d8cd98f00b204e9800998ecf8427e", "docker.io", "app", "",
         "a+b-c:d41d8cd98f00b204e9800998ecf8427e", false, false},
        {"app@a+:d41d8cd98f00b204e9800998ecf8427e", "docker.io", "app", "", "", true, false},
        {"app@MD5:d41d8cd98f00b204e9800998ecf8427e", "docker.io", "app", "", "", true, false},
        {"app:", "docker.io", "app", "", "", false, true},
        {"App:LATEST", "docker.io", "App", "LATEST", "", false, false},
        {"a.b/c", "a.b", "c", "", "", false, true},
        {"a.b", "docker.io", "a.b", "", "", false, true},
        {"", "docker.io", "", "", "", false, true},
        {"/", "docker.io", "/", "", "", false, true},
        {":", "docker.io", "", "", "", false, true},
        {"@", "docker.io", "", "", "", true, false},
        {"a:b:c", "docker.io", "a:b", "c", "", false, false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct image_ref ref = image_parse(str_of(rows[i].text));
        if (!str_eq(ref.registry, str_of(rows[i].registry)) ||
            !str_eq(ref.repository, str_of(rows[i].repository)) ||
            !str_eq(ref.tag, str_of(rows[i].tag)) || !str_eq(ref.digest, str_of(rows[i].digest)) ||
            ref.bad_digest != rows[i].bad || image_is_mutable(ref) != rows[i].mutable)
            fail_msg("%s: %" STR_FMT " %" STR_FMT " %" STR_FMT " %" STR_FMT, rows[i].text,
                     STR_ARG(ref.registry), STR_ARG(ref.repository), STR_ARG(ref.tag),
                     STR_ARG(ref.digest));
    }
}

static void places(void **state)
{
    static const struct {
        const char *text;
        bool valid;
    } rows[] = {
        {"registry.example.com", true},
        {"Registry.Example.com:5000/team_a/", true},
        {"ghcr.io/example", true},
        {"localhost", true},
        {"registry:5000", true},
        {"[::1]:5000", true},
        {"", false},
        {"/", false},
        {"https://registry.example.com", false},
        {"http://registry:5000", false},
        {"*.example.com", false},
        {"a.example.com,b.example.com", false},
        {"a.example.com b.example.com", false},
        {"registry", false},
        {"bitnami/redis", false},
        {"/registry.example.com", false},
        {"r\xc3\xa9gistry.example.com", false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        if (image_place_is_valid(str_of(rows[i].text)) != rows[i].valid)
            fail_msg("%s", rows[i].text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(parses), cmocka_unit_test(places)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
