/* sass_line.h - one instruction line of a trace, taken apart.
 *
 * Works after the trace format, section 4, and the tracez format, sections 5 and 6:
 *   [line] PC mask ndst [dst] opcode nsrc [src ...] [commit] memwidth [mode addresses]
 *       [imm [imm]] [NoVal | Val values]
 * The part from ndst to memwidth is the same every time the instruction is executed, so
 * the scanner hands it out as text and it is taken apart once; of a bulk copy it ends before
 * memwidth.  It must not know what an opcode means, but for those that have fields of
 * their own.
 */
#ifndef WARPLOCK_SASS_LINE_H
#define WARPLOCK_SASS_LINE_H

#include "isa/isa.h"
#include "sass/sass_header.h"

enum { SASS_MAX_SRC = 4, SASS_MAX_SRC_MODERN = 8, SASS_RZ = 255, SASS_MAX_VALUES = 9 };
/* Registers as one row of numbers: R0 to R4095, UR0 to UR255, P0 to P7, UP0 to UP7. */
enum {
    SASS_MAX_REGISTER = 4095,
    SASS_FILE_UNIFORM = SASS_MAX_REGISTER + 1,
    SASS_FILE_PREDICATE = SASS_FILE_UNIFORM + 256,
    SASS_FILE_UNIFORM_PREDICATE = SASS_FILE_PREDICATE + 8,
    SASS_REGISTERS = SASS_FILE_UNIFORM_PREDICATE + 8
};

struct sass_operands {
    const char *opcode;
    size_t n_opcode;
    uint32_t n_dst, dst, n_src, src[SASS_MAX_SRC_MODERN]; /* in that row */
    bool addressed;                                       /* memwidth is not 0; or a bulk copy */
    bool bulk;                                            /* fields of a bulk copy follow */
    bool commit; /* of a warp-group instruction: it closes a group */
};

enum sass_mode { SASS_LIST, SASS_STRIDE, SASS_DELTA };

struct sass_addresses {
    enum sass_mode mode;
    uint64_t base; /* of STRIDE and DELTA: first active lane */
    int64_t stride;
    uint64_t lane[ISA_LANES]; /* of active lanes; those of others are not set */
};

/* What a bulk (or tensor) copy moves. */
struct sass_bulk {
    uint32_t width;           /* bytes at each address */
    uint32_t mbarrier, ranks; /* shared address that counts the bytes; blocks of the cluster */
    bool multicast, old_form; /* `ranks` is set; without mbarrier and bytes */
    uint64_t bytes, outside;  /* moved; of the tile, outside the tensor */
    uint32_t n, max;
    uint64_t *address; /* [n], grown as needed, the owner's */
};

/* What stands behind the addresses. */
struct sass_tail {
    int64_t imm[2];
    uint32_t n_imm, n_values;
    uint64_t value[SASS_MAX_VALUES]; /* of each listed register, in the first active lane */
};

/* PC and mask at *cursor, after `skip` fields; the cursor then is at ndst.  0, or -1. */
int sass_line_start(struct sass_input *in, const char **cursor, const char *end, uint32_t skip,
                    uint32_t *pc, uint32_t *mask);
/* From ndst to memwidth.  0, or -1. */
int sass_line_operands(struct sass_input *in, const struct sass_header *header, const char **cursor,
                       const char *end, struct sass_operands *out);
/* Mode and addresses.  0, or -1. */
int sass_line_addresses(struct sass_input *in, const struct sass_header *header,
                        const char **cursor, const char *end, uint32_t mask,
                        struct sass_addresses *out);
/* The fields of a bulk copy, from memwidth on.  0, or -1. */
int sass_line_bulk(struct sass_input *in, const char **cursor, const char *end,
                   struct sass_bulk *out);
/* Immediates and values, to the end of the line; `registers` are listed.  0, or -1. */
int sass_line_tail(struct sass_input *in, const struct sass_header *header, const char *at,
                   const char *end, uint32_t mask, uint32_t registers, struct sass_tail *out);
/* The words of a message about the line at hand: '...' is not `what`.  -1. */
int sass_line_bad(struct sass_input *in, const char *what, const char *at, const char *end);

#endif
