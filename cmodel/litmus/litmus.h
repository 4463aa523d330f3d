/* litmus.h - litmus tests: what they are, what each memory model allows, running them on
 * a machine.
 *
 * Works after tabbakh2018-coherence 3.6.12 (tests, forbidden outcomes) and 3.4 (models).
 * A thread of a test is a warp, which is one agent (3.4).  What is allowed comes from an
 * enumeration over the abstract models (litmus_model.c), never from the machine.
 */
#ifndef WARPLOCK_LITMUS_LITMUS_H
#define WARPLOCK_LITMUS_LITMUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    LITMUS_THREADS = 4,
    LITMUS_LOCATIONS = 3,
    LITMUS_REGISTERS = 4,
    LITMUS_OPS = 6,    /* of one thread */
    LITMUS_VALUES = 4, /* stores write 1..3 */
    /* An outcome has two bits for each register, then two for each location's last value. */
    LITMUS_OUTCOMES = 1 << (2 * (LITMUS_REGISTERS + LITMUS_LOCATIONS))
};

/* An exchange whose old value is dropped is a store to the models. */
enum litmus_kind { LITMUS_LOAD, LITMUS_STORE, LITMUS_EXCHANGE, LITMUS_FENCE };
struct litmus_op {
    uint8_t kind;     /* enum litmus_kind */
    uint8_t location; /* 0 is x */
    uint8_t value;    /* of a store or exchange; of a load its register, 0 is a */
};
struct litmus_thread {
    struct litmus_op op[LITMUS_OPS];
    uint32_t n_ops;
};
struct litmus_test {
    const char *name, *text, *weak_text;
    struct litmus_thread thread[LITMUS_THREADS];
    uint32_t n_threads, n_registers, n_locations;
    uint32_t weak_mask, weak; /* an outcome o is the weak one when (o & weak_mask) == weak */
};

/* Where threads run: each on an SM of its own, all on one, or two on each. */
enum litmus_place { LITMUS_APART, LITMUS_ONE_SM, LITMUS_PAIRS, LITMUS_PLACES };
/* Where locations lie: in 128-byte blocks of their own, all in one, or x and y in one. */
enum litmus_lines { LITMUS_SEPARATE, LITMUS_ONE_LINE, LITMUS_XY, LITMUS_LINES };
/* One way to run a test. */
struct litmus_variant {
    bool fenced;   /* the F are there */
    uint8_t place; /* enum litmus_place */
    uint8_t lines; /* enum litmus_lines */
};

/* Threads of an SM. */
static inline uint32_t litmus_together(const struct litmus_test *test,
                                       const struct litmus_variant *variant)
{
    return variant->place == LITMUS_ONE_SM  ? test->n_threads
           : variant->place == LITMUS_PAIRS ? 2
                                            : 1;
}

/* Number of tests; the i-th read from its text; -1 when there is none of that name. */
size_t litmus_count(void);
struct litmus_test litmus_get(size_t i);
int litmus_find(const char *name);

static inline uint32_t litmus_register_of(uint32_t outcome, uint32_t number)
{
    return outcome >> (2 * number) & 3;
}

static inline uint32_t litmus_last_value(uint32_t outcome, uint32_t location)
{
    return outcome >> (2 * (LITMUS_REGISTERS + location)) & 3;
}

/* "a=1 b=0 x=1 y=1" */
void litmus_outcome_text(const struct litmus_test *test, uint32_t outcome, char *out, size_t n_out);

/* ---- models ---- */

/* What a memory model keeps. */
struct litmus_model {
    const char *name, *about;
    bool program_order; /* operations of a thread in program order, all of them */
    bool one_copy;      /* a store becomes visible to all at once */
    bool writer_waits;  /* not one_copy: a fence waits until the thread's stores are */
    bool coherent;      /* reads of an SM never go back to an older store */
};
/* The models: SC, RC, RC without write atomicity (TC-Weak), no coherence; NULL past them. */
const struct litmus_model *litmus_model(size_t i);
const struct litmus_model *litmus_model_find(const char *name);

/* Mark in `allowed` [LITMUS_OUTCOMES] every outcome that `model` allows. */
void litmus_allowed(const struct litmus_test *test, const struct litmus_variant *variant,
                    const struct litmus_model *model, bool *allowed);

/* ---- on the machine ---- */

/* The test as PTX; the kernel's name is "litmus".  Returns the length, less than n_out. */
size_t litmus_ptx(const struct litmus_test *test, const struct litmus_variant *variant, char *out,
                  size_t n_out);

/* What a seed draws otherwise: bit t * LITMUS_LOCATIONS + l of `warm`, thread t has copied
 * location l; then the turns of its loop before its first operation, some ten cycles each. */
struct litmus_timing {
    bool given;
    uint32_t warm, spin[LITMUS_THREADS];
};
/* Read "0,40x,7xz": 40 turns for the second thread, which has x.  False when it is not so. */
bool litmus_timing_read(const char *text, struct litmus_timing *timing);

struct gpu;
struct litmus_bench;
/* A place to run tests on `gpu`, at most one for a machine.  NULL without memory. */
struct litmus_bench *litmus_bench_new(struct gpu *gpu, const struct litmus_timing *timing);
void litmus_bench_free(struct litmus_bench *bench);
/* Run with seeds 1..n_seeds and add what came out to histogram [LITMUS_OUTCOMES].
 * Returns enum gpu_status with the reason in `error`. */
int litmus_run(struct litmus_bench *bench, const struct litmus_test *test,
               const struct litmus_variant *variant, uint32_t n_seeds, uint64_t *histogram,
               char *error, size_t n_error);

#endif
