/* asserts: what the code around a place guarantees to it. Never what input may hold: that is
 * checked, and answered.
 *
 * assert() is compiled into every build, so it stands where it costs nothing. ASSERT_SLOW() is
 * compiled in where the sanitizers are (V=asan, V=fuzz): it may take longer than the work itself.
 */
#ifndef LOADLINE_BASE_ASSERTS_H
#define LOADLINE_BASE_ASSERTS_H

#include <assert.h>

#ifdef SLOW_ASSERTS
#define ASSERT_SLOW(condition) assert(condition)
#else
#define ASSERT_SLOW(condition) ((void)sizeof(condition))
#endif

#endif
