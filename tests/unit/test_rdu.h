/* test_rdu.h - SMs with an access validation unit each, one race detection unit, and one
 * memory, wired as tabbakh2018 3.7.3 - 3.7.7 says; messages to an SM keep their order but
 * may be late.  The wires, the L1 data and the memory are here and nowhere in the units.
 *
 * The L1 is a plain map: block b sits in line b.  A load returns memory as it stood at the
 * SM's last synchronisation point (3.7.7, model check); the machine keeps that memory. */
#ifndef WARPLOCK_TESTS_TEST_RDU_H
#define WARPLOCK_TESTS_TEST_RDU_H

#include "test_dacache.h"

enum { RDU_SMS = 3, RDU_BLOCKS = 8, RDU_WORDS = 2, RDU_INBOX = 64, RDU_MAX_SIG = 256 };
enum { RDU_WR, RDU_MISS, RDU_LIMIT, RDU_ATOMIC };

struct rdu_memory {
    uint32_t word[RDU_BLOCKS][RDU_WORDS];
};

/* What the race detection unit sends to an SM. */
struct rdu_reply {
    bool has_sig, of_miss;
    uint64_t sig[RDU_MAX_SIG];
    struct rdu_memory seen; /* memory at that synchronisation point */
};

struct rdu_sm {
    struct pins avu;
    bool cached[RDU_BLOCKS];
    uint32_t data[RDU_BLOCKS][RDU_WORDS];
    struct rdu_memory seen; /* at the last synchronisation point the SM knows of */
    struct rdu_reply inbox[RDU_INBOX];
    unsigned n_inbox;
    unsigned checks; /* race checks sent */
};

struct rdu_machine {
    struct pins rdu;
    struct rdu_sm sm[RDU_SMS];
    struct rdu_memory memory;
    unsigned sig_words, word_lanes, epochs; /* of 64 bits: a signature, what goes in one step */
    bool keep_own_atomics; /* leave the own copy when an atomic issues: wrong (D-R12) */
    unsigned forced, stored, raced, expired, avu_misses, hits;
};

static inline struct rdu_machine *rdu_new(void **state, const char *rdu, const char *avu,
                                          const char *form)
{
    struct rdu_machine *m = calloc(1, sizeof *m);
    assert_non_null(m);
    unit_open(&m->rdu, state, "rdu/rdu", rdu, form);
    m->sig_words = (unsigned)param_of(&m->rdu, "M") / 64;
    for (unsigned sm = 0; sm < RDU_SMS; sm++) {
        unit_open(&m->sm[sm].avu, state, "rdu/avu", avu, form);
        assert_int_equal(param_of(&m->sm[sm].avu, "M"), m->sig_words * 64);
    }
    m->word_lanes = (unsigned)param_of(&m->sm[0].avu, "WORD") / 64;
    m->word_lanes = m->word_lanes < m->sig_words ? m->word_lanes : m->sig_words;
    m->epochs = 1u << param_of(&m->sm[0].avu, "EPOCH_W");
    return m;
}

static inline void rdu_free(struct rdu_machine *m)
{
    pins_close(&m->rdu);
    for (unsigned sm = 0; sm < RDU_SMS; sm++) {
        pins_close(&m->sm[sm].avu);
    }
    free(m);
}

/* The signature that goes with what the unit says, a word a step; its last word is still to be
 * taken. */
static inline void rdu_signature(struct rdu_machine *m, uint64_t *sig)
{
    const struct unit_desc *desc = m->rdu.backend->desc;
    const uint64_t *word = m->rdu.out + pin_slot(desc->out, desc->n_out, "sig");
    for (unsigned at = 0; at < m->sig_words; at += m->word_lanes) {
        if (at > 0) {
            unit_edge(&m->rdu);
            unit_comb(&m->rdu);
        }
        memcpy(&sig[at], word, m->word_lanes * sizeof *sig);
    }
}

