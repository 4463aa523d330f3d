/* sass_text.h - instructions of any front end as lines of a SASS trace.
 *
 * Works after the trace format, section 4, and the opcode table (binary version 70).  For
 * each instruction of a kernel the middle of its line is made once: the opcode that stands
 * for its pipe, access, space and width, and its registers.  It must not know files.
 *
 * What the format cannot say is bent like this:
 * - an arithmetic instruction is written as the commonest opcode of its pipe;
 * - predicates are numbered among the registers; the registers that an instruction writes
 *   together are one register;
 * - of more than four sources the address's and the last three are kept.
 */
#ifndef WARPLOCK_SASS_TEXT_H
#define WARPLOCK_SASS_TEXT_H

#include "isa/isa.h"

/* Generic windows in the traces written here: above the machine's 40 bits. */
#define SASS_TEXT_SHARED_BASE (UINT64_C(1) << 40)
#define SASS_TEXT_LOCAL_BASE (UINT64_C(2) << 40)
enum { SASS_TEXT_VERSION = 70, SASS_TEXT_PC_BYTES = 16, SASS_TEXT_LINE = 1024 };

struct sass_text {
    const struct isa_launch *launch;
    char **middle; /* [n_inst] "ndst [dst] opcode nsrc [src ...] memwidth" */
};

/* 0; or -1 and one line in `error`: out of memory, or an instruction that no opcode stands
 * for.  Must be freed either way. */
int sass_text_init(struct sass_text *text, const struct isa_launch *launch, char *error,
                   size_t n_error);
void sass_text_free(struct sass_text *text);

/* The line of one executed instruction, its end included; returns its length.  `memop` is read
 * when the step was a memory access. */
size_t sass_text_line(const struct sass_text *text, uint32_t pc, const struct isa_step *step,
                      const struct isa_memop *memop, char line[SASS_TEXT_LINE]);

#endif
