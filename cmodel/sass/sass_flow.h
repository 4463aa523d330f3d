/* sass_flow.h - static facts from a trace: what addresses were computed from, loop depth.
 *
 * Works after the origins of isa/isa.h, by register data flow along the edges that the
 * threads were seen to take.  What a trace does not say bounds the answer: special
 * registers are one kind (TID and CTAID together), uniform registers and predicates are
 * not followed, the constant bank counts as PARAM, and ways that no thread took are not
 * there.  It must not know files.
 */
#ifndef WARPLOCK_SASS_FLOW_H
#define WARPLOCK_SASS_FLOW_H

#include "sass/sass_edges.h"
#include "sass/sass_program.h"

/* `from` of an edge to a thread's first instruction. */
enum { SASS_START = SASS_MAX_ENTRIES };

/* Set inst.origin of memory accesses and branches, and inst.loop_depth.  0; or -1 and one
 * line in `error`: out of memory, or a graph whose analysis would take gigabytes. */
int sass_flow(struct sass_program *program, const struct sass_edges *edges, char *error,
              size_t n_error);

#endif
