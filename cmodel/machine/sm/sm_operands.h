/* sm_operands.h - between issue and the units: issue registers, operand collectors, banks.
 *
 * An instruction goes from the issue registers of its class (cycle s) into a collector (s + 1),
 * which reads its registers out of single-ported banks (from s + 2), and from there into a register
 * in front of the units (the cycle after the last read: s + 3; without sources s + 2).  General
 * collectors take instructions of every class, the others those of one.  Widths, all of them keys of
 * section `operands`: as many registers before the collectors of a class as behind; collectors and
 * ports of each set; a port moves one instruction a cycle, or in each of operands.steps.  With
 * operands.subcores every scheduler has registers, collectors, banks and units of its own: an equal
 * part of each, and instructions of its warps go into no other.  The order in which collectors are
 * complete is not that of issue; only accesses of a warp to one block keep theirs if one writes, or
 * a thread would not see its own stores.
 * It must not know what units do, nor why an instruction may issue.
 */
#ifndef WARPLOCK_MACHINE_SM_OPERANDS_H
#define WARPLOCK_MACHINE_SM_OPERANDS_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/config/config.h"

struct sm;
struct mem_inst;

enum issue_class {
    CLASS_SP,
    CLASS_SFU,
    CLASS_MEM,
    CLASS_DP,
    CLASS_INT,
    CLASS_BRANCH,
    ISSUE_CLASSES
};
enum {
    OPERAND_BANKS = 32,
    OPERAND_WARPS = 64,
    MOST_COLLECTORS = 32,
    MOST_REGISTERS = 4, /* of a class, on each side */
    MOST_PARTS = 4,     /* sub-cores */
    MOST_STAGED = MOST_COLLECTORS + 2 * ISSUE_CLASSES * MOST_REGISTERS,
    GENERAL_SET = ISSUE_CLASSES,
    COLLECTOR_SETS,
    MOST_PORTS = 8 /* of a set, on each side */
};

/* An instruction between its issue and its unit. */
struct staged {
    uint64_t age;          /* order of issue */
    struct mem_inst *inst; /* of an access to memory, or NULL */
    uint32_t pc;
    uint8_t slot, pipe;
    uint8_t part;   /* the sub-core that it belongs to; 0 without */
    uint8_t cycles; /* of an access to shared memory: those that it needs the banks for */
};

/* Registers of a class, the oldest instruction first; each sub-core has as many. */
struct stage_registers {
    uint8_t n, count;
    uint8_t of_part[MOST_PARTS];
    uint8_t at[MOST_REGISTERS]; /* places in operands.op */
};

struct operands {
    bool still; /* nothing can move until an instruction enters or leaves */
    uint64_t issued;
    uint32_t n_vacant;
    struct stage_registers in[ISSUE_CLASSES], out[ISSUE_CLASSES];
    uint32_t queued, leaving; /* classes with an instruction before, or behind the collectors */
    uint32_t free, complete;  /* collectors, a bit each */
    uint32_t held;            /* collectors that have to let others leave before */
    uint32_t parts;           /* sub-cores; 1: everything is shared */
    uint32_t part_banks;      /* of each */
    uint32_t reading;         /* banks that are asked for something */
    uint32_t written;         /* banks written in cycle written_at */
    uint64_t written_at;
    uint32_t of_set[COLLECTOR_SETS];  /* collectors, a bit each */
    uint8_t set_of[MOST_COLLECTORS];  /* of a collector */
    uint32_t of_class[ISSUE_CLASSES]; /* those that hold an instruction of it */
    uint32_t of_part[MOST_PARTS];     /* those of a sub-core */
    uint32_t
        up_to_part[MOST_COLLECTORS]; /* those up to the last one of a collector's set and part */
    uint32_t ports[COLLECTOR_SETS];
    uint32_t n_own; /* sets of one class, in the order of service */
    uint8_t own[ISSUE_CLASSES];
    uint8_t last[COLLECTOR_SETS][MOST_PORTS]; /* the collector that an output port served last */
    struct {
        uint8_t part, first_bank; /* its sub-core, and the first bank of that */
        uint8_t turn;             /* where in those its register 0 would be */
    } warp[OPERAND_WARPS];        /* of a slot */
    struct collector {
        uint8_t op;         /* its place */
        uint8_t kind, part; /* of that instruction */
        uint8_t left;       /* operands not yet read */
        uint32_t behind;    /* the collectors that have to be left before */
    } collector[MOST_COLLECTORS];
    /* Instructions stay in their place from issue to their unit: registers and collectors name it. */
    struct staged op[MOST_STAGED];
    uint8_t vacant[MOST_STAGED]; /* n_vacant places */
    struct bank_queue {
        uint8_t head, tail; /* a ring: both run round at 256 */
        uint8_t collector[256];
    } bank[OPERAND_BANKS];
};

void sm_operands_init(struct operands *operands, const struct gpu_config *config);
/* The class of every pipe: an enum issue_class of an enum isa_pipe. */
void sm_operands_classes(const struct operands *operands, uint8_t class_of[]);
/* An instruction has issued: there is a register for it. */
void sm_operands_enter(struct sm *sm, struct staged op);
/* The oldest instruction of a class behind the collectors, of a sub-core or of any (MOST_PARTS), or
 * NULL; a unit takes it. */
const struct staged *sm_operands_oldest(const struct operands *operands, enum issue_class kind,
                                        uint32_t part);
struct staged sm_operands_take(struct operands *operands, enum issue_class kind, uint32_t part);
/* Are the banks of the results of the instruction at `pc` free in this cycle?  They are written. */
bool sm_operands_writable(const struct sm *sm, uint32_t slot, uint32_t pc);
void sm_operands_write(struct sm *sm, uint32_t slot, uint32_t pc);
/* One cycle. */
void sm_operands_step(struct sm *sm);

#endif
