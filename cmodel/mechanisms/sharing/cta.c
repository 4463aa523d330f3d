/* cta.c - which CTA goes to which SM: the sa_cta_sched unit in place of the machine's round robin
 * (tabbakh2018 3.1): round robin, groups of consecutive CTAs, adaptive, or pairs (BCS).
 *
 * The unit decides once in its cycle; the document's scan serves each SM with a free slot in one
 * core cycle (D-C3).  So the unit is clocked as often as it finds one, with the SMs served in this
 * cycle masked; by `scan=one` it serves one SM a core cycle.  One kernel runs at a time. */
#include <stdio.h>

#include "mechanisms/instances.h"
#include "mechanisms/ports.h"

enum policy { POLICY_RR, POLICY_GROUP, POLICY_ADAPTIVE, POLICY_BCS };
enum { GROUP_ROW = 0 };   /* of the option `group`: gridDim.x */
enum { MOST_CYCLES = 3 }; /* in which the unit names what it finds */

struct cta {
    struct unit_pins unit;
    uint64_t *launch_valid, *launch_policy, *launch_total, *launch_group, *launch_groups,
        *launch_limit, *sm_free, *sm_free2;
    uint64_t *issue_valid, *issue_sm, *issue_cta, *busy, *group_taken, *pool_opened;
    uint32_t policy, group, n_sms;
    bool one_a_cycle, traced;
    uint64_t n_most;                              /* CTAs that the unit can number */
    uint64_t cycle, served;                       /* SMs that got a CTA in that cycle */
    uint64_t kernels, groups, pools, ctas, alone; /* alone: kernels whose CTAs are all one SM's */
    json_t *trace;
    char why[160];
};

static void tick(struct cta *cta)
{
    pins_comb(&cta->unit);
    cta->groups += *cta->group_taken;
    cta->pools += *cta->pool_opened;
    pins_seq(&cta->unit);
    pins_comb(&cta->unit);
}

static const char *kernel_start(void *self, const struct dispatch_kernel *kernel)
{
    struct cta *cta = self;
    const uint64_t group = cta->group == GROUP_ROW ? kernel->grid_x : cta->group;
    const uint64_t groups = (kernel->n_ctas + group - 1) / group;
    if (kernel->n_ctas > cta->n_most) {
        snprintf(cta->why, sizeof cta->why,
                 "%llu CTAs, and the CTA scheduler numbers %llu; set sched.CTAW to more bits",
                 (unsigned long long)kernel->n_ctas, (unsigned long long)cta->n_most);
        return cta->why;
    }
    cta->kernels++;
    cta->alone += cta->policy == POLICY_GROUP && groups == 1 && kernel->n_ctas > 1;
    *cta->launch_valid = 1;
    *cta->launch_policy = cta->policy;
    *cta->launch_total = kernel->n_ctas;
    *cta->launch_group = group;
    *cta->launch_groups = groups;
    *cta->launch_limit = kernel->ctas_per_sm;
    *cta->sm_free = *cta->sm_free2 = 0;
    tick(cta);
    *cta->launch_valid = 0;
    pins_comb(&cta->unit);
    while (*cta->busy) { /* the first groups: inside machine.launch_cycles */
        tick(cta);
    }
    return NULL;
}

static int64_t assign(void *self, const uint32_t *room, uint64_t cycle, uint32_t *sm)
{
    struct cta *cta = self;
    if (cta->cycle != cycle) {
        cta->cycle = cycle;
        cta->served = 0;
        *cta->sm_free = *cta->sm_free2 = 0;
        if (*cta->issue_valid) {
            tick(cta); /* the SM served last in the cycle before may be served again */
        }
    } else if (cta->one_a_cycle && cta->served != 0) {
        return -1;
    }
    *cta->sm_free = *cta->sm_free2 = 0;
    for (uint32_t s = 0; s < cta->n_sms; s++) {
        const uint64_t bit = UINT64_C(1) << s;
        if (!(cta->served & bit)) {
            *cta->sm_free |= room[s] > 0 ? bit : 0;
            *cta->sm_free2 |= room[s] > 1 ? bit : 0;
        }
    }
    for (unsigned n = 0; *cta->sm_free != 0 && n < MOST_CYCLES; n++) {
        tick(cta);
        if (*cta->issue_valid) {
            *sm = (uint32_t)*cta->issue_sm;
            cta->served |= UINT64_C(1) << *sm;
            cta->ctas++;
            if (cta->traced) {
                json_array_append_new(
                    cta->trace, json_pack("[I,I]", (json_int_t)*sm, (json_int_t)*cta->issue_cta));
            }
            return (int64_t)*cta->issue_cta;
        }
    }
    return -1;
}

/* ---- attaching ---- */

static void statistics(void *self, json_t *into)
{
    const struct cta *cta = self;
    put_count(into, "kernels", cta->kernels);
    put_count(into, "ctas", cta->ctas);
    put_count(into, "groups", cta->groups);
    put_count(into, "pools_opened", cta->pools);
    put_count(into, "kernels_on_one_sm", cta->alone);
    if (cta->traced) {
        json_object_set(into, "sm_and_cta", cta->trace);
    }
}

static void forget_trace(void *self)
{
    json_decref(((struct cta *)self)->trace);
}

