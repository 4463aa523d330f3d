/* machine.h - a small machine around gtsc_l1, gtsc_l2 and gtsc_reset_ctl, run in random order.
 *
 * Works after tabbakh2018 3.6.3-3.6.9: SMs with tags, bytes and MSHRs, banks with tags, bytes,
 * replay queues and DRAM, messages that overtake each other except between one SM and one
 * block.  What happens next is drawn at random, so that a run is a function of its seed.
 * Timestamps are the units' business alone: nothing here computes one. */
#ifndef WARPLOCK_TESTS_PROTOCOL_MACHINE_H
#define WARPLOCK_TESTS_PROTOCOL_MACHINE_H

#include "golden.h"
#include "pins.h"
#include "tb/random.h"

/* What can be set: name, standard, least, greatest, meaning. */
#define MACHINE_KEYS(K) \
    K(sms, 3, 1, 8, "SMs") \
    K(warps, 3, 2, 8, "warps of an SM") \
    K(banks, 2, 1, 4, "L2 banks") \
    K(blocks, 6, 1, 16, "blocks of memory") \
    K(words, 2, 1, 4, "words of a block: more than one is false sharing") \
    K(l1_lines, 3, 2, 16, "lines of an L1, fully associative") \
    K(l2_lines, 2, 2, 16, "lines of a bank, fully associative") \
    K(lease, 4, 1, 31, "lease; 2 * lease + 2 must fit ts_bits") \
    K(ts_bits, 6, 4, 16, "timestamp, bits") \
    K(epoch_bits, 4, 2, 8, "epoch, bits") \
    K(sc, 0, 0, 1, "1 sequential consistency: one access of a warp at a time") \
    K(outstanding, 3, 1, 4, "accesses of a warp in flight under release consistency") \
    K(stores, 30, 0, 100, "stores among 100 accesses") \
    K(atomics, 4, 0, 100, "atomics among 100 accesses") \
    K(volatiles, 3, 0, 100, "volatile loads among 100 accesses") \
    K(fences, 3, 0, 100, "fences among 100 accesses") \
    K(idle, 0, 0, 1, "1: the last SM issues nothing") \
    K(spin, 0, 0, 1, "1: one warp stores a flag, the others poll it (volatiles: so)") \
    K(patience, 300000, 1000, 100000000, \
      "events without an access performed, or with a flag polled in vain, that mean STUCK")

struct machine_config {
#define K(name, standard, least, greatest, doc) int64_t name;
    MACHINE_KEYS(K)
#undef K
    char l1_overrides[256]; /* parameters of gtsc_l1 beside the sizes */
    char l2_overrides[256];
    int reset_mode;
    unsigned plant; /* mask of enum flaw */
};

/* Faults of the machine around the units, which the test must find. */
enum flaw {
    FLAW_NO_MEM_TS = 1,  /* evictions are not told to the unit */
    FLAW_OLD_DATA = 2,   /* answers of before a reset pass for new ones */
    FLAW_NO_PROBE = 4,   /* silent SMs never learn of a reset */
    FLAW_ONLY_D_G15 = 8, /* only loads wait, for stores: a store passes its warp's load */
    FLAW_REORDER = 16    /* messages between one SM and one block overtake each other */
};

enum {
    MOST_SMS = 8,
    MOST_WARPS = 8,
    MOST_BANKS = 4,
    MOST_BLOCKS = 16,
    MOST_WORDS = 4,
    MOST_LINES = 16,
    MOST_OUTSTANDING = 4,
    MOST_MESSAGES = 128,
    MOST_WAITERS = 40,
    NO_LINE = -1,
    NO_BLOCK = -1
};

enum message_kind { BUS_RD, BUS_WR, BUS_ATOM, BUS_FILL, BUS_RNW, BUS_ACK, BUS_RESET };
struct message {
    uint8_t kind;
    uint8_t sm, warp, slot;   /* whose; slot in the warp's accesses in flight */
    int8_t block, word, line; /* line: where the store locked its copy */
    bool stamps, ok, reset;
    bool direct; /* a volatile load, for itself alone */
    uint32_t wts, rts, ts;
    uint32_t epoch;      /* as sent: EPOCH_BITS */
    uint64_t full_epoch; /* the sender's count of resets, for the check alone */
    uint64_t value;
    uint64_t data[MOST_WORDS];
};
struct channel {
    struct message message[MOST_MESSAGES];
    unsigned n;
};

enum access_kind {
    ACCESS_NONE,
    ACCESS_LOAD,
    ACCESS_VOLATILE,
    ACCESS_STORE,
    ACCESS_ATOMIC,
    ACCESS_FENCE
};
struct access {
    enum access_kind kind;
    int8_t block, word;
    uint64_t value;
};
struct warp {
    struct access next;                        /* not issued yet */
    struct access in_flight[MOST_OUTSTANDING]; /* ACCESS_NONE: free */
    unsigned n_in_flight;
    logical_time last_of_block[MOST_BLOCKS]; /* program order, per block and at fences */
    logical_time latest, not_before;
    bool saw_flag;
};

