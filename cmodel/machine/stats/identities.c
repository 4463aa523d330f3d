/* identities.c - relations that the counters must obey at the end of every kernel.
 *
 * See docs/architecture.md, "Counter invariants".  A violation is a
 * defect of the simulator.  It must not know how anything is counted.
 */
#include <string.h>

#include "machine/gpu.h"

struct checker {
    struct gpu *gpu;
    char *at, *end;
};

static void equal(struct checker *c, const char *where, uint32_t number, const char *what,
                  uint64_t left, uint64_t right)
{
    if (left == right || c->end - c->at < 200) {
        return;
    }
    c->at += snprintf(c->at, (size_t)(c->end - c->at),
                      "%sinternal error: %s %u: %s: %llu is not %llu",
                      c->at == c->gpu->error ? "" : "\n", where, number, what,
                      (unsigned long long)left, (unsigned long long)right);
}

static uint64_t sum(const uint64_t *values, uint32_t n)
{
    uint64_t total = 0;

    while (n-- > 0) {
        total += values[n];
    }
    return total;
}

static void check_sm(struct checker *c, uint32_t id)
{
    const struct gpu_config *config = &c->gpu->config;
    const struct sm *sm = sm_at(c->gpu->sm, id);
    const struct sm_stats *s = sm_stats(sm);
    struct sm_held held = sm_held(sm);

    equal(c, "SM", id, "coherent load accesses = hits + merges + misses + bypasses",
          s->load_accesses_coherent,
          s->load_hits_coherent + s->load_merges_coherent + s->load_misses_coherent +
              s->load_bypasses_coherent);
    equal(c, "SM", id, "divergent load accesses = hits + merges + misses + bypasses",
          s->load_accesses_divergent,
          s->load_hits_divergent + s->load_merges_divergent + s->load_misses_divergent +
              s->load_bypasses_divergent);
    equal(c, "SM", id, "coherent loads = sum of their miss bins", s->loads_coherent,
          sum(s->mpli[0], MPLI_BINS));
    equal(c, "SM", id, "divergent loads = sum of their miss bins", s->loads_divergent,
          sum(s->mpli[1], MPLI_BINS));
    equal(c, "SM", id, "loads = sum of the latency histogram",
          s->loads_coherent + s->loads_divergent, sum(s->latency, LATENCY_BINS));
    equal(c, "SM", id, "load accesses = sum over sets",
          s->load_accesses_coherent + s->load_accesses_divergent,
          sum(s->set_accesses, config->l1d_sets));
    equal(c, "SM", id, "prefetch accesses = duplicates + refused + issued", s->prefetch_accesses,
          s->prefetch_duplicates + s->prefetch_refused + s->prefetch_issued);
    equal(c, "SM", id, "requests = replies + requests without reply", s->requests_sent,
          s->replies_received + s->requests_unanswered);
    equal(c, "SM", id, "MSHR occupancy histogram covers every cycle", c->gpu->now,
          sum(s->mshr_occupancy, STATS_MAX_MSHRS));
    equal(c, "SM", id, "no message left", held.exchanges, 0);
    equal(c, "SM", id, "no MSHR left", held.mshrs, 0);
    equal(c, "SM", id, "no memory instruction left", held.instructions, 0);
    for (uint32_t n = 0; n < config->sm_schedulers; n++) {
        equal(c, "SM", id, "issue slots of a scheduler = cycles", sum(s->slot[n], SLOT_CLASSES_N),
              c->gpu->now);
    }
}

static void check_bank(struct checker *c, const struct l2_bank *bank)
{
    const struct l2_stats *s = &bank->stats;

    equal(c, "L2 bank", bank->id, "reads = hits + merges + misses + bypasses", s->reads,
          s->read_hits + s->read_merges + s->read_misses + s->read_bypasses);
    equal(c, "L2 bank", bank->id, "writes = hits + merges + misses", s->writes,
          s->write_hits + s->write_merges + s->write_misses);
    equal(c, "L2 bank", bank->id, "atomics = hits + merges + misses", s->atomics,
          s->atomic_hits + s->atomic_merges + s->atomic_misses);
    equal(c, "L2 bank", bank->id, "requests = replies", s->reads + s->writes + s->atomics,
          s->replies);
}

