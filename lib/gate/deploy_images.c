#include "gate/deploy_images.h"

#include "codec/jw.h"
#include "kube/credential_cut.h"

enum {
    IMAGES_MAX = 8,
    LOOKED_AT_MAX = 200 /* containers */,
    IMAGE_MAX = 255,
    JSON_MAX = 64 * 1024
};

typedef LIST(struct container_image) image_list;

static bool is_revision(struct str name, struct workload_version version)
{
    struct workload_state state = {.revision = name};
    return version.revision && workload_version_of(&state).revision == version.revision;
}

static void add_containers(struct arena *arena, image_list *images, const struct pod_spec *spec)
{
    const struct container *container;
    if (!spec)
        return;
    LIST_EACH (container, spec->containers) {
        if (images->n == LOOKED_AT_MAX)
            return;
        struct container_image image = {container->name, container->image};
        LIST_ADD(arena, *images, image);
    }
}

static void add_images(struct arena *arena, image_list *images,
                       const struct controller_revision *revision)
{
    const struct container_image *image;
    LIST_EACH (image, revision->images)
        if (images->n < LOOKED_AT_MAX)
            LIST_ADD(arena, *images, *image);
    LIST_EACH (image, revision->init_images)
        if (images->n < LOOKED_AT_MAX)
            LIST_ADD(arena, *images, *image);
}

/* False when the snapshot does not show that revision. */
static bool images_before(struct arena *arena, const struct workload *workload,
                          struct workload_version version, image_list *images)
{
    struct workload *const *child;
    struct controller_revision *const *revision;
    LIST_EACH (child, workload->children)
        if (is_revision((*child)->object.meta.name, version)) {
            add_containers(arena, images, (*child)->spec);
            return (*child)->spec != NULL;
        }
    LIST_EACH (revision, workload->revisions)
        if (is_revision((*revision)->object.meta.name, version)) {
            add_images(arena, images, *revision);
            return images->n > 0;
        }
    return false;
}

static struct str image_of(const image_list *images, struct str container)
{
    const struct container_image *image;
    LIST_EACH (image, *images)
        if (str_eq(image->name, container))
            return image->image;
    return (struct str){0};
}

static struct str shown(struct arena *arena, struct str text)
{
    return str_utf8_prefix(credential_cut(arena, text), IMAGE_MAX);
}

static void put(struct arena *arena, struct jw *w, struct str container, struct str from,
                struct str to)
{
    jw_object(w);
    JW_STR(w, "container", shown(arena, container));
    JW_STR_OR_NULL(w, "from", shown(arena, from));
    JW_STR_OR_NULL(w, "to", shown(arena, to));
    jw_object_end(w);
}

struct str deploy_images(struct arena *arena, const struct workload *workload,
                         struct workload_version before)
{
    struct buf out = buf_init(arena, JSON_MAX);
    struct jw w;
    image_list old = {0}, now = {0};
    const struct container_image *image;
    size_t n = 0;
    images_before(arena, workload, before, &old);
    add_containers(arena, &now, workload->spec);
    jw_init(&w, &out);
    jw_array(&w);
    for (uint32_t i = 0; i < now.n && n < IMAGES_MAX; i++) {
        struct str from = image_of(&old, now.items[i].name);
        if (str_eq(from, now.items[i].image))
            continue;
        put(arena, &w, now.items[i].name, from, now.items[i].image);
        n++;
    }
    LIST_EACH (image, old)
        if (n < IMAGES_MAX && !image_of(&now, image->name).p) {
            put(arena, &w, image->name, image->image, (struct str){0});
            n++;
        }
    jw_array_end(&w);
    return buf_str(&out);
}
