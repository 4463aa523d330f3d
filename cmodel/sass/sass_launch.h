/* sass_launch.h - a kernel of a trace as a launch (isa/isa.h).
 *
 * The second reading: thread blocks are read when the machine places them, in the order
 * of the file whatever block the machine asks for, and are forgotten when their warps
 * have ended.  Of a block in a container only the sub-chunks are in memory that its warps are
 * at.  It must not know the machine.
 */
#ifndef WARPLOCK_SASS_LAUNCH_H
#define WARPLOCK_SASS_LAUNCH_H

#include "sass/sass_kernel.h"

struct sass_launch;

/* `in` is open at the beginning of the scanned file again and stays with the launch's owner,
 * like `kernel`, whose local_base is set.  NULL and the input's error. */
struct sass_launch *sass_launch_open(const struct sass_kernel *kernel, struct sass_input *in,
                                     struct isa_launch *out);
/* After the machine is done with it. */
void sass_launch_close(struct sass_launch *launch);

#endif