static inline void rdu_send(struct rdu_machine *m, unsigned sm, bool has_sig, bool of_miss)
{
    uint64_t sig[RDU_MAX_SIG];
    if (has_sig) {
        rdu_signature(m, sig);
    }
    if (sm >= RDU_SMS) {
        return;
    }
    struct rdu_sm *to = &m->sm[sm];
    assert_true(to->n_inbox < RDU_INBOX);
    struct rdu_reply *reply = &to->inbox[to->n_inbox++];
    reply->has_sig = has_sig;
    reply->of_miss = of_miss;
    reply->seen = m->memory;
    if (has_sig) {
        memcpy(reply->sig, sig, m->sig_words * sizeof *sig);
    }
}

/* Forced synchronisation points, before anything else happens at the unit. */
static inline void rdu_force(struct rdu_machine *m)
{
    unit_comb(&m->rdu);
    while (pin_get(&m->rdu, "fsync_valid")) {
        m->forced++;
        rdu_send(m, (unsigned)pin_get(&m->rdu, "fsync_sm"), true, false);
        unit_edge(&m->rdu);
        unit_comb(&m->rdu);
    }
}

/* The SM takes the oldest message of its inbox. */
static inline void rdu_deliver(struct rdu_machine *m, unsigned sm)
{
    struct rdu_sm *to = &m->sm[sm];
    assert_true(to->n_inbox > 0);
    const struct rdu_reply *reply = &to->inbox[0];
    pin_set(&to->avu, "sig_valid", reply->has_sig);
    for (unsigned at = 0; reply->has_sig && at < m->sig_words; at += m->word_lanes) {
        pin_set(&to->avu, "sig_at", at / m->word_lanes);
        memcpy(pin_array(&to->avu, "sig"), &reply->sig[at], m->word_lanes * sizeof(uint64_t));
        if (at + m->word_lanes < m->sig_words) {
            unit_edge(&to->avu);
        }
    }
    pin_set(&to->avu, "rsp_valid", reply->of_miss);
    unit_edge(&to->avu);
    pin_set(&to->avu, "sig_valid", 0);
    pin_set(&to->avu, "rsp_valid", 0);
    if (reply->has_sig) {
        to->seen = reply->seen;
    }
    memmove(to->inbox, to->inbox + 1, --to->n_inbox * sizeof *to->inbox);
}

/* One message through the unit; its L2 access is done in the same step (D-R9).  The write,
 * if any, adds to or replaces a word; the old value of it is returned. */
static inline uint32_t rdu_message(struct rdu_machine *m, unsigned type, unsigned sm,
                                   unsigned block, unsigned word, uint32_t value)
{
    pin_set(&m->rdu, "in_valid", 1);
    pin_set(&m->rdu, "in_type", type);
    pin_set(&m->rdu, "in_sm", sm);
    pin_set(&m->rdu, "in_addr", block * 128);
    pin_array(&m->rdu, "in_mask")[0] = UINT64_C(15) << 4 * word;
    pin_set(&m->rdu, "out_ready", 1);
    unit_edge(&m->rdu);
    pin_set(&m->rdu, "in_valid", 0);
    unit_comb(&m->rdu);
    while (!pin_get(&m->rdu, "ack_valid")) {
        unit_edge(&m->rdu);
        unit_comb(&m->rdu);
    }
    uint32_t *target = &m->memory.word[block % RDU_BLOCKS][word];
    const uint32_t old = *target;
    if (type == RDU_WR || type == RDU_ATOMIC) {
        *target = type == RDU_WR ? value : old + value;
        m->stored++;
    } else {
        m->sm[sm].checks++;
        m->raced += pin_get(&m->rdu, "ack_race") != 0;
    }
    rdu_send(m, sm, pin_get(&m->rdu, "ack_has_sig") != 0, type == RDU_MISS);
    unit_edge(&m->rdu);
    rdu_force(m);
    return old;
}

static inline void rdu_deliver_all(struct rdu_machine *m, unsigned sm)
{
    while (m->sm[sm].n_inbox > 0) {
        rdu_deliver(m, sm);
    }
}