static void check_machine(struct checker *c)
{
    const struct gpu *gpu = c->gpu;
    uint64_t issued = 0, slots = 0, sent = 0, banks = gpu->host.requests, fills = 0, reads = 0;

    for (uint32_t s = 0; s < gpu->n_sms; s++) {
        const struct sm_stats *stats = sm_stats(sm_at(gpu->sm, s));

        issued += stats->warp_instructions + stats->injected;
        sent += stats->requests_sent;
        for (uint32_t n = 0; n < gpu->config.sm_schedulers; n++) {
            slots += stats->slot[n][SLOT_issued];
        }
    }
    for (uint32_t b = 0; b < gpu->n_banks; b++) {
        const struct l2_stats *s = &gpu->bank[b].stats;

        banks += s->reads + s->writes + s->atomics + s->copy_backs;
        fills += s->fills;
    }
    for (uint32_t d = 0; d < gpu->n_channels; d++) {
        reads += gpu->channel[d].stats.reads;
    }
    equal(c, "machine", 0, "instructions issued = issue slots used", issued, slots);
    equal(c, "machine", 0, "requests sent by SMs = accepted by L2 and host memory", sent, banks);
    equal(c, "machine", 0, "L2 fills = DRAM reads", fills, reads);
}

/* Flits of every type are what its bytes fill. */
static void check_flits(struct checker *c, const char *network, const struct net_stats *s)
{
    const uint64_t flit_bytes = c->gpu->config.icnt_flit_bytes;

    for (uint32_t type = 0; type < MSG_TYPES; type++) {
        const uint64_t spare = s->flits[type] * flit_bytes - s->bytes[type];

        equal(c, network, type, "bytes of a type fill its flits, but for the last of a message",
              s->flits[type] * flit_bytes >= s->bytes[type] &&
                  spare <= s->messages[type] * (flit_bytes - 1),
              true);
    }
}

/* What goes over each network, by type, is what its two ends count.  By sectors a bank takes a message
 * apart, and host memory stands beside the banks. */
static void check_traffic(struct checker *c)
{
    const struct gpu *gpu = c->gpu;
    const struct net_stats *down = &gpu->request_net.stats, *up = &gpu->reply_net.stats;
    struct l2_stats all = {0};

    check_flits(c, "request network, type", down);
    check_flits(c, "reply network, type", up);
    if (gpu->config.l2_sectors || gpu->host.requests) {
        return;
    }
    for (uint32_t b = 0; b < gpu->n_banks; b++) {
        const struct l2_stats *s = &gpu->bank[b].stats;

        all.reads += s->reads;
        all.writes += s->writes;
        all.atomics += s->atomics;
        all.copy_backs += s->copy_backs;
    }
    equal(c, "machine", 0, "messages that read = reads at the L2",
          down->messages[MSG_READ] + down->messages[MSG_PREFETCH], all.reads);
    equal(c, "machine", 0, "messages that write = writes at the L2", down->messages[MSG_WRITE],
          all.writes);
    equal(c, "machine", 0, "atomic messages = atomics at the L2", down->messages[MSG_ATOMIC],
          all.atomics);
    equal(c, "machine", 0, "messages that copy back = copy-backs at the L2",
          down->messages[MSG_COPYBACK], all.copy_backs);
    equal(c, "machine", 0, "replies = reads, writes and atomics at the L2",
          up->messages[MSG_READ_REPLY] + up->messages[MSG_WRITE_ACK] +
              up->messages[MSG_ATOMIC_REPLY],
          all.reads + all.writes + all.atomics);
    equal(c, "machine", 0, "atomic replies = atomics at the L2", up->messages[MSG_ATOMIC_REPLY],
          all.atomics);
}

int gpu_check_identities(struct gpu *gpu)
{
    struct checker c = {.gpu = gpu, .at = gpu->error, .end = gpu->error + sizeof gpu->error};

    gpu->error[0] = '\0';
    for (uint32_t s = 0; s < gpu->n_sms; s++) {
        check_sm(&c, s);
    }
    for (uint32_t b = 0; b < gpu->n_banks; b++) {
        check_bank(&c, &gpu->bank[b]);
    }
    check_machine(&c);
    check_traffic(&c);
    for (uint32_t e = 0; e < gpu->n_extensions && !gpu->error[0]; e++) {
        if (gpu->extension[e].check) {
            gpu->extension[e].check(gpu->extension[e].self, gpu->error, sizeof gpu->error);
        }
    }
    return gpu->error[0] ? -1 : 0;
}
