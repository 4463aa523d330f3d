/* test_harness_past.c - what a pair in lockstep keeps of its past: long enough, from the
 * right state, and it fails again; shrinking and text keep the state it starts from. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tb/backend.h"
#include "tb/lockstep.h"
#include "tb/player.h"
#include "tb/shrink.h"

/* icm_monitor, but the event output is wrong once more than FAULT sets were counted: a
 * fault that needs the state of many steps. */
enum { FAULT = 20, IN_ACC = 0, IN_SET = 1, IN_LAST = 2 };
static const struct unit_backend *right;

static void wrong_comb(void *self, const uint64_t *in, uint64_t *out)
{
    right->comb(self, in, out);
    const struct unit_port *nsets = &right->desc->out[2];
    assert_string_equal(nsets->name, "nsets");
    out[right->desc->out[0].slot] ^= out[nsets->slot] > FAULT;
}

struct fixture {
    struct library *library;
    struct unit_backend wrong, *pair;
    void *instance;
};

static void open_pair(struct fixture *f, uint64_t past, bool loads)
{
    struct failure failure;
    f->library = library_new(NULL);
    right = library_open(f->library, "icm_monitor", "", "c", &failure);
    assert_non_null(right);
    f->wrong = *right;
    f->wrong.name = "wrong";
    f->wrong.comb = wrong_comb;
    if (!loads) {
        f->wrong.load = NULL;
    }
    f->pair = lockstep_backend_new(right, &f->wrong);
    lockstep_keep_past(f->pair, past);
    f->instance = f->pair->create(f->pair->context, 3);
    assert_non_null(f->instance);
}

static void close_pair(struct fixture *f)
{
    f->pair->destroy(f->instance);
    lockstep_backend_free(f->pair);
    library_free(f->library);
}

/* A reset, `same` accesses to set 0, then accesses to sets 1, 2, 3 ... until it differs;
 * returns the number of the step that does. */
static uint64_t run(struct fixture *f, unsigned same)
{
    uint64_t in[4] = {0}, out[8], step = 0;
    f->pair->seq(f->instance, in, true);
    for (step = 1; !lockstep_mismatch(f->instance); step++) {
        in[IN_ACC] = 1;
        in[IN_SET] = step <= same ? 0 : (step - same) % 32;
        assert_true(step < same + 40);
        f->pair->comb(f->instance, in, out);
        if (!lockstep_mismatch(f->instance)) {
            f->pair->seq(f->instance, in, false);
        }
    }
    return step - 1;
}

static void fails_again(const struct fixture *f, const struct sequence *sequence)
{
    struct play_result played;
    play(f->pair, sequence, NULL, &played);
    assert_true(played.mismatch);
    assert_int_equal(played.steps, sequence->n_steps);
    play_end(f->pair, &played);
}

/* Creation is still in the ring: no state is needed. */
static void short_past(void **state)
{
    struct fixture f;
    struct sequence sequence;
    uint64_t first;
    (void)state;
    open_pair(&f, 64, true);
    const uint64_t last = run(&f, 10);
    assert_int_equal(lockstep_past(f.instance, &sequence, &first), PAST_FOUND);
    assert_int_equal(first, 0);
    assert_null(sequence.state);
    assert_int_equal(sequence.n_steps, last + 1);
    assert_true(sequence.steps[0].rst);
    fails_again(&f, &sequence);
    sequence_free(&sequence);
    close_pair(&f);
}

/* At least the 16 steps before the difference, at most 32, from a state that has seen the
 * sets counted before. */
static void long_past(void **state)
{
    (void)state;
    for (unsigned same = 100; same < 140; same++) {
        struct fixture f;
        struct sequence sequence;
        uint64_t first;
        open_pair(&f, 16, true);
        const uint64_t last = run(&f, same);
        assert_int_equal(lockstep_past(f.instance, &sequence, &first), PAST_FOUND);
        assert_non_null(sequence.state);
        assert_int_equal(first % 16, 0);
        assert_int_equal(first + sequence.n_steps, last + 1);
        assert_in_range(sequence.n_steps, 17, 32);
        fails_again(&f, &sequence);
        sequence_free(&sequence);
        close_pair(&f);
    }
}

static void without_load(void **state)
{
    struct fixture f;
    struct sequence sequence;
    uint64_t first;
    (void)state;
    open_pair(&f, 16, false);
    run(&f, 100);
    assert_int_equal(lockstep_past(f.instance, &sequence, &first), PAST_LOST);
    close_pair(&f);
    open_pair(&f, 0, true);
    run(&f, 5);
    assert_int_equal(lockstep_past(f.instance, &sequence, &first), PAST_LOST);
    close_pair(&f);
}

/* Shrunk, it starts from the same state, in which set 0 was seen: FAULT others must follow,
 * a step each, and one to see it. */
static void shrunk_and_written(void **state)
{
    struct fixture f;
    struct sequence sequence, again;
    struct sequence_file file;
    uint64_t first;
    char path[] = "/tmp/test-past-XXXXXX", error[512];
    (void)state;
    open_pair(&f, 16, true);
    run(&f, 100);
    assert_int_equal(lockstep_past(f.instance, &sequence, &first), PAST_FOUND);
    const size_t before = sequence.n_steps;
    assert_true(shrink(f.pair, &sequence, 5));
    assert_true(before > FAULT + 1);
    assert_int_equal(sequence.n_steps, FAULT + 1);
    fails_again(&f, &sequence);
    snprintf(sequence.test, sizeof sequence.test, "past");
    FILE *to = fdopen(mkstemp(path), "w");
    sequence_write(to, &sequence, right->desc);
    fclose(to);
    assert_true(sequence_file_open(&file, path, error, sizeof error));
    assert_true(sequence_parse(&again, &file, 0, right->desc, error, sizeof error));
    assert_memory_equal(again.state, sequence.state, right->desc->state_bytes);
    fails_again(&f, &again);
    memset(again.state, 0, right->desc->state_bytes); /* from there one set is missing */
    struct play_result played;
    play(f.pair, &again, NULL, &played);
    assert_false(played.mismatch);
    play_end(f.pair, &played);
    sequence_free(&again);
    sequence_free(&sequence);
    sequence_file_close(&file);
    unlink(path);
    close_pair(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(short_past), cmocka_unit_test(long_past),
                                       cmocka_unit_test(without_load),
                                       cmocka_unit_test(shrunk_and_written)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
