/* sm_l1d.h - between the files of the L1D: requests, evictions, the start of a miss. */
#ifndef WARPLOCK_GPU_SM_L1D_H
#define WARPLOCK_GPU_SM_L1D_H

#include "machine/sm/sm_private.h"

/* A request of this SM for info->block; l1d_send gives it its size (`payload` data bytes)
 * and puts it into the memory port, which has room.  `line` is the copy present, or NULL. */
struct exchange *l1d_new_request(struct sm *sm, enum msg_type type, const struct access_info *info);
void l1d_send(struct sm *sm, struct exchange *exchange, uint32_t payload, struct cache_line *line);

static inline void l1d_answers_to(struct exchange *exchange, enum ticket_to to, uint32_t number)
{
    exchange->request.ticket.to = (uint8_t)to;
    exchange->request.ticket.number = (uint16_t)number;
}

/* The reply goes straight to those lanes of the instruction. */
static inline void l1d_answers_to_lanes(const struct sm *sm, struct exchange *exchange,
                                        const struct mem_inst *inst, uint32_t lanes)
{
    l1d_answers_to(exchange, TO_INSTRUCTION, (uint32_t)(inst - sm->ldst.inst));
    exchange->request.ticket.lanes = lanes;
}

uint32_t l1d_set(const struct sm *sm, uint64_t block);

/* May the L1D hold the block for this instruction? */
bool l1d_caching(const struct sm *sm, const struct mem_inst *inst, uint64_t block);

/* Does the protocol let the access go on?  `line` holds its block, or is NULL. */
bool l1d_may_send(const struct sm *sm, const struct access_info *info, struct cache_line *line);

/* The host fetches the line that an access to `block` will hit, if there is one. */
void l1d_look_ahead(const struct sm *sm, uint64_t block);

/* Messages that replacing the victim may need, and replacing it. */
uint32_t l1d_eviction_room(const struct sm *sm, const struct cache_line *victim);
void l1d_count_eviction(struct sm *sm, const struct cache_line *line, bool by_demand);
void l1d_evict(struct sm *sm, uint32_t set, uint32_t way, bool by_demand);
/* The line's bytes go down: dirty ones as a MSG_WRITE, else all as a MSG_COPYBACK. */
void l1d_write_down(struct sm *sm, uint32_t set, uint32_t way);
/* Bytes of a block go down: a MSG_WRITE if dirty, else a MSG_COPYBACK; the port has room.  `line`: the
 * copy present, or NULL. */
void l1d_send_down(struct sm *sm, uint64_t block, const uint8_t *data, const uint64_t bytes[2],
                   bool dirty, struct cache_line *line);

/* The victim cache (sm_l1d_victim.c): a whole clean line leaves the L1D for it, what has to go in turn
 * goes down if it is to be copied back.  And back: ACCESS_TAKEN with the block in *way, else as
 * l1d_start_miss. */
static inline bool l1d_is_whole(const struct cache_line *line)
{
    return (line->valid[0] & line->valid[1]) == UINT64_MAX;
}
void l1d_to_victims(struct sm *sm, uint64_t block, struct cache_line *line, const uint8_t *data);
int l1d_from_victims(struct sm *sm, const struct access_info *info, uint32_t set, int *way);

/* The line leaves without a message. */
void l1d_drop(struct sm *sm, uint32_t set, uint32_t way);
/* A kernel starts and copies stay: those with bytes of local memory go, whose threads are no more. */
void l1d_drop_dirty(struct sm *sm);

/* Reserve an MSHR entry, on-miss a line too, and send the request.  `present` is the way
 * that already holds the block (stale or lacking sectors), or -1.  Returns ACCESS_TAKEN
 * with the entry in *at, or a stall reason, or POLICY_BYPASS. */
int l1d_start_miss(struct sm *sm, const struct access_info *info, uint8_t needed, uint32_t set,
                   int present, uint32_t *at);

/* Loads that fetch sectors (sm_l1d_granularity.c).  Which the new entry asks for; it is of a block
 * that way `present` holds in part, or of none. */
static inline bool l1d_by_sectors(const struct sm *sm)
{
    return sm->sockets.granularity.sectors != NULL;
}
uint8_t l1d_choose_sectors(struct sm *sm, uint32_t at, uint8_t needed, uint32_t set, int present);
/* The entry's new waiter needs `more` than was asked for; true if that has to be fetched, for which
 * the port has room. */
bool l1d_ask_more(struct sm *sm, uint32_t at, uint8_t more);
/* A reply has come, and is in the line: it gets what the entry has besides.  False while an earlier reply
 * of the entry has its turn, or waits for it: then the entry keeps this one. */
bool l1d_gather(struct mshr_entry *entry, struct reply *reply);
/* All waiters have had their turn.  False: the entry is done.  Else it goes on, and if *serves with
 * the same reply; otherwise it has kept the reply. */
bool l1d_goes_on(struct mshr_entry *entry, struct reply *reply, bool *serves);
/* A waiter has got these sectors. */
void l1d_tell_read(const struct sm *sm, const struct mshr_entry *entry, uint8_t sectors);

/* What an accepted load met is counted. */
void l1d_note(struct sm *sm, struct mem_inst *inst, const struct access_info *info, uint32_t set,
              enum access_result result);
/* Read without a line or an MSHR entry; ACCESS_TAKEN or a stall reason. */
int l1d_bypass(struct sm *sm, struct mem_inst *inst, const struct mem_access *access,
               const struct access_info *info, uint32_t set);
/* The message of a store, with its bytes, to be sent; the atomic's is sent. */
struct exchange *l1d_store_message(struct sm *sm, const struct mem_inst *inst,
                                   const struct mem_access *access, const struct access_info *info);
void l1d_send_atomic(struct sm *sm, const struct mem_inst *inst, const struct mem_access *access,
                     const struct access_info *info);

/* The copy of a block, or NULL. */
struct cache_line *l1d_copy(const struct sm *sm, uint64_t block);
/* Ask again for an entry with waiters, unless the protocol makes it wait. */
void l1d_ask_again(struct sm *sm, uint32_t at);

#endif
