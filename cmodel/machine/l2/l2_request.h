/* l2_request.h - between the files of an L2 bank: requests and why they may have to wait. */
#ifndef WARPLOCK_GPU_L2_REQUEST_H
#define WARPLOCK_GPU_L2_REQUEST_H

#include "machine/l2/l2.h"

enum l2_verdict {
    L2_DONE,
    L2_FAIL_LINE,    /* every line of the set is reserved */
    L2_FAIL_MSHR,    /* no entry or no target */
    L2_FAIL_DRAM,    /* queue to DRAM full */
    L2_FAIL_REPLY,   /* reply queue full */
    L2_FAIL_PROTOCOL /* the coherence protocol says wait */
};

/* Try the request; on L2_DONE it is the bank's, or already answered. */
enum l2_verdict l2_request(struct l2_bank *bank, struct exchange *exchange, uint64_t tick,
                           uint64_t now);
/* The same for a request of one sector, in a bank that works by sectors. */
enum l2_verdict l2_sector_request(struct l2_bank *bank, struct exchange *exchange, uint64_t tick,
                                  uint64_t now);

static inline bool l2_is_dirty(const struct cache_line *line)
{
    return line->dirty[0] | line->dirty[1];
}

static inline uint32_t l2_set_of(const struct l2_bank *bank, uint64_t block)
{
    return bank->sockets.index.set(bank->sockets.index.self, l2_index_address(bank->config, block));
}

/* A request into the queue to DRAM, which has room; `mshr` waits for what it reads. */
void l2_push_miss(struct l2_bank *bank, uint64_t block, uint8_t sectors, uint16_t mshr, bool write,
                  uint64_t now);
/* Bytes go to memory, by way of the queue to DRAM, which has room. */
void l2_write_memory(struct l2_bank *bank, uint64_t block, const uint8_t *data,
                     const uint64_t bytes[2], uint64_t now);
/* The same as a write of those sectors, whether all have bytes or not. */
void l2_write_sectors(struct l2_bank *bank, uint64_t block, const uint8_t *data,
                      const uint64_t bytes[2], uint8_t sectors, uint64_t now);
void l2_drop_line(struct l2_bank *bank, uint32_t set, uint32_t way);
/* The data of a line doomed by a flush have been used: what was written goes to memory, the
 * line leaves. */
void l2_end_doomed(struct l2_bank *bank, uint64_t block, uint32_t set, uint32_t way, uint64_t now);

/* Misses that fetch sectors (l2_granularity.c).  Which a new fetch asks DRAM for; way: that of the
 * block, or -1.  `access` gets its note. */
static inline bool l2_by_sectors(const struct l2_bank *bank)
{
    return bank->sockets.granularity.sectors != NULL;
}
uint8_t l2_choose_sectors(const struct l2_bank *bank, struct access_info *access, uint32_t set,
                          int way);
/* Can a read be served beside the fetch of its block's other sectors? */
bool l2_reads_beside(const struct l2_bank *bank, const struct mshr_entry *entry,
                     const struct request *request);
/* What a request that joins a fetch needs beyond it; 0 unless by sectors. */
uint8_t l2_joins_for(const struct l2_bank *bank, const struct mshr_entry *entry,
                     const struct request *request);
/* Has the request to wait for sectors on their way? */
bool l2_awaits(const struct l2_bank *bank, const struct cache_line *line,
               const struct request *request);
/* A request was served on a line. */
void l2_tell_granularity(const struct l2_bank *bank, const struct request *request, uint32_t set,
                         uint32_t way);

/* What the request is, for who looks on from outside. */
void l2_describe(const struct request *request, uint64_t now, struct access_info *access);
/* The request was taken, and met that. */
void l2_count(struct l2_bank *bank, const struct access_info *access, uint32_t set,
              enum access_result result);

/* Perform the request on bytes at hand, which makes its reply; send the reply. */
void l2_perform(struct l2_bank *bank, struct exchange *exchange, struct cache_line *line,
                uint8_t *data, uint64_t now);
void l2_send(struct l2_bank *bank, struct exchange *exchange, uint64_t now);
/* Perform the request on bytes at hand, occupy the port, send the reply. */
void l2_answer(struct l2_bank *bank, struct exchange *exchange, struct cache_line *line,
               uint8_t *data, uint64_t tick, uint64_t now);

#endif
