/* drd_l1.c - race detection at the L1D: which copies may be used, what requests carry, what
 * replies mean (tabbakh2018-coherence 3.7.5, D-R4, D-R5, D-R6, D-R12, D-R20).
 *
 * Several requests of an SM may be out.  A load that joined one before its race check was
 * answered is served by it; one that came later repeats its own check when the data are
 * there (D-R20).  At the hit limit the block's race check is sent alone; its reply has no
 * data.  The load waits for it; with speculation it goes on and is validated like any hit behind
 * a race check, and may without, since its copy would have served it anyway (D-R22); Ideal's
 * check takes no time.  Steps that the AVU needs take no time here; pace=units: while it has not
 * done those of the cycles before, the cache is closed to requests and messages wait.
 *
 * D-R19, a fetch that an own store passes, is a rule of every L1D here (killed fills): its data
 * serve the load and are not kept.  An older copy stays, but no younger: it was refused
 * already, and a line only ages.
 *
 * An own store is not performed before its acknowledgement: until then no other warp may
 * read its bytes (own=waits; else a warp could read them early and then something that
 * another SM has not yet overwritten). */
#include <inttypes.h>
#include <string.h>

#include "mechanisms/drd/drd_spec.h"

static uint32_t number_of(const struct drd_sm *sm, const struct cache_line *line)
{
    return (uint32_t)(line - sm->l1d->line);
}

/* ---- checks ---- */

/* The AVU's verdict on `bytes` of a line; a hit counts.  `again`: its race check was just
 * answered. */
static enum drd_verdict validate(struct drd_sm *sm, uint32_t n, const uint64_t bytes[2], bool again)
{
    *sm->in.chk_valid = 1;
    *sm->in.chk_line = n;
    *sm->in.chk_addr = sm->l1d->tag[n] & UINT32_MAX;
    *sm->in.chk_again = again;
    memcpy(sm->in.chk_mask, bytes, 2 * sizeof *bytes);
    if (sm->drd->exact != NULL) {
        drd_exact_keep(sm->drd->exact, core_id(sm->core), sm->seen, sm->l1d->tag[n],
                       sm->in.chk_mask);
    }
    for (pins_comb(&sm->avu); !*sm->out.chk_done; pins_comb(&sm->avu)) {
        drd_avu_step(sm);
    }
    const enum drd_verdict verdict = *sm->out.hit        ? DRD_HIT
                                     : *sm->out.avu_miss ? DRD_AVU_MISS
                                     : *sm->out.expired  ? DRD_EXPIRED
                                                         : DRD_LIMIT;
    drd_avu_step(sm);
    *sm->in.chk_valid = 0;
    if (verdict != DRD_HIT) {
        sm->line[n].verdict = (uint8_t)verdict;
        sm->line[n].limit_due = verdict == DRD_LIMIT;
    }
    return verdict;
}

/* Does a load at the hit limit go on while its check is under way? */
static bool limit_goes(const struct drd_sm *sm)
{
    const bool speculates = sm->spec != NULL && sm->spec->on;
    return sm->drd->options.limit == LIMIT_ALWAYS ||
           (sm->drd->options.limit == LIMIT_SPEC && speculates);
}

static enum coherence_probe load(void *self, const struct access_info *access,
                                 struct cache_line *line)
{
    struct drd_sm *sm = self;
    const uint32_t n = number_of(sm, line);
    const bool due = sm->line[n].limit_due;
    if (line->locked) {
        return COHERENCE_WAIT;
    }
    if (due && !limit_goes(sm)) {
        return COHERENCE_REFETCH; /* may be asked again; the unit has begun to count anew */
    }
    enum drd_verdict verdict = validate(sm, n, access->bytes, due);
    if (verdict == DRD_LIMIT && sm->drd->options.mode == DRD_IDEAL) {
        sm->limit_checks++;
        sm->line[n].limit_due = false;
        drd_check_at_once(sm, access->block, access->bytes);
        verdict = validate(sm, n, access->bytes, true);
    }
    if (limit_goes(sm) && (verdict == DRD_LIMIT || (due && verdict == DRD_HIT))) {
        return COHERENCE_CHECK;
    }
    return verdict == DRD_HIT ? COHERENCE_HIT : COHERENCE_REFETCH;
}

/* What is known of the access for which a request may leave now. */
static bool may_send(void *self, const struct access_info *access, struct cache_line *line)
{
    struct drd_sm *sm = self;
    (void)line;
    memcpy(sm->touched, access->bytes, sizeof sm->touched);
    sm->last_of_store = access->position + 1u == access->n_requests;
    return access->kind == ACCESS_LOAD || sm->spec == NULL ||
           sm->spec->sent - sm->spec->oldest < SPEC_REQUESTS;
}

