#include "service/handoff.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/counters.h"
#include "base/hash.h"
#include "base/seats.h"

/* BUSY_MS: for so long after it has begun a brief one, a worker is expected to be ready soon.
 * SAVED: who does not remember the cluster takes four times as long for it, in which who does is
 * through with so many others first. */
enum { BUSY_MS = 250, SAVED = 3, OWNERS = 8192, PATH_MAX_SIZE = 256 };

/* By seat: connections that were given to it, those of them that it has taken, and what it has to
 * do (struct load). By name: who has served it last. */
enum {
    AT_GIVEN,
    AT_TAKEN = AT_GIVEN + SEATS_MAX,
    AT_LOAD = AT_TAKEN + SEATS_MAX,
    AT_OWNERS = AT_LOAD + SEATS_MAX,
    LENGTH = AT_OWNERS + OWNERS
};

/* A name has nothing in these bits. In the table a seat stands there, in a load how many there are
 * to do; the rest of a load is when the first of them was begun, or LONG_AGO if it is not brief. */
enum { LOW_BITS = 16, LOW = (1 << LOW_BITS) - 1, LONG_AGO = 0 };

struct letter {
    uint64_t name;
    int64_t since;
};

static struct counters counters;
static uint64_t our_pool;
static unsigned our_seat;
static int box = -1, directory = -1;
static char base_name[PATH_MAX_SIZE];
static bool has_left;

static void set_load(unsigned n, int64_t begun)
{
    counters_set(&counters, AT_LOAD + our_seat, (uint64_t)begun << LOW_BITS | (n < LOW ? n : LOW));
}

/* ---- sockets, one a worker, beside `path` ---- */

