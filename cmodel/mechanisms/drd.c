/* drd.c - sequential consistency by dynamic race detection without speculation: a race
 * detection unit in front of the L2, an access validation unit in every SM, and a memory
 * pipeline that stands still under each miss and each write (tabbakh2018-coherence S18,
 * 3.7.3 - 3.7.7).
 *
 * The race detection unit serves a request in the step in which its L2 bank performs it
 * (D-R9).  Its answer travels with the reply; a forced signature goes to the SM at once, or
 * behind an answer that is on the way, and takes no room on the network.  Steps that the
 * unit needs for a message, and the wait behind other messages, take no time here.
 * At the hit limit the block is fetched anew, which checks it.  An atomic counts as a store
 * to all of its sectors.  Loads are validated by block: granules of a block or more only. */
#include <stdio.h>
#include <string.h>

#include "mechanisms/coherence.h"
#include "mechanisms/drd.h"

enum { RDU_WR, RDU_MISS, RDU_LIMIT, RDU_ATOMIC };

/* ---- SM side ---- */

static uint32_t line_number(const struct drd_sm *sm, const struct cache_line *line)
{
    return (uint32_t)(line - sm->sm->l1d.line);
}

/* The AVU looks at a line; the verdict is in its outputs. */
static void look(struct drd_sm *sm, const struct cache_line *line)
{
    const uint32_t number = line_number(sm, line);
    *sm->in.chk_valid = 1;
    *sm->in.chk_line = number;
    *sm->in.chk_addr = sm->sm->l1d.tag[number] & UINT32_MAX;
    sm->in.chk_mask[0] = sm->in.chk_mask[1] = UINT64_MAX;
    pins_comb(&sm->avu);
}

static enum coherence_probe load(void *self, uint32_t warp_slot, struct cache_line *line,
                                 uint64_t cycle)
{
    struct drd_sm *sm = self;
    (void)warp_slot, (void)cycle;
    look(sm, line);
    const bool hit = *sm->out.hit != 0;
    if (hit) {
        pins_seq(&sm->avu); /* counts the hit; a refusal must change nothing, it may come again */
    }
    *sm->in.chk_valid = 0;
    return hit ? COHERENCE_HIT : COHERENCE_REFETCH;
}

static bool store_hit(void *self, uint32_t warp_slot, struct cache_line *line)
{
    (void)self, (void)warp_slot, (void)line;
    return true; /* D-R6; the machine drops the copy that an atomic meets (D-R12) */
}

static void send(void *self, struct msg *msg, struct cache_line *line)
{
    struct drd_sm *sm = self;
    if (msg->type == MSG_COPYBACK) {
        return;
    }
    sm->outstanding++;
    if (msg->type == MSG_READ && line != NULL && line->state == LINE_VALID) {
        look(sm, line);
        sm->avu_misses += *sm->out.avu_miss;
        sm->expired_misses += *sm->out.expired;
        sm->limit_checks += *sm->out.need_rchk;
        *sm->in.chk_valid = 0;
    }
}

/* The oldest message of the unit reaches the AVU. */
static void take_message(struct drd_sm *sm)
{
    const struct drd_reply *reply = &sm->inbox[0];
    *sm->in.sig_valid = reply->has_sig;
    memcpy(sm->in.sig, reply->sig, sm->drd->sig_words * sizeof(uint64_t));
    *sm->in.rsp_valid = reply->of_miss;
    pins_seq(&sm->avu);
    *sm->in.sig_valid = 0;
    *sm->in.rsp_valid = 0;
    memmove(sm->inbox, sm->inbox + 1, --sm->n_inbox * sizeof *sm->inbox);
}

static void note_fill(struct drd_sm *sm, const struct cache_line *line)
{
    *sm->in.fill_valid = 1;
    *sm->in.fill_line = line_number(sm, line);
    pins_seq(&sm->avu);
    *sm->in.fill_valid = 0;
}

static enum coherence_reply reply(void *self, struct msg *msg, struct cache_line *line)
{
    struct drd_sm *sm = self;
    sm->outstanding--;
    if (!sm->answered) {
        return COHERENCE_INSTALL; /* of host memory, which is not cached here */
    }
    take_message(sm);
    if (msg->type == MSG_READ_REPLY && line != NULL) {
        note_fill(sm, line);
    }
    while (sm->n_inbox > 0) {
        take_message(sm);
    }
    sm->answered = false;
    return COHERENCE_INSTALL;
}

/* The memory pipeline stands still while anything is outstanding. */
static bool begin(void *self, uint64_t now)
{
    (void)now;
    return ((const struct drd_sm *)self)->outstanding == 0;
}

static bool end(void *self)
{
    (void)self;
    return false;
}

static void l1_kernel_start(void *self)
{
    struct drd_sm *sm = self;
    *sm->in.clear = 1;
    pins_seq(&sm->avu);
    *sm->in.clear = 0;
}

/* ---- L2 side ---- */

/* A message of the unit to an SM: at once, unless an answer is on the way. */
static void post(struct drd *drd, uint32_t to, bool has_sig, bool of_miss, bool at_once)
{
    struct drd_sm *sm = &drd->sm[to];
    if (sm->n_inbox == DRD_INBOX) {
        sm->inbox_overran = true;
        return;
    }
    struct drd_reply *message = &sm->inbox[sm->n_inbox++];
    message->has_sig = has_sig;
    message->of_miss = of_miss;
    memcpy(message->sig, drd->out.sig, drd->sig_words * sizeof(uint64_t));
    if (at_once) {
        take_message(sm);
    }
}

