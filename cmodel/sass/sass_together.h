/* sass_together.h - kernels of several streams as one launch, so that they run at once.
 *
 * Works after the trace format, section 1.  Kernels of one stream follow each other; of different
 * ones the blocks take turns.  The machine sees one kernel: its code is theirs, one behind the
 * other, and a CTA has the registers, shared memory and warps of the largest of them, which is what
 * its occupancy is counted by.  It must not know the machine.
 */
#ifndef WARPLOCK_SASS_TOGETHER_H
#define WARPLOCK_SASS_TOGETHER_H

#include "sass/sass_launch.h"

struct sass_together;

/* One kernel of them, opened (sass_launch.h); they stay the caller's. */
struct sass_together_part {
    const struct sass_kernel *kernel;
    const struct isa_launch *launch;
};

/* NULL when out of memory. */
struct sass_together *sass_together_open(const struct sass_together_part *part, uint32_t n,
                                         struct isa_launch *out);
void sass_together_close(struct sass_together *together);

#endif
