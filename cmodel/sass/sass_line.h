/* sass_line.h - one instruction line of a trace, taken apart.
 *
 * Works after the trace format, section 4:
 *   PC mask ndst [dst] opcode nsrc [src ...] memwidth [mode addresses]
 * The part from ndst to memwidth is the same every time the instruction is executed, so
 * the scanner hands it out as text and it is taken apart once.  It must not know what an
 * opcode means.
 */
#ifndef WARPLOCK_SASS_LINE_H
#define WARPLOCK_SASS_LINE_H

#include "isa/isa.h"
#include "sass/sass_input.h"

enum { SASS_MAX_SRC = 4, SASS_MAX_REGISTER = 4095, SASS_RZ = 255 };

struct sass_operands {
    const char *opcode;
    size_t n_opcode;
    uint32_t n_dst, dst, n_src, src[SASS_MAX_SRC]; /* numbers as written */
    bool addressed;                                /* memwidth is not 0 */
};

enum sass_mode { SASS_LIST, SASS_STRIDE, SASS_DELTA };

struct sass_addresses {
    enum sass_mode mode;
    uint64_t base; /* of STRIDE and DELTA: first active lane */
    int64_t stride;
    uint64_t lane[ISA_LANES]; /* of active lanes; those of others are not set */
};

/* PC and mask at *cursor, after `skip` fields; the cursor then is at ndst.  0, or -1. */
int sass_line_start(struct sass_input *in, const char **cursor, const char *end, uint32_t skip,
                    uint32_t *pc, uint32_t *mask);
/* From ndst to memwidth.  0, or -1. */
int sass_line_operands(struct sass_input *in, const char **cursor, const char *end,
                       struct sass_operands *out);
/* Mode and addresses, to the end of the line.  0, or -1. */
int sass_line_addresses(struct sass_input *in, const char *at, const char *end, uint32_t mask,
                        struct sass_addresses *out);

#endif
