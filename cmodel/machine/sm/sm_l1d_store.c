/* sm_l1d_store.c - stores and atomics at the L1D: write policies, killed misses.
 *
 * Works after wang2015-divergence 3.1 (write-evict, D-BASE-5), tabbakh2018-coherence 2.1
 * (write-through with allocation, local write-back; atomics at the L2).
 */
#include <string.h>

#include "machine/sm/sm_l1d.h"

static void kill_pending(struct sm *sm, uint32_t set, int way, uint64_t block)
{
    const struct inclusion_l1_socket *inclusion = &sm->sockets.inclusion;
    int at = mshr_find(&sm->mshr, block);

    if (inclusion->forget) {
        inclusion->forget(inclusion->self, block);
    }
    if (at >= 0 && sm->mshr.entry[at].has_line && !sm->mshr.entry[at].returned) {
        OBSERVE(sm->sockets, line, sm->id, sm->mshr.entry[at].set, sm->mshr.entry[at].way,
                LINE_DROP, false);
    }
    if (at >= 0) {
        sm->mshr.entry[at].killed = true;
    }
    if (way >= 0 && cache_line(&sm->l1d, set, (uint32_t)way)->state == LINE_RESERVED) {
        cache_line(&sm->l1d, set, (uint32_t)way)->killed = true;
    }
}

/* Bytes of a store's lanes for one block; where lanes collide the highest wins. */
static void store_bytes(const struct sm *sm, const struct mem_inst *inst, uint32_t lanes,
                        uint8_t *data, uint64_t bytes[2])
{
    if (!sm->valued) {
        sm_lane_bytes(&inst->op, lanes, bytes);
        return;
    }
    for (; lanes; lanes &= lanes - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(lanes);
        uint32_t offset = (uint32_t)(inst->op.addr[lane] & (BLOCK_BYTES - 1));

        memcpy(data + offset, inst->op.data[lane], inst->op.inst->bytes);
        bytes_span(bytes, offset, inst->op.inst->bytes);
    }
}

/* An accepted store or atomic. */
static void tell_write(struct sm *sm, const struct mem_inst *inst, const struct access_info *info,
                       uint32_t set, int way)
{
    bool hit = way >= 0 && cache_line(&sm->l1d, set, (uint32_t)way)->state == LINE_VALID;

    OBSERVE(sm->sockets, write_result, sm->id, info, set, hit ? RESULT_HIT : RESULT_MISS,
            inst->op.space != ISA_SPACE_LOCAL);
}

/* A store evicts the copy of its block. */
static void drop_written(struct sm *sm, uint32_t set, uint32_t way)
{
    sm->stats.l1d_write_invalidations++;
    OBSERVE(sm->sockets, line, sm->id, set, way, LINE_DROP, false);
    l1d_drop(sm, set, way);
}

/* Local memory under write-back: a hit stays in the L1D. */
static void absorb(struct sm *sm, struct mem_inst *inst, const struct mem_access *access,
                   const struct access_info *info, uint32_t set, uint32_t way)
{
    struct cache_line *line = cache_line(&sm->l1d, set, way);
    uint8_t *data = cache_data(&sm->l1d, set, way), before[BLOCK_BYTES];
    uint64_t bytes[2] = {0, 0};

    OBSERVE(sm->sockets, line, sm->id, set, way, LINE_WRITE, true);
    memcpy(before, data, sizeof before);
    store_bytes(sm, inst, access->lanes, data, bytes);
    sm->spin.changed |= memcmp(before, data, sizeof before) != 0;
    for (uint32_t left = access->lanes; left && sm_round_open(sm); left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);

        values_add(&sm->round.values, inst->op.addr[lane], inst->op.data[lane],
                   inst->op.inst->bytes);
    }
    for (unsigned word = 0; word < 2; word++) {
        line->dirty[word] |= bytes[word];
        line->valid[word] |= bytes[word];
    }
    sm->sockets.policy.touch(sm->sockets.policy.self, set, way, info);
    sm->stats.store_kept++;
    sm_store_done(sm, inst->slot);
}

static bool keeps_line(struct sm *sm, const struct access_info *info, struct cache_line *line)
{
    struct coherence_l1_socket *protocol = &sm->sockets.coherence;

    if (protocol->store_hit && !info->local) {
        return protocol->store_hit(protocol->self, info->warp_slot, line);
    }
    return sm->config->l1d_global_write != WRITE_EVICT;
}

/* Under write-allocate a store that misses also fetches the line, behind its own write. */
static bool wants_allocation(const struct sm *sm, const struct mem_inst *inst, int way,
                             uint64_t block)
{
    return sm->config->l1d_global_write == WRITE_THROUGH_ALLOCATE && way < 0 &&
           l1d_caching(sm, inst, block) && mshr_find(&sm->mshr, block) < 0;
}

/* The sectors of the 32, 64 or 128 bytes around those that a store writes. */
static uint8_t segment(uint8_t sectors)
{
    static const uint8_t of[16] = {0, 1, 2, 3, 4, 15, 15, 15, 8, 15, 15, 15, 12, 15, 15, 15};

    return of[sectors];
}

struct exchange *l1d_store_message(struct sm *sm, const struct mem_inst *inst,
                                   const struct mem_access *access, const struct access_info *info)
{
    struct exchange *exchange = l1d_new_request(sm, MSG_WRITE, info);
    struct request *request = &exchange->request;

    l1d_answers_to(exchange, TO_WARP, 0);
    store_bytes(sm, inst, access->lanes, exchange->data, request->bytes);
    request->sectors = bytes_sectors(request->bytes);
    if (sm->config->ldst_segments == SEGMENTS_WIDTH) {
        request->sectors = segment(request->sectors);
    }
    return exchange;
}

