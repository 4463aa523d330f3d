/* test_glue_dacache - what DaCache gives its units, load by load, by the words of wang2015 3.12:
 * who is sampled (3.12.8), who trains the partition with which rank (3.12.9). */
#include "test_glue.h"

static const char *const machine[] = {"l1d.allocate=on-miss", "sm.schedulers=2", NULL};

enum { LOAD = 10, OTHER = 11, THIRD = 12 };

static const char *const profile[] = {"dac_vc",
                                      "acc_valid pc tag push inv_valid inv_pc kernel_start",
                                      "dac_clp", "ins_valid ins_pc ins_flag kernel_start", NULL};

static void only_oldest_warp_is_sampled(void **state)
{
    struct glue *g = glue_new(state, machine, "dacache", profile);

    for (uint32_t slot = 0; slot < 3; slot++) {
        glue_launch(g, slot);
    }
    /* Slot 1 is the oldest of its scheduler, not of the SM. */
    glue_load(
        g, (struct glue_access){.slot = 1, .priority = 0, .pc = LOAD, .block = 1, .results = "M"});
    glue_load(
        g, (struct glue_access){.slot = 2, .priority = 1, .pc = LOAD, .block = 2, .results = "H"});
    glue_expect(g, "dac_vc", "");
    glue_load(g, (struct glue_access){.slot = 0, .pc = LOAD, .block = 3, .results = "MM"});
    glue_expect(g, "dac_vc",
                "acc_valid=1 pc=10 tag=3 push=1 inv_pc=10\n"
                "acc_valid=1 pc=10 tag=4 push=1 inv_pc=10\n");
    /* A divergent load, a store and a load without a lane are not looked at. */
    glue_load(g, (struct glue_access){.slot = 0, .pc = OTHER, .block = 3, .results = "MHM"});
    glue_store(g, (struct glue_access){.slot = 0, .pc = OTHER, .block = 3, .results = "M"});
    glue_load(g, (struct glue_access){.slot = 0, .pc = OTHER, .results = ""});
    glue_expect(g, "dac_vc", "");
    glue_expect(g, "dac_clp", "");
    /* When it has left, the next in age is. */
    glue_exit(g, 0);
    glue_load(
        g, (struct glue_access){.slot = 2, .priority = 1, .pc = OTHER, .block = 5, .results = "M"});
    glue_load(
        g, (struct glue_access){.slot = 1, .priority = 0, .pc = OTHER, .block = 6, .results = "M"});
    glue_expect(g, "dac_vc", "acc_valid=1 pc=11 tag=6 push=1 inv_pc=11\n");
    glue_free(g);
}

/* Hit on a valid line, or found again: locality.  A reserved hit and a bypass are none. */
static void what_is_found_is_classified(void **state)
{
    struct glue *g = glue_new(state, machine, "dacache", profile);

    glue_launch(g, 5);
    glue_load(g, (struct glue_access){.slot = 5, .pc = LOAD, .block = 1, .results = "R"});
    glue_load(g, (struct glue_access){.slot = 5, .pc = OTHER, .block = 1, .results = "B"});
    glue_expect(g, "dac_vc",
                "acc_valid=1 pc=10 tag=1 push=1 inv_pc=10\n"
                "acc_valid=1 pc=11 tag=1 push=1 inv_pc=11\n");
    glue_expect(g, "dac_clp", "");
    glue_load(g, (struct glue_access){.slot = 5, .pc = THIRD, .block = 9, .results = "H"});
    glue_load(g, (struct glue_access){.slot = 5, .pc = OTHER, .block = 1, .results = "M"});
    glue_expect(g, "dac_vc",
                "acc_valid=1 pc=12 tag=9 inv_valid=1 inv_pc=12\n"
                "acc_valid=1 pc=11 tag=1 inv_valid=1 inv_pc=11\n");
    glue_expect(g, "dac_clp",
                "ins_valid=1 ins_pc=12 ins_flag=1\n"
                "ins_valid=1 ins_pc=11 ins_flag=1\n");
    /* Its class is known: it is looked at no more. */
    glue_load(g, (struct glue_access){.slot = 5, .pc = OTHER, .block = 2, .results = "M"});
    glue_expect(g, "dac_vc", "");
    /* Fourteen more and the one already there fill it; the next displaces LOAD's block. */
    for (uint32_t block = 100; block < 114; block++) {
        glue_load(g, (struct glue_access){.slot = 5, .pc = 20, .block = block, .results = "M"});
    }
    glue_expect(g, "dac_clp", "");
    glue_load(g, (struct glue_access){.slot = 5, .pc = 20, .block = 114, .results = "M"});
    glue_expect(g, "dac_clp", "ins_valid=1 ins_pc=10\n");
    glue_kernel(g);
    glue_expect(g, "dac_clp", "ins_pc=10 kernel_start=1\n");
    glue_free(g);
}

static const char *const training[] = {
    "dac_part", "retire_valid nreq miss_seen gprio kernel_start", "dac_track",
    "start_valid start_nreq acc_valid acc_result acc_last", NULL};

/* Loads of a warp that is third in its scheduler: what the partition is trained with. */
static void train(struct glue *g)
{
    glue_load(g, (struct glue_access){.slot = 4, .priority = 2, .pc = LOAD, .results = "HHH"});
    glue_load(g, (struct glue_access){.slot = 4, .priority = 2, .pc = LOAD, .results = "HRH"});
    glue_load(g, (struct glue_access){.slot = 4, .priority = 2, .pc = LOAD, .results = "MHHH"});
    glue_load(g, (struct glue_access){.slot = 4, .priority = 2, .pc = LOAD, .results = "HHB"});
    glue_load(g, (struct glue_access){.slot = 4, .priority = 2, .pc = LOAD, .results = "MM"});
    glue_load(g, (struct glue_access){.slot = 0, .priority = 0, .pc = LOAD, .results = "HHHHH"});
}

