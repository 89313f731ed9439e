/* What a pod mounts of its node, and which kinds of volumes it uses. */
#include "score/checks.h"
#include "score/state.h"
#include "score/walk.h"

/* Asks the test about each volume of the template. */
static enum verdict walk_volumes(struct check_context *context, const struct workload *workload,
                                 bool (*test)(struct check_context *, const struct volume *))
{
    const struct pod_spec *spec = template_of(workload);
    const struct volume *volume;
    bool failed = false;
    if (!spec)
        return NOT_EVALUATED;
    LIST_EACH (volume, spec->volumes)
        failed |= test(context, volume);
    return failed ? FAILED : PASSED;
}

/* ---- paths ---- */

/* Writes the path's components without empty ones, "." and what ".." takes back; "/" for the root.
 */
static struct str normal_path(struct arena *arena, struct str path)
{
    char *out = arena_bytes(arena, path.n + 1);
    size_t n = 0;
    struct str rest = path, part;
    while (rest.n) {
        str_cut(rest, '/', &part, &rest);
        if (!part.n || str_eq(part, STR(".")))
            continue;
        if (str_eq(part, STR(".."))) {
            while (n && out[--n] != '/')
                ;
            continue;
        }
        out[n++] = '/';
        memcpy(out + n, part.p, part.n);
        n += part.n;
    }
    if (!n)
        out[n++] = '/';
    return (struct str){out, n};
}

static bool is_below(struct str path, struct str directory)
{
    return str_has_prefix(path, directory) && (path.n == directory.n || path.p[directory.n] == '/');
}

static bool path_is_sensitive(struct str path)
{
    static const char *const trees[] = {"/etc",
                                        "/proc",
                                        "/sys",
                                        "/dev",
                                        "/boot",
                                        "/root",
                                        "/var/lib/kubelet",
                                        "/var/lib/docker",
                                        "/var/lib/containerd",
                                        "/var/lib/etcd"};
    static const char *const directories[] = {"/", "/var", "/run", "/var/run", "/usr", "/lib"};
    static const char *const of_sockets[] = {"docker", "containerd", "k3s/containerd",
                                             "crio",   "podman",     NULL};
    static const char *const runs[] = {"/run/", "/var/run/"};
    for (size_t i = 0; i < sizeof trees / sizeof *trees; i++)
        if (is_below(path, str_of(trees[i])))
            return true;
    for (size_t i = 0; i < sizeof directories / sizeof *directories; i++)
        if (str_eq(path, str_of(directories[i])))
            return true;
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++)
        if (str_has_prefix(path, str_of(runs[i])) &&
            str_in(str_sub(path, strlen(runs[i]), path.n), of_sockets))
            return true;
    return false;
}

static bool path_is_runtime_socket(struct str path)
{
    static const char *const sockets[] = {"docker.sock", "containerd.sock", "crio.sock",
                                          "cri-dockerd.sock", "podman.sock"};
    for (size_t i = 0; i < sizeof sockets / sizeof *sockets; i++)
        if (str_has_suffix(path, str_of(sockets[i])))
            return true;
    return false;
}

/* ---- host paths ---- */

/* A manifest may lack the path, without which no API server takes it. */
static struct str path_text(const struct volume *volume)
{
    return volume->reference.n ? volume->reference : STR("a directory");
}

static bool is_host_path(struct check_context *context, const struct volume *volume)
{
    if (volume->source != VOLUME_HOST_PATH)
        return false;
    fail(context, NO_CONTAINER, "Volume %" STR_FMT " is %" STR_FMT " of the node.",
         STR_ARG(volume->name), STR_ARG(path_text(volume)));
    return true;
}

enum verdict check_host_path_volume(struct check_context *context, const struct workload *workload)
{
    return walk_volumes(context, workload, is_host_path);
}

