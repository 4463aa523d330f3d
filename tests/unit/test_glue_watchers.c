/* test_glue_watchers - what FCW-Only and the monitors of concentration and balance give their
 * units, by the words of wang2015 3.18 (trained by divergent loads, with the age in the SM when
 * they issued, D-FCW-2) and 3.8 (every accepted access of a load, with its set). */
#include "test_glue.h"

static void ages_are_those_at_issue(void **state)
{
    static const char *const training[] = {"dac_part",
                                           "retire_valid nreq miss_seen gprio kernel_start", NULL};
    static const char *const machine[] = {"l1d.allocate=on-fill", NULL};
    struct glue *g = glue_new(state, machine, "fcw-only", training);
    const struct glue_access first = {.slot = 5, .pc = 1, .results = "HMH"},
                             second = {.slot = 2, .priority = 1, .pc = 1, .results = "HHHH"};

    glue_launch(g, 3);
    glue_launch(g, 5); /* the oldest of its scheduler */
    glue_launch(g, 2);
    glue_load(g, (struct glue_access){.slot = 3, .pc = 1, .results = "RHH"});
    glue_issue(g, &first, true);
    glue_issue(g, &second, true);
    glue_exit(g, 3); /* both are one older now */
    glue_serve(g, &first);
    glue_serve(g, &second);
    glue_load(g, (struct glue_access){.slot = 2, .priority = 1, .pc = 1, .results = "BHH"});
    glue_load(g, (struct glue_access){.slot = 2, .priority = 1, .pc = 1, .results = "MM"});
    glue_store(g, (struct glue_access){.slot = 5, .pc = 1, .results = "MMM"});
    glue_load(g, (struct glue_access){.slot = 2, .priority = 1, .pc = 1, .results = "HHH"});
    glue_expect(g, "dac_part",
                "retire_valid=1 nreq=3 miss_seen=1\n"
                "retire_valid=1 nreq=3 miss_seen=1 gprio=1\n"
                "retire_valid=1 nreq=4 gprio=2\n"
                "retire_valid=1 nreq=3 miss_seen=1 gprio=1\n"
                "retire_valid=1 nreq=3 gprio=1\n");
    glue_kernel(g);
    glue_expect(g, "dac_part", "nreq=3 gprio=1 kernel_start=1\n");
    glue_free(g);
}

/* A load of three requests: in sets 7, 7 and 3, whatever becomes of them. */
static void tell_three(struct glue *g)
{
    static const uint32_t sets[] = {7, 7, 3};
    const struct glue_access access = {.pc = 1, .results = "HRB"};

    for (uint32_t at = 0; at < 3; at++) {
        const struct access_info info = glue_info(&access, ACCESS_LOAD, at);

        OBSERVE(*glue_sockets(g), acc_stall, 0, &info, STALL_LINE, 1);
        OBSERVE(*glue_sockets(g), acc_result, 0, &info, sets[at], glue_result(access.results[at]));
    }
    glue_store(g, access);
}

static void monitors_see_accepted_accesses(void **state)
{
    static const char *const watch[] = {"icm_monitor", "acc_valid set_index last",
                                        "balance_monitor", "acc_valid set_index clear", NULL};
    struct glue *g = glue_new(state, NULL, "icm,balance", watch);

    tell_three(g);
    glue_expect(g, "icm_monitor",
                "acc_valid=1 set_index=7\n"
                "acc_valid=1 set_index=7\n"
                "acc_valid=1 set_index=3 last=1\n");
    glue_expect(g, "balance_monitor",
                "acc_valid=1 set_index=7\n"
                "acc_valid=1 set_index=7\n"
                "acc_valid=1 set_index=3\n");
    glue_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ages_are_those_at_issue),
        cmocka_unit_test(monitors_see_accepted_accesses),
    };

    return cmocka_run_group_tests(tests, glue_setup, glue_teardown);
}