static int open_directory(const char *path)
{
    char name[PATH_MAX_SIZE];
    const char *slash = strrchr(path, '/');
    snprintf(base_name, sizeof base_name, "%s", slash ? slash + 1 : path);
    snprintf(name, sizeof name, "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
    return open(name, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

/* Paths of sockets are short, so it is found by way of the open directory. */
static bool address_of(unsigned seat, struct sockaddr_un *address)
{
    *address = (struct sockaddr_un){.sun_family = AF_UNIX};
    int n = snprintf(address->sun_path, sizeof address->sun_path, "/proc/self/fd/%d/%s.%016llx.%u",
                     directory, base_name, (unsigned long long)our_pool, seat);
    if (n > 0 && n < (int)sizeof address->sun_path)
        return true;
    errno = ENAMETOOLONG;
    return false;
}

/* Nobody but this user may send to it. What is there is of a worker that had the seat before. */
static int open_box(void)
{
    struct sockaddr_un address;
    if (!address_of(our_seat, &address))
        return -1;
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    unlink(address.sun_path);
    mode_t mask = umask(0177);
    int bound = fd < 0 ? -1 : bind(fd, (const struct sockaddr *)&address, sizeof address);
    int why = errno;
    umask(mask);
    if (bound != 0 && fd >= 0)
        close(fd);
    errno = why;
    return bound == 0 ? fd : -1;
}

bool handoff_open(const char *path, uint64_t pool, int seat)
{
    box = -1;
    if (seat < 0) {
        errno = EAGAIN;
        return false;
    }
    our_pool = pool;
    our_seat = (unsigned)seat;
    if (!counters_open(&counters, path, hash_bytes(pool, STR("handoff 1")), LENGTH))
        return false;
    counters_set(&counters, AT_GIVEN + our_seat, 0);
    counters_set(&counters, AT_TAKEN + our_seat, 0);
    set_load(0, 0);
    directory = open_directory(path);
    box = directory < 0 ? -1 : open_box();
    return box >= 0;
}

int handoff_fd(void)
{
    return box;
}

/* ---- who does what ---- */

/* Two names in one place are each taken for the other's at times, which costs time only. */
uint64_t handoff_name(uint64_t socket, struct str credential, struct str cluster)
{
    uint64_t seed = hash_bytes(our_pool, (struct str){(const char *)&socket, sizeof socket});
    uint64_t name = hash_bytes(hash_bytes(seed, credential), cluster) & ~(uint64_t)LOW;
    return cluster.n == 0 || name == 0 ? 0 : name;
}

static size_t owner_at(uint64_t name)
{
    return AT_OWNERS + (name >> LOW_BITS) % OWNERS;
}

void handoff_serve(const struct handoff *handoff, unsigned waiting, int64_t now)
{
    if (handoff->name)
        counters_set(&counters, owner_at(handoff->name), handoff->name | our_seat);
    set_load(waiting + 1, handoff->brief ? now : LONG_AGO);
}

void handoff_end(unsigned waiting, int64_t now)
{
    set_load(waiting, now);
}

static bool is_ready_soon(unsigned seat, unsigned waiting, int64_t now)
{
    uint64_t load = counters_get(&counters, AT_LOAD + seat);
    uint64_t given = counters_get(&counters, AT_GIVEN + seat);
    uint64_t taken = counters_get(&counters, AT_TAKEN + seat);
    uint64_t todo = (load & LOW) + (given > taken ? given - taken : 0);
    int64_t begun = (int64_t)(load >> LOW_BITS);
    return todo == 0 || todo <= waiting || (todo <= waiting + SAVED && now - begun < BUSY_MS);
}

/* ---- giving and taking ---- */

union control {
    struct cmsghdr head; /* for its alignment */
    char bytes[CMSG_SPACE(sizeof(int))];
};

/* It neither waits for room nor for a worker that is not there any more. */
static bool send_to(unsigned seat, const struct handoff *handoff)
{
    struct letter letter = {handoff->name, handoff->since};
    struct sockaddr_un address;
    union control control = {0};
    struct iovec part = {&letter, sizeof letter};
    struct msghdr message = {.msg_name = &address,
                             .msg_namelen = sizeof address,
                             .msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control};
    struct cmsghdr *rights = CMSG_FIRSTHDR(&message);
    *rights = (struct cmsghdr){
        .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof(int))};
    memcpy(CMSG_DATA(rights), &handoff->fd, sizeof handoff->fd);
    return address_of(seat, &address) &&
           sendmsg(box, &message, MSG_DONTWAIT | MSG_NOSIGNAL) == (ssize_t)sizeof letter;
}

bool handoff_give(const struct handoff *handoff, unsigned waiting, int64_t now)
{
    uint64_t owner =
        handoff->name && box >= 0 ? counters_get(&counters, owner_at(handoff->name)) : 0;
    unsigned seat = owner & LOW;
    if (!handoff->name || (owner & ~(uint64_t)LOW) != handoff->name || seat == our_seat ||
        seat >= SEATS_MAX || !is_ready_soon(seat, waiting, now))
        return false;
    counters_add(&counters, AT_GIVEN + seat, 1);
    if (!send_to(seat, handoff)) {
        counters_add(&counters, AT_GIVEN + seat, UINT64_MAX);
        return false;
    }
    close(handoff->fd);
    return true;
}

/* Nothing is left to be taken. A giver that died between counting and giving, or that gave while
 * this worker began, has left a difference. */
static void count_anew(void)
{
    counters_set(&counters, AT_TAKEN + our_seat, counters_get(&counters, AT_GIVEN + our_seat));
}

bool handoff_take(struct handoff *handoff)
{
    struct letter letter;
    union control control;
    struct iovec part = {&letter, sizeof letter};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control};
    ssize_t n = box < 0 ? -1 : recvmsg(box, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    struct cmsghdr *rights = n < 0 ? NULL : CMSG_FIRSTHDR(&message);
    if (n >= 0)
        counters_add(&counters, AT_TAKEN + our_seat, 1);
    else if (box >= 0)
        count_anew();
    if (!rights || rights->cmsg_type != SCM_RIGHTS)
        return false;
    memcpy(&handoff->fd, CMSG_DATA(rights), sizeof handoff->fd);
    handoff->name = letter.name;
    handoff->brief = true;
    handoff->since = letter.since;
    return true;
}

/* Who sends from now on is told so, and serves it himself. */
bool handoff_leave(void)
{
    struct sockaddr_un address;
    if (box < 0 || has_left)
        return false;
    has_left = true;
    if (address_of(our_seat, &address))
        unlink(address.sun_path);
    shutdown(box, SHUT_RD);
    return true;
}
