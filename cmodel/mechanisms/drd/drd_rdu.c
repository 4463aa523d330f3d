/* drd_rdu.c - the race detection unit in front of the L2 banks (tabbakh2018-coherence 3.7.4,
 * 3.7.7).
 *
 * The unit serves a request in the step in which its L2 bank performs it (D-R9); the answer
 * goes to the SM by the link.  Steps that the unit needs for a message, and the wait behind
 * other messages, take no time here; pace=units: what it says leaves with its last step, and until
 * then no request that finds its line in the L2 is performed. */
#include <string.h>

#include "mechanisms/drd/drd.h"

enum { LATE_CYCLES = 200 };

static void step(struct drd *drd)
{
    pins_seq(&drd->rdu);
    drd->steps++;
}

/* ---- what the unit sends ---- */

/* The signature that goes with what the unit says, a word a step; its last word is still to be
 * taken. */
static void collect_signature(struct drd *drd)
{
    const uint32_t lanes = drd_word_lanes(&drd->options);
    for (uint32_t at = 0; at < drd->sig_words; at += lanes) {
        if (at > 0) {
            step(drd);
            pins_comb(&drd->rdu);
        }
        memcpy(&drd->sig[at], drd->out.sig, lanes * sizeof *drd->sig);
    }
}

static uint64_t post(struct drd *drd, uint32_t to, struct drd_message message, uint64_t now)
{
    struct drd_sm *sm = &drd->sm[to];
    const bool at_once = drd->options.mode == DRD_IDEAL;
    const uint64_t steps = drd->options.pace != 0 ? drd->steps : 0;
    message.ready = now + (at_once ? 0 : drd->options.link + steps);
    if (drd->exact != NULL && message.has_sig) {
        message.stores = sm->synced = drd_exact_count(drd->exact);
    }
    const uint64_t number = drd_post(sm, &message, drd->sig);
    if (at_once) {
        drd_take_until(sm, number);
    }
    if (sm->spec != NULL) {
        machine_wake_core(drd->machine, to, message.ready); /* loads may be validated */
    }
    return number;
}

static void force_points(struct drd *drd, uint64_t now)
{
    const struct drd_message forced = {
        .type = RDU_WR, .mshr = DRD_NO_MSHR, .has_sig = true, .forced = true};
    for (pins_comb(&drd->rdu); *drd->out.fsync_valid; pins_comb(&drd->rdu)) {
        drd->forced_points++;
        collect_signature(drd);
        post(drd, (uint32_t)*drd->out.fsync_sm, forced, now);
        step(drd);
    }
}

/* ---- a request ---- */

static struct drd_request request_of(const struct request *msg)
{
    struct drd_request request = {.block = msg->packet.block,
                                  .sm = msg->packet.source,
                                  .mshr = msg->ticket.to == TO_MSHR ? msg->ticket.number
                                                                    : DRD_NO_MSHR,
                                  .type = (uint32_t)msg->proto[DRD_KIND] & ((1u << DRD_ORDER) - 1),
                                  .order = msg->proto[DRD_KIND] >> DRD_ORDER};
    if (msg->packet.type == MSG_WRITE || msg->packet.type == MSG_ATOMIC) {
        memcpy(request.bytes, msg->bytes, sizeof request.bytes);
        request.quiet = msg->packet.type == MSG_WRITE && msg->proto[DRD_FIRST] != 0;
    } else {
        memcpy(request.bytes, &msg->proto[DRD_FIRST], sizeof request.bytes);
    }
    return request;
}

/* sig=exact: the unit is asked only for what is really in the SM's signature. */
static void ask_exactly(struct drd *drd, struct drd_request *request)
{
    const struct drd_sm *sm = &drd->sm[request->sm];
    if (request->type == RDU_WR || request->type == RDU_ATOMIC) {
        drd->no_memory |= !drd_exact_store(drd->exact, request->sm, request->block, request->bytes);
        return;
    }
    if (request->type == RDU_MISS && drd->options.check == 0) {
        request->bytes[0] = request->bytes[1] = UINT64_MAX; /* D-R15 */
    }
    drd_exact_keep(drd->exact, request->sm,
                   (struct drd_interval){sm->synced, drd_exact_count(drd->exact)}, request->block,
                   request->bytes);
}

/* The unit serves it: its answer and forced points are on the link.  The answer's number;
 * `signature`: it has one. */
