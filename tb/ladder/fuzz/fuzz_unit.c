/* fuzz_unit.c - libFuzzer over a unit's C model and Verilated RTL together.
 *
 * Both are compiled with coverage counters, so bytes are kept that take a new path through
 * either.  A difference is written as a replay file, $FUZZ_REPLAY, and ends the run. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/ladder/fuzz/decode.h"
#include "tb/lockstep.h"
#include "tb/sequence.h"

const struct unit_backend *unit_backend_c(void);
const struct unit_backend *unit_backend_rtl(void);

/* The run of one input. */
struct run {
    struct unit_backend *pair;
    const struct unit_desc *desc;
    void *self;
    uint64_t *out;
    unsigned char *kept;      /* state to go back to; NULL: none yet */
    struct sequence sequence; /* since the start or the last load */
};

static void out_of_memory(void)
{
    fputs("fuzz: out of memory\n", stderr);
    abort();
}

static void write_replay(struct run *run)
{
    const char *path = getenv("FUZZ_REPLAY");
    FILE *to = path != NULL ? fopen(path, "w") : NULL;
    snprintf(run->sequence.test, sizeof run->sequence.test, "fuzz");
    snprintf(run->sequence.backend, sizeof run->sequence.backend, "c+rtl");
    run->sequence.seed = 1;
    if (to != NULL) {
        sequence_write(to, &run->sequence, run->desc);
        fclose(to);
        fprintf(stderr, "MISMATCH %s: build/warplock replay %s\n", run->desc->name, path);
    }
    abort();
}

static unsigned char *copy_state(const struct run *run)
{
    unsigned char *copy = malloc(run->desc->state_bytes + 1);
    if (copy == NULL) {
        out_of_memory();
    }
    memcpy(copy, run->pair->state(run->self), run->desc->state_bytes);
    return copy;
}

/* Before a step: keep the state, or go back to it. */
static void keep_or_load(struct run *run, enum fuzz_step kind)
{
    if (kind == FUZZ_KEEP) {
        free(run->kept);
        run->kept = copy_state(run);
    } else {
        run->pair->load(run->self, run->kept);
        sequence_free(&run->sequence);
        memset(&run->sequence, 0, sizeof run->sequence);
        run->sequence.state = copy_state(run);
    }
}

static void play(struct run *run, struct decoder *decoder)
{
    enum fuzz_step kind;
    const uint64_t *in;
    bool defined = run->desc->kind == UNIT_COMBINATIONAL;
    while (decoder_next(decoder, &kind, &in)) {
        const bool loads = kind == FUZZ_LOAD && run->kept != NULL;
        if ((kind == FUZZ_KEEP && run->desc->n_state > 0) || loads) {
            keep_or_load(run, kind);
        }
        const bool rst = kind == FUZZ_RESET;
        if (!sequence_add(&run->sequence, run->desc, in, rst)) {
            out_of_memory();
        }
        if (defined) {
            run->pair->comb(run->self, in, run->out);
        }
        run->pair->seq(run->self, in, rst);
        defined = true;
        decoder_answer(decoder, run->out, rst || loads);
        if (lockstep_mismatch(run->self)) {
            write_replay(run);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    struct run run = {.pair = lockstep_backend_new(unit_backend_c(), unit_backend_rtl()),
                      .desc = unit_backend_c()->desc};
    struct decoder *decoder = decoder_new(run.desc, unit_stimulus(), bytes, n);
    run.out = calloc(run.desc->out_slots + 1, sizeof *run.out);
    run.self = run.pair != NULL ? run.pair->create(run.pair->context, 1) : NULL;
    if (decoder == NULL || run.out == NULL || run.self == NULL) {
        out_of_memory();
    }
    play(&run, decoder);
    run.pair->destroy(run.self);
    lockstep_backend_free(run.pair);
    sequence_free(&run.sequence);
    free(run.kept);
    free(run.out);
    decoder_free(decoder);
    return 0;
}