static bool covers(void *self, uint32_t warp_slot, uint32_t position, const struct reply *msg,
                   struct cache_line *line)
{
    static const uint64_t whole[2] = {UINT64_MAX, UINT64_MAX};
    struct drd_sm *sm = self;
    (void)warp_slot;
    if (sm->drd->options.mode == DRD_IDEAL) {
        return true; /* asked again it could be passed by a store of its own warp */
    }
    const bool answered = msg->proto[DRD_KIND] & DRD_ANSWERED;
    const bool trusts = sm->drd->options.merged != 0;
    if (answered && !msg->no_data && (trusts || position < sm->bound[msg->ticket.number])) {
        return true;
    }
    if (line == NULL || line->locked) {
        return false;
    }
    const bool again = answered && msg->no_data;
    const enum drd_verdict verdict = validate(sm, number_of(sm, line), whole, again);
    sm->rechecks += verdict != DRD_HIT;
    return verdict == DRD_HIT;
}

/* ---- stores ---- */

/* With speculation a load of such a line waits for its commit instead. */
static bool locks(const struct drd_sm *sm)
{
    return sm->drd->options.own == 0 && !(sm->spec != NULL && sm->spec->on);
}

static bool store_hit(void *self, uint32_t warp_slot, struct cache_line *line)
{
    struct drd_sm *sm = self;
    (void)warp_slot;
    sm->line[number_of(sm, line)].own_stores++;
    line->locked = locks(sm);
    return true; /* D-R6 */
}

static bool atomic_hit(void *self, struct cache_line *line)
{
    (void)line;
    return ((struct drd_sm *)self)->drd->options.atomic != 0;
}

static void store_done(struct drd_sm *sm, uint64_t place)
{
    const uint32_t n = (uint32_t)place - 1;
    if (place == 0 || sm->line[n].generation != place >> 32) {
        return; /* no copy was kept, or it has been replaced */
    }
    sm->line[n].own_stores--;
    core_protocol_line(sm->core, n)->locked = sm->line[n].own_stores > 0 && locks(sm);
}

/* ---- requests and replies ---- */

static void send_read(struct drd_sm *sm, struct request *msg, const struct cache_line *line)
{
    const bool present = line != NULL && line->state == LINE_VALID;
    struct drd_line *kept = present ? &sm->line[number_of(sm, line)] : NULL;
    const bool limit = present && kept->limit_due;
    msg->proto[DRD_KIND] = limit ? RDU_LIMIT : RDU_MISS;
    memcpy(&msg->proto[DRD_FIRST], sm->touched, sizeof sm->touched);
    sm->misses += !limit;
    sm->limit_checks += limit;
    sm->avu_misses += present && !limit && kept->verdict == DRD_AVU_MISS;
    sm->expired_misses += present && !limit && kept->verdict == DRD_EXPIRED;
    if (limit && limit_goes(sm)) {
        kept->limit_due = false; /* hits go on meanwhile, and are counted */
    }
}

/* The units see 32 bits of an address: two that share them would be one.  Whatever is checked or
 * stored has left the SM as a request before. */
static void check_address(struct drd_sm *sm, uint64_t block)
{
    if (block > UINT32_MAX) {
        core_refuse(sm->core,
                    "race detection sees 32 bits of an address, and block 0x%" PRIx64
                    " is past them; use a smaller size or leave it out",
                    block);
    }
}

static void send(void *self, struct request *msg, struct cache_line *line)
{
    struct drd_sm *sm = self;
    if (msg->packet.type == MSG_COPYBACK) {
        return;
    }
    check_address(sm, msg->packet.block);
    sm->outstanding++;
    if (msg->packet.type == MSG_WRITE) {
        const uint64_t n = line != NULL ? number_of(sm, line) : 0;
        msg->proto[DRD_KIND] = RDU_WR;
        msg->proto[DRD_FIRST] = sm->drd->options.syncs != 0 && !sm->last_of_store;
        msg->proto[DRD_SECOND] = line != NULL ? (n + 1) | (uint64_t)sm->line[n].generation << 32
                                              : 0;
    } else if (msg->packet.type == MSG_ATOMIC) {
        msg->proto[DRD_KIND] = RDU_ATOMIC;
    } else {
        send_read(sm, msg, line);
    }
    if (sm->spec != NULL) {
        msg->proto[DRD_KIND] |= drd_queue_sent(sm->spec, msg) << DRD_ORDER;
    }
    sm->touched[0] = sm->touched[1] = UINT64_MAX; /* of who asks again: the whole block */
}

