/* sass_async.h - lines that start something or wait for it, as the machine takes them.
 *
 * Works after the tracez format, sections 6, 7.2 and 9.4.  What those bring in as
 * doubtful is decided so:
 * - a shared address whose bits 31 to 24 are 0 is the block's own, but of a remote store that
 *   of rank 0;
 * - an mbarrier counts `bytes`, and those outside the tensor when `bytes` are just the ones
 *   inside;
 * - the mbarrier that a remote store counts on is not in a trace: its bytes go to the lowest
 *   one of the target block that expects some;
 * - without values an mbarrier instruction is a shared access that blocks nobody;
 * - a prefetch moves nothing, and a test of an mbarrier does not wait;
 * - a wait that was traced with its loop's replay marks is executed once.
 */
#ifndef WARPLOCK_SASS_ASYNC_H
#define WARPLOCK_SASS_ASYNC_H

#include "sass/sass_kernel.h"

/* May lines of the class have an aside? */
bool sass_async_class(enum sass_class class);
/* Is it one of those for whose sake a machine must keep account? */
bool sass_async_starts(enum sass_class class);
/* What the line says besides its addresses: 1; 0 when nothing; -1 when a barrier's number is none.
 * Of a barrier `units` is its number, `count` its threads, 0 for all, `commits` whether the warp
 * only arrives.  The addresses are those of `executed`.  `odd` counts; it may be NULL. */
int sass_async_of(const struct sass_kernel *kernel, const struct sass_entry *entry,
                  const struct sass_executed *executed, struct isa_async *out,
                  struct sass_oddities *odd);

#endif
