/* Image references: every part is a piece of the text, and what was split can be put together. */
#include <assert.h>

#include "base/arena.h"
#include "kube/image_ref.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static bool is_piece(struct str part, struct str text)
{
    return part.n == 0 || (part.p >= text.p && part.p + part.n <= text.p + text.n);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    struct str text = {(const char *)data, size};
    struct image_ref ref = image_parse(text);
    assert(is_piece(ref.repository, text));
    assert(is_piece(ref.tag, text));
    assert(is_piece(ref.digest, text));
    assert(is_piece(ref.registry, text) || str_eq(ref.registry, STR("docker.io")));
    assert(ref.repository.n + ref.tag.n + ref.digest.n <= size);
    assert(!(ref.digest.n && ref.bad_digest));
    bool latest = ref.tag.n == 0 || str_eq(ref.tag, STR("latest"));
    assert(image_is_mutable(ref) == (latest && ref.digest.n == 0 && !ref.bad_digest));
    /* A tag never holds a slash: the colon of a registry's port is none of its business. */
    for (size_t i = 0; i < ref.tag.n; i++)
        assert(ref.tag.p[i] != '/');
    return 0;
}