static bool is_sensitive_host_path(struct check_context *context, const struct volume *volume)
{
    if (volume->source != VOLUME_HOST_PATH || !volume->reference.n ||
        !path_is_sensitive(normal_path(context->arena, volume->reference)))
        return false;
    fail(context, NO_CONTAINER,
         "Volume %" STR_FMT " gives the pod %" STR_FMT ", a part of the node's own system.",
         STR_ARG(volume->name), STR_ARG(volume->reference));
    return true;
}

enum verdict check_host_path_sensitive(struct check_context *context,
                                       const struct workload *workload)
{
    return walk_volumes(context, workload, is_sensitive_host_path);
}

static bool is_runtime_socket(struct check_context *context, const struct volume *volume)
{
    if (volume->source != VOLUME_HOST_PATH ||
        !path_is_runtime_socket(normal_path(context->arena, volume->reference)))
        return false;
    fail(context, NO_CONTAINER,
         "Volume %" STR_FMT " is the socket %" STR_FMT
         " of the container runtime: whoever speaks to it owns the node.",
         STR_ARG(volume->name), STR_ARG(volume->reference));
    return true;
}

enum verdict check_container_runtime_socket(struct check_context *context,
                                            const struct workload *workload)
{
    return walk_volumes(context, workload, is_runtime_socket);
}

static const struct volume *host_path_named(const struct check_context *context,
                                            const struct pod_spec *spec, struct str name)
{
    check_spend(context, EFFORT_search,
                (spec->volumes.n < SEARCHED_MAX ? spec->volumes.n : SEARCHED_MAX) / 2);
    for (uint32_t i = 0; i < spec->volumes.n && i < SEARCHED_MAX; i++) {
        const struct volume *volume = &spec->volumes.items[i];
        if (volume->source == VOLUME_HOST_PATH && str_eq(volume->name, name))
            return volume;
    }
    return NULL;
}

static bool may_write_host_path(struct check_context *context, struct place at)
{
    const struct volume_mount *mount;
    bool failed = false;
    LIST_EACH (mount, at.container->mounts) {
        const struct volume *volume =
            mount->read_only != TRI_TRUE ? host_path_named(context, at.spec, mount->name) : NULL;
        if (!volume)
            continue;
        fail(context, at.container->name,
             "Container %" STR_FMT " may write to %" STR_FMT " of the node (volume %" STR_FMT ").",
             STR_ARG(at.container->name), STR_ARG(path_text(volume)), STR_ARG(volume->name));
        failed = true;
    }
    return failed;
}

enum verdict check_host_path_writable(struct check_context *context,
                                      const struct workload *workload)
{
    return walk_containers(context, workload, ROLES_ALL, may_write_host_path);
}

/* ---- other volumes ---- */

static bool is_restricted_volume(struct check_context *context, const struct volume *volume)
{
    if (volume->source != VOLUME_HOST_PATH && volume->source != VOLUME_OTHER)
        return false;
    struct str type = volume->source == VOLUME_HOST_PATH ? STR("hostPath") : volume->reference;
    fail(context, NO_CONTAINER,
         "Volume %" STR_FMT " is of type %" STR_FMT
         ", which the Restricted pod security standard leaves out.",
         STR_ARG(volume->name), STR_ARG(type));
    return true;
}

enum verdict check_restricted_volume_type(struct check_context *context,
                                          const struct workload *workload)
{
    return walk_volumes(context, workload, is_restricted_volume);
}

static bool is_unbounded_memory(struct check_context *context, const struct volume *volume)
{
    if (volume->source != VOLUME_EMPTY_DIR || !str_eq(volume->medium, STR("Memory")) ||
        volume->size_limit > 0)
        return false;
    fail(context, NO_CONTAINER,
         "Volume %" STR_FMT " keeps its files in memory and has no sizeLimit.",
         STR_ARG(volume->name));
    return true;
}

enum verdict check_memory_emptydir_unbounded(struct check_context *context,
                                             const struct workload *workload)
{
    return walk_volumes(context, workload, is_unbounded_memory);
}
