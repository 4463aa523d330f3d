/* decode.h - a unit's inputs out of a fuzzer's bytes, by the unit's port table.
 *
 * First 6 bytes: 4 that seed what is drawn from few values, 2 from which 1/64 of the step
 * number is taken that the stimulus is told (its regimes go by it).  Then for each step a
 * byte that says what kind of step it is, and the bytes of each input in the table's order:
 *   a bit               1 byte: its lowest bit, or how rare it is by the table
 *   FEW                 1 byte: which of the few
 *   wider               1 byte below 64: one of the last values of this input; else as many
 *                       bytes as it is wide
 * The stimulus then makes it a legal combination, as it does for random steps.  Missing
 * bytes are 0. */
#ifndef WARPLOCK_TB_LADDER_FUZZ_DECODE_H
#define WARPLOCK_TB_LADDER_FUZZ_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tb/stimulus.h"

enum fuzz_step {
    FUZZ_STEP,
    FUZZ_RESET,
    FUZZ_KEEP, /* remember the state for a FUZZ_LOAD, and step */
    FUZZ_LOAD  /* go back to the remembered state, and step */
};
struct decoder;

struct decoder *decoder_new(const struct unit_desc *desc, const struct unit_stimulus *stimulus,
                            const uint8_t *bytes, size_t n);
void decoder_free(struct decoder *decoder);
/* The inputs of the next step; false at the end of the bytes.  The first step is a reset. */
bool decoder_next(struct decoder *decoder, enum fuzz_step *kind, const uint64_t **in);
/* What the unit answered; zeros are assumed after a reset or a load. */
void decoder_answer(struct decoder *decoder, const uint64_t *out, bool restarted);

#endif