static void send_store(struct sm *sm, const struct mem_inst *inst, const struct mem_access *access,
                       const struct access_info *info, uint32_t set, int way)
{
    struct cache_line *line = way < 0 ? NULL : cache_line(&sm->l1d, set, (uint32_t)way);
    struct exchange *exchange = l1d_store_message(sm, inst, access, info);
    struct request *request = &exchange->request;

    kill_pending(sm, set, way, info->block);
    sm->stats.store_hits += line && line->state == LINE_VALID;
    if (line && line->state == LINE_VALID) {
        if (keeps_line(sm, info, line)) {
            if (sm->valued) {
                bytes_copy(cache_data(&sm->l1d, set, (uint32_t)way), exchange->data,
                           request->bytes);
            }
            line->valid[0] |= request->bytes[0];
            line->valid[1] |= request->bytes[1];
        } else {
            drop_written(sm, set, (uint32_t)way);
            line = NULL;
        }
    }
    l1d_send(sm, exchange, sectors_size_bytes(request->sectors), line);
}

int sm_l1d_store(struct sm *sm, struct mem_inst *inst, const struct mem_access *access,
                 const struct access_info *info)
{
    uint32_t set = l1d_set(sm, info->block), at;
    int way = cache_find(&sm->l1d, set, info->block);
    struct cache_line *line = way < 0 ? NULL : cache_line(&sm->l1d, set, (uint32_t)way);
    bool allocate = wants_allocation(sm, inst, way, info->block);

    if (inst->op.space == ISA_SPACE_LOCAL && sm->config->l1d_local_write == LOCAL_BACK && line &&
        line->state == LINE_VALID) {
        sm->stats.store_accesses++;
        sm->stats.store_hits++;
        tell_write(sm, inst, info, set, way);
        absorb(sm, inst, access, info, set, (uint32_t)way);
        return ACCESS_TAKEN;
    }
    if (!l1d_may_send(sm, info, line)) {
        return STALL_PROTOCOL;
    }
    if (!sm_port_room(sm, allocate ? 2 : 1)) {
        return STALL_PORT;
    }
    sm->stats.store_accesses++;
    tell_write(sm, inst, info, set, way);
    send_store(sm, inst, access, info, set, way);
    /* The fetch is a convenience: where no line or entry is free it is left out. */
    if (allocate) {
        (void)l1d_start_miss(sm, info, (1u << SECTORS) - 1, set, -1, &at);
    }
    return ACCESS_TAKEN;
}

/* The operands of the lanes, in ascending order. */
static void put_operands(const struct isa_memop *op, uint32_t lanes, struct atomic_lanes *atomic,
                         uint64_t bytes[2])
{
    for (uint32_t l = 0; lanes; lanes &= lanes - 1, l++) {
        uint32_t lane = (uint32_t)__builtin_ctz(lanes);

        atomic->offset[l] = (uint8_t)(op->addr[lane] & (BLOCK_BYTES - 1));
        memcpy(&atomic->lane[l], op->data[lane], sizeof atomic->lane[l]);
        bytes_span(bytes, atomic->offset[l], op->inst->bytes);
    }
}

void l1d_send_atomic(struct sm *sm, const struct mem_inst *inst, const struct mem_access *access,
                     const struct access_info *info)
{
    const struct isa_inst *in = inst->op.inst;
    struct exchange *exchange = l1d_new_request(sm, MSG_ATOMIC, info);
    struct request *request = &exchange->request;
    uint32_t operands = in->atom == ISA_ATOM_CAS ? 2 : 1;

    l1d_answers_to_lanes(sm, exchange, inst, access->lanes);
    request->sectors = access->sectors;
    request->atom = in->atom;
    request->number = in->number;
    request->operand_bytes = in->bytes;
    request->returns = inst->returns;
    put_operands(&inst->op, access->lanes, exchange_lanes(exchange), request->bytes);
    l1d_send(sm, exchange, (uint32_t)__builtin_popcount(access->lanes) * operands * in->bytes,
             NULL);
}

int sm_l1d_atomic(struct sm *sm, struct mem_inst *inst, const struct mem_access *access,
                  const struct access_info *info)
{
    uint32_t set = l1d_set(sm, info->block);
    int way = cache_find(&sm->l1d, set, info->block);
    const struct coherence_l1_socket *protocol = &sm->sockets.coherence;

    if (!l1d_may_send(sm, info, way < 0 ? NULL : cache_line(&sm->l1d, set, (uint32_t)way))) {
        return STALL_PROTOCOL;
    }
    if (!sm_port_room(sm, 1)) {
        return STALL_PORT;
    }
    sm->stats.atomic_accesses++;
    kill_pending(sm, set, way, info->block);
    tell_write(sm, inst, info, set, way);
    if (way >= 0 && cache_line(&sm->l1d, set, (uint32_t)way)->state == LINE_VALID &&
        !(protocol->atomic_hit &&
          protocol->atomic_hit(protocol->self, cache_line(&sm->l1d, set, (uint32_t)way)))) {
        drop_written(sm, set, (uint32_t)way);
    }
    l1d_send_atomic(sm, inst, access, info);
    return ACCESS_TAKEN;
}