static int open_unit(struct mechanism_context *context, struct cta *cta)
{
    const struct pin_name in[] = {{&cta->launch_valid, "launch_valid"},
                                  {&cta->launch_policy, "launch_policy"},
                                  {&cta->launch_total, "launch_total"},
                                  {&cta->launch_group, "launch_group"},
                                  {&cta->launch_groups, "launch_groups"},
                                  {&cta->launch_limit, "launch_limit"},
                                  {&cta->sm_free, "sm_free"},
                                  {&cta->sm_free2, "sm_free2"}};
    const struct pin_name out[] = {
        {&cta->issue_valid, "issue_valid"}, {&cta->issue_sm, "issue_sm"},
        {&cta->issue_cta, "issue_cta"},     {&cta->busy, "busy"},
        {&cta->group_taken, "group_taken"}, {&cta->pool_opened, "pool_opened"}};
    char overrides[16];
    snprintf(overrides, sizeof overrides, "NSM=%u", cta->n_sms);
    if (pins_open(context, &cta->unit, "sa_cta_sched", overrides, "dispatch") != 0 ||
        pins_wire(context, &cta->unit, PINS(in), PINS(out)) != 0) {
        return -1;
    }
    cta->n_most = (UINT64_C(1) << pins_parameter(&cta->unit, "CTAW")) - 1;
    return 0;
}

static int attach_policy(struct mechanism_context *context, uint32_t policy, uint32_t group)
{
    struct cta *cta = mechanism_keep(context, sizeof *cta);
    const struct dispatch_socket socket = {
        .self = cta, .kernel_start = kernel_start, .assign = assign};
    const struct mechanism_report report = {
        .self = cta, .name = context->mechanism->name, .statistics = statistics};
    if (cta == NULL) {
        return -1;
    }
    cta->policy = policy;
    cta->group = group;
    cta->n_sms = machine_cores(context->machine);
    cta->one_a_cycle = mechanism_value(context, "scan") != 0;
    cta->traced = mechanism_value(context, "trace") != 0;
    cta->cycle = UINT64_MAX;
    if (open_unit(context, cta) != 0 || (cta->trace = json_array()) == NULL ||
        mechanism_at_end(context, forget_trace, cta) != 0 ||
        plug_dispatch(context->machine, &context->plug, &socket) != 0) {
        return -1;
    }
    return mechanism_reports(context, &report);
}

static int attach_cta(struct mechanism_context *context)
{
    const int64_t policy = mechanism_value(context, "policy");
    const uint32_t group = (uint32_t)mechanism_value(context, "group");
    const bool adaptive = mechanism_value(context, "adaptive") != 0;
    return attach_policy(context,
                         policy != 0 ? POLICY_RR
                         : adaptive  ? POLICY_ADAPTIVE
                                     : POLICY_GROUP,
                         group);
}

static int attach_bcs(struct mechanism_context *context)
{
    return attach_policy(context, POLICY_BCS, 1);
}

/* ---- what they say of themselves ---- */

static bool has_few_sms(const struct gpu_config *config)
{
    return config->machine_sms >= 2 && config->machine_sms <= 32;
}

#define SCAN \
    OPTION_CHOICE("scan", 0, "all|one", \
                  "SMs served in a core cycle: all with a free slot, or one", "D-C3")
#define TRACE OPTION_SWITCH("trace", "1 reports every assignment, [SM, CTA], in its order", NULL)

static const struct mechanism_option cta_options[] = {
    OPTION_CHOICE("policy", 0, "group|rr",
                  "CTAs go to SMs in groups of consecutive ones, or one by one", "3.1.3"),
    OPTION_COUNT("group", GROUP_ROW, 0, 65535,
                 "CTAs of a group; 0: a row of the grid, gridDim.x (qx)", "3.1.5"),
    OPTION_COUNT("adaptive", 1, 0, 1,
                 "with fewer groups left than SMs: 1 deals their CTAs one by one, 0 goes on",
                 "D-C4, D-C5"),
    SCAN, TRACE};
static const struct mechanism_option bcs_options[] = {SCAN, TRACE};
static const struct mechanism_part parts[] = {{"sched", "sa_cta_sched"}};
static const struct mechanism_need needs[] = {
    {has_few_sms, "the CTA scheduler serves 2 to 32 SMs; set machine.sms"}};

const struct mechanism mechanism_cta = {
    .name = "cta",
    .title = "CTA dispatch: groups of neighbours on one SM (q8, q16, qx and adaptive)",
    .document = "tabbakh2018",
    .section = "3.1",
    MECHANISM_OPTIONS(cta_options),
    MECHANISM_PARTS(parts),
    MECHANISM_NEEDS(needs),
    .promises = PLUG_LOCAL | PLUG_QUIET | PLUG_STILL,
    .attach = attach_cta};

const struct mechanism mechanism_bcs = {
    .name = "bcs",
    .title = "CTA dispatch: block CTA scheduler, pairs of CTAs on one SM",
    .document = "tabbakh2018",
    .section = "3.1",
    MECHANISM_OPTIONS(bcs_options),
    MECHANISM_PARTS(parts),
    MECHANISM_NEEDS(needs),
    .promises = PLUG_LOCAL | PLUG_QUIET | PLUG_STILL,
    .attach = attach_bcs};
