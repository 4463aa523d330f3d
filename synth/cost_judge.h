/* cost_judge.h - what becomes of a claim: recomputed, measured, and the verdict.
 *
 * A verdict is worth what it rests on, its class:
 *   measured        a figure of the netlist, the port table or an SRAM stands against the claim
 *   recomputed      the document's own figures alone: arithmetic, which shows whether its sum is
 *                   right, not whether hardware agrees
 *   no hardware     a unit of it has no RTL yet
 *   cannot be checked, and why
 *
 * Figures that an expression may ask of a unit:
 *   claimed extra bits        storage bits of the port table: of the claim, beside it, both
 *   param(unit.NAME)          a parameter's value
 *   ff mem stored             flip-flop and memory bits that Yosys finds, and their sum
 *   xor2 xor_depth gates depth   before technology mapping, memories cut out
 *   gate(unit.TYPE)           gates of one type
 *   area_um2 area_nand2       mapped, memories as flip-flops
 *   logic_um2                 mapped, without the memories
 *   storage_um2 storage_ps    the memories as SRAM, whether it is cheaper or not (cost_memory.h):
 *                             area, slowest access
 *   delay_ps leak_uw          static timing, memories as flip-flops
 *   through_ps(unit.port)     slowest path without a flip-flop between this port and those of
 *                             the other direction, 0 when there is none
 * and of numbers: sram_area_um2 sram_access_ps sram_read_pj sram_write_pj sram_leak_uw
 *   (rows, bits, ports), ports 1 (read/write) or 2 (read and write), at the claim's node.
 */
#ifndef WARPLOCK_SYNTH_COST_JUDGE_H
#define WARPLOCK_SYNTH_COST_JUDGE_H

#include "synth/cost_bench.h"
#include "synth/cost_claims.h"
#include "synth/cost_memory.h"

enum cost_class { COST_MEASURED, COST_RECOMPUTED, COST_NO_HARDWARE, COST_UNCHECKED, COST_CLASSES };
/* What was found: none when there was nothing to compare. */
enum cost_verdict { COST_AGREES, COST_DIFFERS, COST_CANNOT_HOLD, COST_NONE, COST_VERDICTS };

struct cost_figure {
    bool asked, known; /* the row has the expression; it has a value */
    bool hardware;     /* a figure of a unit or of an SRAM is part of it */
    double value;
    char why[640]; /* when it has none */
};

enum { COST_MAX_PARTS = 8 };

/* A figure of a unit that the measured expression asked for. */
struct cost_part {
    char name[96];
    double value;
};

/* The measured figure in another library than the one that claims are judged with. */
struct cost_elsewhere {
    const char *library;
    double value;
    bool fits;
};

/* What becomes of the claim when every unit of it that has the form of one cycle (ONE_CYCLE=1), which
 * its document draws, is priced in that form. */
struct cost_one_cycle {
    bool judged; /* false: the claim asks for no figure of such a unit */
    bool known;  /* there is a measured figure */
    double value;
    enum cost_verdict verdict;
};

struct cost_outcome {
    const struct cost_claim *claim;
    struct cost_figure formula, table, measured;
    double left_out[CLAIM_MAX_LEFT_OUT]; /* bits, -1: not known */
    struct cost_part parts[COST_MAX_PARTS];
    size_t n_parts;
    struct cost_elsewhere elsewhere[COST_MAX_LIBRARIES]; /* of claims that state no node */
    size_t n_elsewhere;
    struct cost_one_cycle one_cycle; /* by cost_judge_one_cycle alone */
    enum cost_class class;
    enum cost_verdict verdict;
    char words[1024]; /* by how much, or why */
};

struct cost_judge {
    struct cost_bench *bench;
    const struct cost_sram *sram;
    const struct cost_library *library;
    const struct cost_library *const *others; /* measured figures are given for these, too */
    size_t n_others;
    double node_nm; /* for SRAM figures in place of the claim's node; 0: the claim's, or 45 */
    bool one_cycle; /* units are priced in the form of one cycle, where they have it */
};

extern const char *const cost_class_words[COST_CLASSES];
extern const char *const cost_verdict_words[COST_VERDICTS];

/* Class, verdict and tolerance in one: "agrees (tolerance 5 %)", "recomputed, DIFFERS (exact)". */
void cost_outcome_words(const struct cost_outcome *outcome, char *out, size_t n_out);
void cost_judge(const struct cost_judge *judge, const struct cost_claim *claim,
                struct cost_outcome *outcome);
/* Judges a claim once more in the form of one cycle; measures units in that form. */
void cost_judge_one_cycle(const struct cost_judge *judge, struct cost_outcome *outcome);

#endif