struct waiter {
    uint8_t warp, slot;
};
struct mshr {
    struct waiter waiter[MOST_WAITERS];
    unsigned n, outstanding;
    bool renews; /* a renewal is in flight, and no store of this SM since */
};
/* A round of service: the waiters of one block have their turns, between other events. */
struct service {
    int8_t block; /* NO_BLOCK: none */
    unsigned next, kept, first_kept_warp;
    bool from_msg;
    struct message msg;
};

struct l1_pins {
    struct pins pins;
    uint64_t *op_valid, *op, *warp, *line, *present, *outstanding, *own_pending, *from_msg,
        *msg_wts, *msg_rts, *msg_epoch, *msg_ok, *msg_stamps;
    uint64_t *answer, *send, *req_wts, *req_ts, *epoch, *stamps, *write_now, *write_late, *install,
        *serve, *load_ts, *lock, *pin, *drop, *flush, *lock_wait;
};
struct sm {
    unsigned id;
    struct l1_pins at;
    struct warp warp[MOST_WARPS];
    int8_t tag[MOST_LINES];
    uint64_t data[MOST_LINES][MOST_WORDS];
    struct mshr mshr[MOST_BLOCKS];
    struct service service;
    uint64_t full_epoch; /* resets adopted */
    uint64_t hits;
    bool probed;
};

struct l2_pins {
    struct pins pins;
    uint64_t *op_valid, *op, *line, *req_wts, *req_ts, *req_epoch, *lease, *ext_mem_ts, *flash;
    uint64_t *resp, *resp_wts, *resp_rts, *resp_reset, *merge_ok, *overflow, *epoch, *mem_ts;
};
struct bank_line {
    int8_t block;  /* NO_BLOCK: free */
    bool reserved; /* bytes to come from DRAM */
    uint64_t data[MOST_WORDS];
    struct message queue[MOST_MESSAGES];
    unsigned n_queued;
};
struct bank {
    unsigned id;
    struct l2_pins at;
    struct bank_line line[MOST_LINES];
    bool stalled;
};

struct reset_pins {
    struct pins pins;
    uint64_t *overflow, *drained, *adopted, *stop, *flash, *probe;
};

struct machine {
    struct machine_config config;
    struct tb_random random;
    struct golden golden;
    struct sm sm[MOST_SMS];
    struct bank bank[MOST_BANKS];
    struct channel request[MOST_SMS][MOST_BANKS], answer[MOST_SMS][MOST_BANKS];
    struct reset_pins reset;
    uint64_t dram[MOST_BLOCKS][MOST_WORDS];
    uint64_t full_epoch, performed, last_value, last_progress, events;
    uint64_t renewals, evictions, merges_lost;
    uint64_t renewals_orphaned; /* the line was replaced while its renewal was in flight */
    bool failed, stuck, flag_stored, mismatch;
    char error[400];
};

/* All units open in reset state; false with one line on stderr. */
bool machine_open(struct machine *machine, struct library *library,
                  const struct machine_config *config, const char *form, uint64_t seed);
/* Keeps the steps of every unit in files `folder`/<unit>.fst and .seq. */
bool machine_record(struct machine *machine, const char *folder);
void machine_close(struct machine *machine);

/* Runs until `accesses` are performed or something is wrong (failed, stuck, mismatch). */
void machine_run(struct machine *machine, uint64_t accesses);

/* ---- between the files of the tester ---- */

static inline unsigned bank_of(const struct machine *m, int block)
{
    return (unsigned)block % (unsigned)m->config.banks;
}
static inline size_t word_of(const struct machine *m, int block, int word)
{
    return (size_t)block * (size_t)m->config.words + (size_t)word;
}
static inline uint64_t below(struct machine *m, uint64_t bound)
{
    return tb_random_below(&m->random, bound);
}
void machine_fails(struct machine *m, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Epoch tags tell ages up to 2^EPOCH_BITS - 2 resets; a message older than that is an error. */
void machine_check_age(struct machine *m, const struct message *message);

void channel_push(struct machine *m, struct channel *channel, const struct message *message);
/* Index of a message that may be taken now: none for its block is older.  -1: none. */
int channel_pick(struct machine *m, const struct channel *channel);
void channel_remove(struct channel *channel, unsigned i);

bool sm_open(struct machine *m, struct sm *sm, struct library *library, const char *form);
void sm_access(struct machine *m, struct sm *sm);
/* One turn of a waiter, or the message in `bank`'s channel, or a probe. */
void sm_serve(struct machine *m, struct sm *sm);
void sm_receive(struct machine *m, struct sm *sm, const struct message *message);
void sm_replace(struct machine *m, struct sm *sm);
/* The access in `slot` of `warp` is performed at `at`; a load or atomic returned `value`. */
void sm_performed(struct machine *m, struct sm *sm, unsigned warp, unsigned slot, logical_time at,
                  uint64_t value);

bool bank_open(struct machine *m, struct bank *bank, struct library *library, const char *form);
/* True when the request was taken from its channel. */
bool bank_receive(struct machine *m, struct bank *bank, const struct message *message);
void bank_dram(struct machine *m, struct bank *bank);
void bank_replay(struct machine *m, struct bank *bank);
void bank_replace(struct machine *m, struct bank *bank);
void bank_flash(struct machine *m, struct bank *bank);

#endif
