/* gtsc_l2.c - G-TSC at an L2 bank: which operation of the unit gtsc_l2 each request is
 * (tabbakh2018-coherence 3.6.5, 3.6.6, 3.6.8).
 *
 * A request whose stamp would overflow is not admitted until all timestamps have begun
 * anew (gtsc_reset.c); neither are those for a line whose own first stamp would. */
#include "mechanisms/gtsc/gtsc_l2.h"

#include "base/cycle.h"
#include "mechanisms/gtsc/gtsc_message.h"

/* Put the operation to the unit: its outputs, nothing changes. */
static void ask(struct gtsc_l2 *l2, unsigned op, uint32_t line)
{
    *l2->in.op = op;
    *l2->in.line = line;
    pins_comb(&l2->unit);
}

/* The operation just asked happens. */
static void commit(struct gtsc_l2 *l2)
{
    pins_seq(&l2->unit);
    l2->asked = NULL;
}

static uint32_t index_of(const struct gtsc_l2 *l2, const struct cache_line *line)
{
    return (uint32_t)(line - l2->cache->line);
}

static void ask_request(struct gtsc_l2 *l2, const struct request *msg,
                        const struct cache_line *line)
{
    const bool write = msg->packet.type == MSG_WRITE;
    const bool atomic = msg->packet.type == MSG_ATOMIC;
    *l2->in.req_wts = (uint32_t)msg->proto[0];
    *l2->in.req_ts = msg->proto[0] >> 32;
    *l2->in.req_epoch = msg->proto[1] & GTSC_EPOCH_MASK;
    ask(l2,
        write    ? GTSC_L2_op_WRITE
        : atomic ? GTSC_L2_op_ATOMIC
                 : GTSC_L2_op_READ,
        index_of(l2, line));
}

static uint64_t admit(void *self, const struct request *msg, struct cache_line *line,
                      uint64_t cycle)
{
    struct gtsc_l2 *l2 = self;
    (void)cycle;
    ask_request(l2, msg, line);
    l2->asked = msg;
    *l2->overflow |= *l2->out.overflow != 0 ? l2->bit : 0;
    return *l2->out.overflow || l2->fill_waits ? CYCLE_NEVER : 0;
}

static void performed(void *self, const struct request *request, struct reply *msg,
                      struct cache_line *line, uint64_t cycle)
{
    struct gtsc_l2 *l2 = self;
    (void)cycle;
    if (l2->asked != request) {
        ask_request(l2, request, line);
    }
    const uint64_t resp = *l2->out.resp;
    msg->proto[0] = *l2->out.resp_wts | *l2->out.resp_rts << 32;
    msg->proto[1] = *l2->out.epoch | *l2->out.merge_ok << GTSC_OK_SHIFT;
    msg->no_data = resp == GTSC_L2_resp_RENEW;
    msg->proto_bytes = (resp == GTSC_L2_resp_RENEW ? 1 : 2) * GTSC_STAMP_BYTES;
    l2->fills += resp == GTSC_L2_resp_FILL;
    l2->renewals += resp == GTSC_L2_resp_RENEW;
    l2->acks += resp == GTSC_L2_resp_ACK;
    commit(l2);
}

static void stamp_fill(struct gtsc_l2 *l2, uint32_t line)
{
    ask(l2, GTSC_L2_op_FILL, line);
    l2->asked = NULL;
    if (*l2->out.overflow) {
        *l2->overflow |= l2->bit;
        l2->fill_waits = true;
        l2->fill_line = line;
    } else {
        commit(l2);
    }
}

static void fill(void *self, uint64_t block, struct cache_line *line)
{
    struct gtsc_l2 *l2 = self;
    (void)block;
    stamp_fill(l2, index_of(l2, line));
}

static void evict(void *self, uint64_t block, struct cache_line *line)
{
    struct gtsc_l2 *l2 = self;
    (void)block;
    ask(l2, GTSC_L2_op_EVICT, index_of(l2, line));
    commit(l2);
}

static void kernel_start(void *self)
{
    struct gtsc_l2 *l2 = self;
    *l2->in.kernel_start = 1;
    commit(l2);
    *l2->in.kernel_start = 0;
}

void gtsc_l2_flash(struct gtsc_l2 *l2)
{
    *l2->in.flash = 1;
    commit(l2);
    *l2->in.flash = 0;
    if (l2->fill_waits) {
        l2->fill_waits = false;
        stamp_fill(l2, l2->fill_line);
    }
}

int gtsc_l2_plug(struct mechanism_context *context, struct gtsc_l2 *l2)
{
    const struct coherence_l2_socket socket = {.self = l2,
                                               .needs_still = true,
                                               .admit = admit,
                                               .performed = performed,
                                               .fill = fill,
                                               .evict = evict,
                                               .kernel_start = kernel_start};
    *l2->in
         .op_valid = 1; /* nothing happens but at an edge, and there is none without an operation */
    return plug_bank_coherence(l2->bank, &context->plug, &socket);
}