static uint64_t serve(struct drd *drd, struct drd_request *request, uint64_t now, bool *signature)
{
    if (drd->exact != NULL) {
        ask_exactly(drd, request);
    }
    drd->steps = drd->free_at > now ? drd->free_at - now : 0;
    *drd->in.in_valid = 1;
    *drd->in.in_type = request->type;
    *drd->in.in_sm = request->sm;
    *drd->in.in_addr = request->block & UINT32_MAX;
    *drd->in.in_nosync = request->quiet;
    memcpy(drd->in.in_mask, request->bytes, sizeof request->bytes);
    *drd->in.out_ready = 1;
    step(drd);
    *drd->in.in_valid = 0;
    for (pins_comb(&drd->rdu); !*drd->out.ack_valid; pins_comb(&drd->rdu)) {
        if (*drd->out.fsync_valid) {
            force_points(drd, now); /* once=1: between two granules */
        } else {
            step(drd);
        }
    }
    *signature = *drd->out.ack_has_sig != 0;
    if (*signature) {
        collect_signature(drd);
    }
    drd->store_points += *drd->out.store_sync;
    drd->race_points += *drd->out.race_sync;
    drd->race_checks += request->type == RDU_MISS;
    const struct drd_message answer = {.type = (uint8_t)request->type,
                                       .mshr = request->mshr,
                                       .order = request->order,
                                       .has_sig = *signature};
    const uint64_t number = post(drd, request->sm, answer, now);
    step(drd);
    force_points(drd, now);
    drd->free_at = now + drd->steps;
    return number;
}

void drd_check_at_once(struct drd_sm *sm, uint64_t block, const uint64_t bytes[2])
{
    struct drd_request check = {.block = block,
                                .bytes = {bytes[0], bytes[1]},
                                .sm = (uint16_t)core_id(sm->core),
                                .mshr = DRD_NO_MSHR,
                                .type = RDU_LIMIT};
    bool signature;
    serve(sm->drd, &check, 0, &signature);
}

void drd_acquire(struct drd_sm *sm)
{
    struct drd *drd = sm->drd;
    struct drd_message begins = {
        .type = RDU_WR, .mshr = DRD_NO_MSHR, .has_sig = true, .forced = true};
    *drd->in.in_valid = 1;
    *drd->in.in_type = RDU_WR;
    *drd->in.in_sm = core_id(sm->core);
    *drd->in.in_addr = *drd->in.in_nosync = 0;
    memset(drd->in.in_mask, 0, 2 * sizeof *drd->in.in_mask); /* it stores nothing */
    *drd->in.out_ready = 1;
    step(drd);
    *drd->in.in_valid = 0;
    for (pins_comb(&drd->rdu); !*drd->out.ack_valid; pins_comb(&drd->rdu)) {
        step(drd);
    }
    collect_signature(drd);
    if (drd->exact != NULL) {
        begins.stores = sm->synced = drd_exact_count(drd->exact);
    }
    drd_take_until(sm, drd_post(sm, &begins, drd->sig));
    step(drd);
}

/* order=late: what a unit apart from the L2 may do.  A store reaches it some time after its
 * bank has performed it; nobody waits for that. */
static void serve_late(struct drd *drd, uint64_t now)
{
    bool signature;
    while (drd->n_late > 0 && (drd->late[0].due <= now || drd->n_late == DRD_LATE)) {
        struct drd_request request = drd->late[0];
        memmove(drd->late, drd->late + 1, --drd->n_late * sizeof *drd->late);
        serve(drd, &request, now, &signature);
    }
}

static void performed(void *self, const struct request *asked, struct reply *msg,
                      struct cache_line *line, uint64_t cycle)
{
    struct drd *drd = self;
    struct drd_request request = request_of(asked);
    bool signature;
    (void)line;
    if (drd->options.order != 0) {
        serve_late(drd, cycle);
    }
    if (drd->options.order != 0 && request.type == RDU_WR) {
        request.due = cycle + LATE_CYCLES;
        drd->late[drd->n_late++] = request;
        return;
    }
    msg->no_data = request.type == RDU_LIMIT && drd->options.mode != DRD_IDEAL;
    msg->proto[DRD_KIND] = DRD_ANSWERED | serve(drd, &request, cycle, &signature);
    msg->proto_bytes = signature && drd->options.carry != 0 ? (uint16_t)(drd->sig_words * 8) : 0;
}

static uint64_t admit(void *self, const struct request *request, struct cache_line *line,
                      uint64_t cycle)
{
    const struct drd *drd = self;
    (void)request, (void)line;
    return drd->free_at > cycle ? drd->free_at : cycle;
}

static void kernel_start(void *self)
{
    struct drd *drd = self;
    if (drd->options.kernels != 0) {
        return;
    }
    *drd->in.kernel_start = 1;
    step(drd);
    *drd->in.kernel_start = 0;
    if (drd->exact != NULL) {
        drd_exact_clear(drd->exact);
    }
    for (uint32_t i = 0; i < drd->n_sms; i++) {
        drd->sm[i].synced = 0;
    }
    drd->n_late = 0;
    drd->free_at = 0;
}

int drd_plug_l2(struct mechanism_context *context, struct drd *drd)
{
    const struct coherence_l2_socket socket = {.self = drd,
                                               .admit = drd->options.pace != 0 ? admit : NULL,
                                               .performed = performed,
                                               .kernel_start = kernel_start};
    for (uint32_t i = 0; i < machine_banks(drd->machine); i++) {
        if (plug_bank_coherence(machine_bank(drd->machine, i), &context->plug, &socket) != 0) {
            return -1;
        }
    }
    return 0;
}