/* g = gto_prio x N_Sched (D-DAC-12): the rank is that of the scheduler, the partition the SM's. */
static void training_compares_like_with_like(void **state)
{
    static const char *const one[] = {"l1d.allocate=on-miss", "sm.schedulers=1", NULL};
    static const struct {
        const char *const *machine, *mechanism, *expected;
    } kinds[] = {{machine, "dacache",
                  "retire_valid=1 nreq=3 gprio=4\n"
                  "retire_valid=1 nreq=3 miss_seen=1 gprio=4\n"
                  "retire_valid=1 nreq=4 miss_seen=1 gprio=4\n"
                  "retire_valid=1 nreq=3 miss_seen=1 gprio=4\n"
                  "retire_valid=1 nreq=5\n"},
                 {machine, "dacache:rank=scheduler",
                  "retire_valid=1 nreq=3 gprio=2\n"
                  "retire_valid=1 nreq=3 miss_seen=1 gprio=2\n"
                  "retire_valid=1 nreq=4 miss_seen=1 gprio=2\n"
                  "retire_valid=1 nreq=3 miss_seen=1 gprio=2\n"
                  "retire_valid=1 nreq=5\n"},
                 {one, "dacache",
                  "retire_valid=1 nreq=3 gprio=2\n"
                  "retire_valid=1 nreq=3 miss_seen=1 gprio=2\n"
                  "retire_valid=1 nreq=4 miss_seen=1 gprio=2\n"
                  "retire_valid=1 nreq=3 miss_seen=1 gprio=2\n"
                  "retire_valid=1 nreq=5\n"}};

    for (size_t k = 0; k < COUNT(kinds); k++) {
        struct glue *g = glue_new(state, kinds[k].machine, kinds[k].mechanism, training);

        glue_expect(g, "dac_part", "kernel_start=1\n");
        train(g);
        glue_expect(g, "dac_part", kinds[k].expected);
        glue_kernel(g);
        glue_expect(g, "dac_part", "nreq=5 kernel_start=1\n");
        glue_free(g);
    }
}

/* The load in service: begun once, each of its accesses with what became of it. */
static void every_access_is_tracked(void **state)
{
    struct glue *g = glue_new(state, machine, "dacache", training);

    glue_load(g, (struct glue_access){.slot = 4, .pc = LOAD, .results = "HRMB"});
    glue_load(g, (struct glue_access){.slot = 4, .pc = LOAD, .results = "H"});
    glue_expect(g, "dac_track",
                "start_valid=1 start_nreq=4\n"
                "start_nreq=4 acc_valid=1\n"
                "start_nreq=4 acc_valid=1 acc_result=1\n"
                "start_nreq=4 acc_valid=1 acc_result=2\n"
                "start_nreq=4 acc_valid=1 acc_result=3 acc_last=1\n"
                "start_valid=1 start_nreq=1 acc_result=3 acc_last=1\n"
                "start_nreq=1 acc_valid=1 acc_last=1\n");
    glue_free(g);
}

/* Where a block goes: rank and size of its load, its class, the partition. */
static void insertion_knows_its_load(void **state)
{
    static const char *const gauge[] = {"dac_gauge", "prio nreq clp fcw enable", NULL};
    struct glue *g = glue_new(state, machine, "dacache", gauge);
    struct policy_socket *policy = &glue_sockets(g)->policy;
    struct glue_access load = {.slot = 7, .priority = 3, .pc = LOAD, .results = "MM"};

    glue_launch(g, 7);
    for (uint32_t n = 0; n < 2; n++) {
        glue_issue(g, &load, true);
        const struct access_info first = glue_info(&load, ACCESS_LOAD, 0);
        policy->insert(policy->self, 0, 0, &first);
        load.results = "HH"; /* it has locality from now on */
        glue_serve(g, &load);
    }
    load.results = "MMM";
    glue_issue(g, &load, true);
    const struct access_info divergent = glue_info(&load, ACCESS_LOAD, 0);
    policy->insert(policy->self, 0, 0, &divergent);
    const struct access_info store = glue_info(&load, ACCESS_STORE, 0);
    policy->insert(policy->self, 0, 0, &store);
    glue_expect(g, "dac_gauge",
                "prio=3 nreq=2 fcw=4 enable=1\n"
                "prio=3 nreq=2 clp=1 fcw=4 enable=1\n"
                "prio=3 nreq=3 fcw=4 enable=1\n");
    glue_free(g);
}

/* Ages are those of the SM: every launch and every exit is told. */
static void ages_follow_the_warps(void **state)
{
    static const char *const ages[] = {
        "age_rank", "warp_launch_valid warp_launch_wid warp_exit_valid warp_exit_wid", NULL};
    struct glue *g = glue_new(state, machine, "dacache", ages);

    glue_launch(g, 3);
    glue_launch(g, 0);
    glue_exit(g, 3);
    glue_expect(g, "age_rank",
                "warp_launch_valid=1 warp_launch_wid=3\n"
                "warp_launch_valid=1\n"
                "warp_exit_valid=1 warp_exit_wid=3\n");
    glue_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_oldest_warp_is_sampled),
        cmocka_unit_test(what_is_found_is_classified),
        cmocka_unit_test(training_compares_like_with_like),
        cmocka_unit_test(every_access_is_tracked),
        cmocka_unit_test(insertion_knows_its_load),
        cmocka_unit_test(ages_follow_the_warps),
    };

    return cmocka_run_group_tests(tests, glue_setup, glue_teardown);
}
