/* test_rdu_random - the model check of tabbakh2018 3.7.7 on the units themselves: three SMs,
 * random loads, stores, atomics and evictions, late messages, false positives and forced
 * points in plenty (64-bit signatures); every load must return memory as it stood at its
 * SM's last synchronisation point.  The rules that the specification adds to the document
 * are each left out once, and the check must notice. */
#include "tb/random.h"
#include "test_rdu.h"

enum { BLOCKS = 4, OPERATIONS = 30000 };

/* A load under way: the block is fetched, its answer or its fill is to come. */
struct pending {
    bool is, answered;
    unsigned block, word;
    uint32_t expected;
};

struct random_run {
    struct rdu_machine *m;
    struct tb_random random;
    struct pending pending[RDU_SMS];
    uint32_t next_value;
    unsigned wrong;
};

static void judge(struct random_run *run, uint32_t value, uint32_t expected)
{
    run->wrong += value != expected;
}

/* One message, or the fill when the answer has come. */
static void go_on(struct random_run *run, unsigned sm)
{
    struct pending *load = &run->pending[sm];
    struct rdu_sm *at = &run->m->sm[sm];
    if (!load->answered) {
        load->answered = at->inbox[0].of_miss;
        rdu_deliver(run->m, sm);
        load->expected = at->seen.word[load->block][load->word];
    } else if (at->n_inbox > 0 && tb_random_below(&run->random, 2)) {
        rdu_deliver(run->m, sm); /* a forced point overtakes the fill (D-R5) */
    } else {
        rdu_fill(run->m, sm, load->block);
        judge(run, at->data[load->block][load->word], load->expected);
        load->is = false;
    }
}

static void load(struct random_run *run, unsigned sm, unsigned block, unsigned word)
{
    if (rdu_usable(run->m, sm, block, word)) {
        judge(run, run->m->sm[sm].data[block][word], run->m->sm[sm].seen.word[block][word]);
        return;
    }
    rdu_fetch(run->m, sm, block, word);
    run->pending[sm] = (struct pending){.is = true, .block = block, .word = word};
}

static void operate(struct random_run *run)
{
    const unsigned sm = (unsigned)tb_random_below(&run->random, RDU_SMS);
    const unsigned block = (unsigned)tb_random_below(&run->random, BLOCKS);
    const unsigned word = (unsigned)tb_random_below(&run->random, RDU_WORDS);
    struct rdu_machine *m = run->m;
    if (run->pending[sm].is) {
        go_on(run, sm);
        return;
    }
    if (m->sm[sm].n_inbox > RDU_INBOX / 2 ||
        (m->sm[sm].n_inbox > 0 && tb_random_below(&run->random, 4) == 0)) {
        rdu_deliver(m, sm);
        return;
    }
    switch (tb_random_below(&run->random, 16)) {
    case 0:
    case 1:
    case 2: rdu_store(m, sm, block, word, ++run->next_value); break;
    case 3: rdu_atomic_add(m, sm, block, word, 1000000); break;
    case 4: m->sm[sm].cached[block] = false; break;
    default: load(run, sm, block, word); break;
    }
}

/* Wrong loads of a run. */
static unsigned wrong_loads(void **state, const char *rdu, const char *avu, const char *form,
                            bool keep_own_atomics, unsigned operations)
{
    struct random_run run = {.m = rdu_new(state, rdu, avu, form)};
    tb_random_seed(&run.random, 7);
    run.m->keep_own_atomics = keep_own_atomics;
    for (unsigned i = 0; i < operations; i++) {
        operate(&run);
    }
    print_message("%s | %s | %s: hits %u, AVU misses %u, expired %u; points: store %u, race %u, "
                  "forced %u; wrong %u\n",
                  form, rdu, avu, run.m->hits, run.m->avu_misses, run.m->expired, run.m->stored,
                  run.m->raced, run.m->forced, run.wrong);
    assert_true(run.m->hits > 0 && run.m->expired > 0 && run.m->raced > 0 && run.m->forced > 0);
    rdu_free(run.m);
    return run.wrong;
}

static void every_granule_is_right(void **state)
{
    static const char *const shifts[] = {"0", "2", "5", "7", "9"};
    for (unsigned i = 0; i < sizeof shifts / sizeof *shifts; i++) {
        char rdu[64], avu[64];
        snprintf(rdu, sizeof rdu, "M=64,SHIFT=%s", shifts[i]);
        snprintf(avu, sizeof avu, "M=64,SHIFT=%s", shifts[i]);
        assert_int_equal(wrong_loads(state, rdu, avu, "c", false, OPERATIONS), 0);
    }
}

static void every_reading_is_right(void **state)
{
    assert_int_equal(wrong_loads(state, "M=256", "M=256,TAGS=1,EPOCH_W=2", "c", false, OPERATIONS),
                     0);
    assert_int_equal(wrong_loads(state, "M=64", "M=64,RETAG=1", "c", false, OPERATIONS), 0);
    assert_int_equal(
        wrong_loads(state, "M=64,SHIFT=2", "M=64,SHIFT=2,RETAG=1", "c", false, OPERATIONS), 0);
    assert_int_equal(wrong_loads(state, "M=64,COUNT_UNIQUE=1,M_PER_N=32", "M=64,HITMAX=1", "c",
                                 false, OPERATIONS),
                     0);
}

static void rtl_is_right(void **state)
{
    assert_int_equal(
        wrong_loads(state, "M=64,SHIFT=2", "M=64,SHIFT=2", "rtl", false, OPERATIONS / 5), 0);
    assert_int_equal(wrong_loads(state, "M=64", "M=64", "rtl", false, OPERATIONS / 5), 0);
}

static void rules_left_out_are_noticed(void **state)
{
    /* D-R15, D-R10, D-R12. */
    assert_true(wrong_loads(state, "M=64,SHIFT=2,MISS_BLOCK=0", "M=64,SHIFT=2", "c", false,
                            OPERATIONS) > 0);
    assert_true(wrong_loads(state, "M=256", "M=256,TAGS=2,EPOCH_W=2", "c", false, OPERATIONS) > 0);
    assert_true(wrong_loads(state, "M=256", "M=256", "c", true, OPERATIONS) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_granule_is_right),
        cmocka_unit_test(every_reading_is_right),
        cmocka_unit_test(rtl_is_right),
        cmocka_unit_test(rules_left_out_are_noticed),
    };
    return cmocka_run_group_tests(tests, library_setup, library_teardown);
}