static void force_points(struct drd *drd)
{
    for (pins_comb(&drd->rdu); *drd->out.fsync_valid; pins_comb(&drd->rdu)) {
        const uint32_t to = (uint32_t)*drd->out.fsync_sm;
        drd->forced_points++;
        post(drd, to, true, false, !drd->sm[to].answered);
        pins_seq(&drd->rdu);
    }
}

static uint32_t message_type(const struct msg *msg)
{
    return msg->type == MSG_WRITE_ACK ? RDU_WR : msg->type == MSG_ATOMIC_REPLY ? RDU_ATOMIC : RDU_MISS;
}

/* The bank performed a request: the unit serves it in the same step. */
static void performed(void *self, struct msg *msg, struct cache_line *line, uint64_t cycle)
{
    struct drd *drd = self;
    const uint32_t type = message_type(msg);
    (void)line, (void)cycle;
    *drd->in.in_valid = 1;
    *drd->in.in_type = type;
    *drd->in.in_sm = msg->sm;
    *drd->in.in_addr = msg->block & UINT32_MAX;
    if (type == RDU_WR) {
        memcpy(drd->in.in_mask, msg->bytes, sizeof msg->bytes);
    } else {
        sector_bytes(msg->sectors, drd->in.in_mask);
    }
    *drd->in.out_ready = 1;
    pins_seq(&drd->rdu);
    *drd->in.in_valid = 0;
    for (pins_comb(&drd->rdu); !*drd->out.ack_valid; pins_comb(&drd->rdu)) {
        pins_seq(&drd->rdu);
    }
    const bool has_sig = *drd->out.ack_has_sig != 0;
    drd->store_points += *drd->out.st_store_sync;
    drd->race_points += *drd->out.st_race_sync;
    drd->race_checks += type == RDU_MISS;
    drd->sm[msg->sm].answered = true;
    post(drd, msg->sm, has_sig, type == RDU_MISS, false);
    pins_seq(&drd->rdu);
    msg->proto_bytes = has_sig && drd->sig_traffic ? (uint16_t)(drd->sig_words * 8) : 0;
    force_points(drd);
}

static void unit_kernel_start(void *self)
{
    struct drd *drd = self;
    *drd->in.clear = 1;
    pins_seq(&drd->rdu);
    *drd->in.clear = 0;
}

/* ---- plugging in ---- */

static void statistics(void *self, json_t *into)
{
    const struct drd *drd = self;
    uint64_t avu = 0, expired = 0, limit = 0;
    for (uint32_t i = 0; i < drd->gpu->n_sms; i++) {
        avu += drd->sm[i].avu_misses;
        expired += drd->sm[i].expired_misses;
        limit += drd->sm[i].limit_checks;
    }
    const struct { const char *name; uint64_t value; } counters[] = {
        {"race_checks", drd->race_checks}, {"points_store", drd->store_points},
        {"points_race", drd->race_points}, {"points_forced", drd->forced_points},
        {"avu_misses", avu}, {"expired_misses", expired}, {"limit_checks", limit}};
    for (size_t i = 0; i < sizeof counters / sizeof *counters; i++) {
        json_object_set_new(into, counters[i].name, json_integer((json_int_t)counters[i].value));
    }
}

static const char *difference(void *self)
{
    struct drd *drd = self;
    for (uint32_t i = 0; i < drd->gpu->n_sms; i++) {
        if (drd->sm[i].inbox_overran) {
            snprintf(drd->difference, sizeof drd->difference,
                     "sm%u: more than %d forced signatures behind one answer", i, DRD_INBOX - 1);
            return drd->difference;
        }
    }
    return NULL;
}

static int plug_sm(struct mechanism_context *context, struct drd_sm *sm)
{
    struct sm_sockets *sockets = &sm->sm->sockets;
    if (sockets->n_clocked == MAX_CLOCKED) {
        snprintf(context->error, context->n_error,
                 "drd: too many clocked mechanisms in an SM; leave one out");
        return -1;
    }
    sockets->coherence = (struct coherence_l1_socket){
        .self = sm, .load = load, .store_hit = store_hit, .send = send, .reply = reply,
        .kernel_start = l1_kernel_start};
    sockets->clocked[sockets->n_clocked++] =
        (struct clocked_socket){.self = sm, .begin = begin, .end = end};
    return 0;
}

int attach_drd(struct mechanism_context *context, const char *argument)
{
    const struct coherence_rules rules = {.sequential = true, .global_write = WRITE_THROUGH};
    struct drd *drd = mechanism_keep(context, sizeof *drd);
    if (drd == NULL || coherence_machine(context, "drd", &rules) != 0) {
        return -1;
    }
    drd->gpu = context->gpu;
    drd->sig_traffic = true;
    drd->sm = mechanism_keep(context, drd->gpu->n_sms * sizeof *drd->sm);
    if (drd->sm == NULL) {
        return -1;
    }
    for (uint32_t i = 0; i < drd->gpu->n_sms; i++) {
        drd->sm[i].drd = drd;
        drd->sm[i].sm = &drd->gpu->sm[i];
    }
    if (drd_open(context, drd, argument) != 0) {
        return -1;
    }
    for (uint32_t i = 0; i < drd->gpu->n_sms; i++) {
        if (plug_sm(context, &drd->sm[i]) != 0) {
            return -1;
        }
    }
    for (uint32_t i = 0; i < drd->gpu->n_banks; i++) {
        drd->gpu->bank[i].sockets.coherence = (struct coherence_l2_socket){
            .self = drd, .performed = performed, .kernel_start = unit_kernel_start};
    }
    const struct mechanism_report report = {drd, "drd", statistics, difference};
    return mechanism_reports(context, &report);
}