static void note_fill(struct drd_sm *sm, const struct reply *msg, struct cache_line *line)
{
    const uint32_t n = number_of(sm, line);
    *sm->in.fill_valid = 1;
    *sm->in.fill_line = n;
    *sm->in.fill_mshr = msg->ticket.number;
    *sm->in.rsp_valid = sm->drd->options.tagged != 0;
    *sm->in.rsp_mshr = msg->ticket.number;
    drd_avu_step(sm);
    *sm->in.fill_valid = 0;
    *sm->in.rsp_valid = 0;
    sm->line[n] = (struct drd_line){.generation = sm->line[n].generation + 1};
    line->locked = false;
}

static enum coherence_reply reply(void *self, struct reply *msg, struct cache_line *line)
{
    struct drd_sm *sm = self;
    sm->outstanding--;
    if (msg->proto[DRD_KIND] & DRD_ANSWERED) { /* not from host memory, which is not cached */
        drd_take_until(sm, msg->proto[DRD_KIND] & ~DRD_ANSWERED);
    } else if (sm->spec != NULL) {
        drd_queue_unanswered(sm->spec, msg->proto[DRD_KIND] >> DRD_ORDER);
    }
    if (msg->packet.type == MSG_WRITE_ACK) {
        store_done(sm, msg->proto[DRD_SECOND]);
    } else if (msg->packet.type == MSG_READ_REPLY && msg->ticket.to == TO_MSHR && line != NULL) {
        if (msg->no_data) {
            sm->line[number_of(sm, line)].limit_due = false;
        } else {
            note_fill(sm, msg, line);
        }
    }
    return COHERENCE_INSTALL;
}

/* ---- time ---- */

static bool begin(void *self, uint64_t now, uint64_t skipped)
{
    struct drd_sm *sm = self;
    const bool avu_done = drd_pace_done(&sm->avu_pace, skipped);
    const bool queue_done = drd_pace_done(&sm->queue_pace, skipped);
    if (sm->drd->options.pace != 0 && !(avu_done && queue_done)) {
        return false;
    }
    drd_take_ready(sm, now);
    if (sm->spec != NULL) {
        drd_spec_settle(sm->spec);
    }
    return sm->drd->options.mode != DRD_NOSPEC || sm->drd->options.stall == 0 ||
           sm->outstanding == 0;
}

static bool end(void *self)
{
    struct drd_sm *sm = self;
    if (sm->drd->options.pace != 0 && (sm->avu_pace.steps > 1 || sm->queue_pace.steps > 1)) {
        return true;
    }
    if (sm->spec == NULL) {
        return false;
    }
    return drd_spec_settle(sm->spec) || sm->inbox.count > 0; /* awake for what is on the link */
}

static void kernel_start(void *self)
{
    struct drd_sm *sm = self;
    const uint32_t lines = sm->l1d->sets * sm->l1d->ways;
    sm->touched[0] = sm->touched[1] = UINT64_MAX;
    if (sm->spec != NULL) {
        drd_spec_kernel_start(sm->spec);
    }
    if (sm->drd->options.kernels != 0) {
        drd_acquire(sm); /* no request is unanswered */
        return;
    }
    *sm->in.kernel_start = 1;
    drd_avu_step(sm);
    *sm->in.kernel_start = 0;
    drd_link_clear(sm);
    sm->avu_pace.steps = sm->queue_pace.steps = 0;
    sm->seen = (struct drd_interval){0, 0};
    memset(sm->line, 0, lines * sizeof *sm->line);
    for (uint32_t n = 0; n < lines; n++) {
        core_protocol_line(sm->core, n)->locked = false;
    }
}

int drd_plug_l1(struct mechanism_context *context, struct drd_sm *sm)
{
    const struct coherence_l1_socket socket = {.self = sm,
                                               .keeps_copies = sm->drd->options.kernels != 0,
                                               .local = sm->drd->options.local != 0,
                                               .load = load,
                                               .may_send = may_send,
                                               .store_hit = store_hit,
                                               .atomic_hit = atomic_hit,
                                               .send = send,
                                               .reply = reply,
                                               .covers = covers,
                                               .kernel_start = kernel_start};
    const struct clocked_socket clock = {sm, begin, end};
    if (plug_coherence(sm->core, &context->plug, &socket) != 0 ||
        plug_clock(sm->core, &context->plug, &clock) != 0) {
        return -1;
    }
    return sm->spec != NULL ? drd_spec_plug(context, sm) : 0;
}
