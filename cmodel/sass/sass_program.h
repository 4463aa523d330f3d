/* sass_program.h - the instructions of a kernel, found in its trace: each once.
 *
 * An instruction is its PC and the text from ndst to memwidth (sass_line.h).  (Two texts at one PC are
 * two instructions: functions called by a kernel count their PCs from 0 as well.)  When
 * all are known the program is sealed: sorted by PC, with instructions that are never
 * executed where the code has gaps, so that an instruction's number is its PC in
 * instructions, to the machine as in the code.  (Gaps of more than SASS_MAX_FILLERS in all
 * are shortened to one, and two at one PC shift those behind.)  It must not know warps.
 */
#ifndef WARPLOCK_SASS_PROGRAM_H
#define WARPLOCK_SASS_PROGRAM_H

#include "isa/isa.h"
#include "sass/sass_line.h"
#include "sass/sass_opcode.h"

enum { SASS_MAX_ENTRIES = 1 << 18, SASS_MAX_FILLERS = 1 << 12, SASS_NONE = UINT32_MAX };

struct sass_entry {
    struct isa_inst inst; /* registers numbered densely */
    uint32_t pc;          /* bytes */
    uint32_t index;       /* in the sealed table */
    uint32_t same_slot;   /* next entry of the hash slot, or SASS_NONE */
    uint32_t follows[2];  /* entries that came next lately: spares looking them up */
    size_t text;          /* offset in texts */
    uint32_t n_text;
    enum sass_class class;
    uint64_t executions;     /* by warps */
    uint8_t registers;       /* listed, each with values behind the line */
    uint8_t results;         /* of them results, which come first */
    bool addressed, unknown; /* has a memory operand; taken for an ALU instruction */
    bool foreign;            /* in the tables of other binary versions only */
    bool bulk, commit;       /* struct sass_operands */
};

/* What to do with an opcode that is in no table. */
enum sass_unknown { SASS_UNKNOWN_ERROR, SASS_UNKNOWN_ALU };

struct sass_program {
    struct sass_entry *entry;
    uint32_t n, max;
    uint32_t *slot, n_slots; /* hash of the PC; a power of two */
    char *texts;
    size_t n_texts, max_texts;
    uint16_t dense[SASS_REGISTERS];  /* 0: not met, else number + 1 */
    uint16_t number[SASS_REGISTERS]; /* of a dense one: as the code names it */
    uint32_t n_registers;
    const struct sass_header *header;
    const struct sass_opcodes *opcodes;
    enum sass_unknown unknown;
    struct isa_inst *table; /* sealed */
    uint32_t *entry_of;     /* [n_table] entry of an instruction, or SASS_NONE */
    uint32_t *number_of;    /* [n] the instruction of an entry: its index, side by side */
    uint32_t n_table;
};

/* The header and the opcodes are kept.  0, or -1 when out of memory. */
int sass_program_init(struct sass_program *program, const struct sass_header *header,
                      const struct sass_opcodes *opcodes, enum sass_unknown unknown);
void sass_program_free(struct sass_program *program);

/* The entry of that PC whose text begins *cursor, or SASS_NONE; the cursor moves behind it. */
uint32_t sass_program_find(const struct sass_program *program, uint32_t pc, const char **cursor,
                           const char *end);
/* Take the text at *cursor apart and add it: its number, or SASS_NONE and the error. */
uint32_t sass_program_add(struct sass_program *program, struct sass_input *in, uint32_t pc,
                          const char **cursor, const char *end);
/* The opcode of an entry as the trace has it, with suffixes. */
static inline const char *sass_program_opcode(const struct sass_program *program,
                                              const struct sass_entry *entry)
{
    return program->texts + entry->text + entry->n_text + 1;
}
/* 0, or -1 when out of memory. */
int sass_program_seal(struct sass_program *program);

#endif
