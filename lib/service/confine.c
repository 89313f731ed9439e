#include "service/confine.h"

#include <errno.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <termios.h>
#include <unistd.h>

#ifdef __has_feature
#define UNDER_SANITIZER __has_feature(address_sanitizer)
#elif defined __SANITIZE_ADDRESS__
#define UNDER_SANITIZER 1
#else
#define UNDER_SANITIZER 0
#endif

#if UNDER_SANITIZER

bool confine(void)
{
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    return false;
}

#else

#include <seccomp.h>

struct row {
    const char *name;
    uint32_t action;
    unsigned conditions; /* 0 or 1 */
    struct scmp_arg_cmp condition;
};

/* Few of these are asked often, and a filter that is sorted finds them soon. */
enum { SORTED = 2 };

static bool add(scmp_filter_ctx filter, const struct row *row)
{
    int number = seccomp_syscall_resolve_name(row->name);
    return number < 0 || seccomp_rule_add_array(filter, row->action, number, row->conditions,
                                                &row->condition) == 0;
}

static bool fill(scmp_filter_ctx filter)
{
#define ALLOW(syscall)  {#syscall, SCMP_ACT_ALLOW, 0, {0}},
#define REFUSE(syscall) {#syscall, SCMP_ACT_ERRNO(EPERM), 0, {0}},
#define ALLOW_IF(syscall, at, mask, value)                                                         \
    {#syscall, SCMP_ACT_ALLOW, 1, {at, SCMP_CMP_MASKED_EQ, mask, (scmp_datum_t)(value)}},
    const struct row rows[] = {
#include "service/syscalls.def"
    };
#undef ALLOW
#undef REFUSE
#undef ALLOW_IF
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!add(filter, &rows[i]))
            return false;
    return true;
}

bool confine(void)
{
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(ENOSYS));
    bool done = filter && fill(filter);
    if (done)
        seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, SORTED);
    done = done && seccomp_load(filter) == 0;
    seccomp_release(filter);
    return done;
}

#endif