/* What the validation unit says of a block in the L1. */
static inline const char *rdu_verdict(struct rdu_sm *sm, unsigned block, unsigned word, bool again)
{
    static const char *const verdicts[] = {"hit", "avu_miss", "expired", "need_rchk"};
    pin_set(&sm->avu, "chk_valid", 1);
    pin_set(&sm->avu, "chk_line", block);
    pin_set(&sm->avu, "chk_addr", block * 128);
    pin_array(&sm->avu, "chk_mask")[0] = UINT64_C(15) << 4 * word;
    pin_set(&sm->avu, "chk_again", again);
    const char *verdict = NULL;
    while (verdict == NULL) {
        unit_comb(&sm->avu);
        for (unsigned i = 0; i < 4 && pin_get(&sm->avu, "chk_done"); i++) {
            verdict = pin_get(&sm->avu, verdicts[i]) ? verdicts[i] : verdict;
        }
        unit_edge(&sm->avu);
    }
    pin_set(&sm->avu, "chk_valid", 0);
    return verdict;
}

/* Does a load find a copy it may use?  Asks the unit at the hit limit. */
static inline bool rdu_usable(struct rdu_machine *m, unsigned sm, unsigned block, unsigned word)
{
    struct rdu_sm *at = &m->sm[sm];
    if (!at->cached[block]) {
        return false;
    }
    const char *verdict = rdu_verdict(at, block, word, false);
    if (strcmp(verdict, "need_rchk") == 0) {
        rdu_message(m, RDU_LIMIT, sm, block, word, 0);
        rdu_deliver_all(m, sm);
        verdict = rdu_verdict(at, block, word, true);
    }
    m->hits += strcmp(verdict, "hit") == 0;
    m->expired += strcmp(verdict, "expired") == 0;
    m->avu_misses += strcmp(verdict, "avu_miss") == 0;
    return strcmp(verdict, "hit") == 0;
}

/* Fetch and race check in one step; the data wait for the fill. */
static inline void rdu_fetch(struct rdu_machine *m, unsigned sm, unsigned block, unsigned word)
{
    rdu_message(m, RDU_MISS, sm, block, word, 0);
    memcpy(m->sm[sm].data[block], m->memory.word[block], sizeof m->memory.word[block]);
    m->sm[sm].cached[block] = false;
}

static inline void rdu_fill(struct rdu_machine *m, unsigned sm, unsigned block)
{
    struct rdu_sm *at = &m->sm[sm];
    pin_set(&at->avu, "fill_valid", 1);
    pin_set(&at->avu, "fill_line", block);
    unit_edge(&at->avu);
    pin_set(&at->avu, "fill_valid", 0);
    at->cached[block] = true;
}

/* Whole operations, for scripts. */
static inline uint32_t rdu_load(struct rdu_machine *m, unsigned sm, unsigned block, unsigned word)
{
    if (!rdu_usable(m, sm, block, word)) {
        rdu_fetch(m, sm, block, word);
        rdu_deliver_all(m, sm);
        rdu_fill(m, sm, block);
    }
    return m->sm[sm].data[block][word];
}

static inline void rdu_store(struct rdu_machine *m, unsigned sm, unsigned block, unsigned word,
                             uint32_t value)
{
    rdu_message(m, RDU_WR, sm, block, word, value);
    m->sm[sm].data[block][word] = value; /* of no account unless cached */
    rdu_deliver_all(m, sm);
}

static inline uint32_t rdu_atomic_add(struct rdu_machine *m, unsigned sm, unsigned block,
                                      unsigned word, uint32_t value)
{
    m->sm[sm].cached[block] &= m->keep_own_atomics;
    const uint32_t old = rdu_message(m, RDU_ATOMIC, sm, block, word, value);
    rdu_deliver_all(m, sm);
    return old;
}

static inline unsigned rdu_epoch(struct rdu_machine *m, unsigned sm)
{
    unit_comb(&m->sm[sm].avu);
    return (unsigned)pin_get(&m->sm[sm].avu, "epoch");
}

#endif
