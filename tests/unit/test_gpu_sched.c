/* Warp schedulers against the vectors of the documents: wang2015-divergence 3.2 (GTO),
 * caps-prefetch 3.3 (two-level, TV-RR-1). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "machine/config/config.h"
#include "machine/plug/sockets_base.h"

static struct sched_socket make(enum config_scheduler kind, uint32_t ready_queue)
{
    struct gpu_config config;
    struct sched_socket socket;

    config_defaults(&config);
    config.sm_schedulers = 1;
    config.sm_scheduler = kind;
    config.sm_ready_queue = ready_queue;
    assert_int_equal(base_scheduler(&socket, &config, 0), 0);
    return socket;
}

static int issue(struct sched_socket *s, uint64_t issuable, uint64_t blocked)
{
    struct sched_view view = {.issuable = issuable, .blocked = blocked, .resident = UINT64_MAX};
    int slot = s->pick(s->self, &view);

    if (slot >= 0) {
        s->issued(s->self, (uint32_t)slot);
    }
    return slot;
}

static void gto(void **state)
{
    struct sched_socket s = make(SCHEDULER_GTO, 8);

    (void)state;
    for (uint32_t w = 0; w < 8; w++) {
        s.warp_launch(s.self, w);
    }
    for (int cycle = 0; cycle < 3; cycle++) {
        assert_int_equal(issue(&s, 0xff, 0), 0);
    }
    assert_int_equal(issue(&s, 0xfe, 0), 1);
    assert_int_equal(issue(&s, 0xff, 0), 1); /* greedy, though 0 is older */
    assert_int_equal(issue(&s, 0, 0), -1);
    assert_int_equal(issue(&s, 0xff, 0), 1); /* D-GTO-1: an idle cycle forgets nothing */
    s.warp_exit(s.self, 0);
    for (uint32_t w = 1; w < 8; w++) {
        assert_int_equal(s.rank(s.self, w), w - 1);
    }
    s.warp_launch(s.self, 0); /* now the youngest */
    assert_int_equal(s.rank(s.self, 0), 7);
    assert_int_equal(issue(&s, 0x81, 0), 7);
    free(s.self);
}

/* TV-RR-1: warps 0, 1, 2; 1 is blocked in cycle 2 only. */
static void loose_round_robin(void **state)
{
    static const int expected[] = {0, 2, 0, 1, 2};
    struct sched_socket s = make(SCHEDULER_LRR, 8);

    (void)state;
    for (uint32_t w = 0; w < 3; w++) {
        s.warp_launch(s.self, w);
    }
    for (int cycle = 1; cycle <= 5; cycle++) {
        assert_int_equal(issue(&s, cycle == 2 ? 5 : 7, cycle == 2 ? 2 : 0), expected[cycle - 1]);
    }
    free(s.self);
}

/* Ready queue of 2 and warps 0..3: 2 and 3 issue only once 0 or 1 is demoted; a demoted
 * warp comes back behind those that waited longer. */
static void two_level(void **state)
{
    struct sched_socket s = make(SCHEDULER_TWO_LEVEL, 2);

    (void)state;
    for (uint32_t w = 0; w < 4; w++) {
        s.warp_launch(s.self, w);
    }
    assert_int_equal(issue(&s, 0xc, 0), -1); /* RQ {0,1}: only they compete */
    assert_int_equal(issue(&s, 0xf, 0), 0);
    assert_int_equal(issue(&s, 0xe, 1), 1); /* 0 waits for memory: RQ {1,2}, PQ {3,0} */
    assert_int_equal(issue(&s, 0xc, 0), 2);
    assert_int_equal(issue(&s, 0xd, 2), 2); /* 1 demoted: RQ {2,3}, PQ {0,1} */
    assert_int_equal(issue(&s, 0xb, 4), 3); /* 2 demoted: RQ {3,0}, PQ {1,2} */
    assert_int_equal(issue(&s, 0x7, 0), 0); /* 3 is in RQ but not issuable */
    free(s.self);
}

static void two_level_hold(void **state)
{
    struct sched_socket s = make(SCHEDULER_TWO_LEVEL, 2);
    struct sched_view view = {.issuable = 1, .hold = true};

    (void)state;
    s.warp_launch(s.self, 0);
    assert_int_equal(s.pick(s.self, &view), -1);
    view.hold = false;
    assert_int_equal(s.pick(s.self, &view), 0);
    free(s.self);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gto),
        cmocka_unit_test(loose_round_robin),
        cmocka_unit_test(two_level),
        cmocka_unit_test(two_level_hold),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
