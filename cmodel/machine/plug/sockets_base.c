/* sockets_base.c - see sockets_base.h.  Schedulers are in schedulers.c. */
#include "machine/plug/sockets_base.h"

#include <stdlib.h>

#include "machine/cache/cache.h"
#include "machine/config/config.h"
#include "machine/config/polynomial.h"

/* ---- set index ---- */

struct index_state {
    uint32_t sets;
};

static uint32_t linear_set(void *self, uint64_t address)
{
    const struct index_state *state = self;

    return (uint32_t)((address >> BLOCK_SHIFT) % state->sets);
}

static uint32_t linear_set_power2(void *self, uint64_t address)
{
    const struct index_state *state = self;

    return (uint32_t)(address >> BLOCK_SHIFT) & (state->sets - 1);
}

/* wang2015-divergence 3.6: bits 11:7 xor {19, 17, 15, 14, 13}; 64 sets prepend bit 12. */
static uint32_t fermi_set(void *self, uint64_t address)
{
    const struct index_state *state = self;
    uint32_t a = (uint32_t)address;
    uint32_t hash = (a >> 13 & 7) | (a >> 17 & 1) << 3 | (a >> 19 & 1) << 4;

    return ((a >> 7 & 31) ^ hash) | (state->sets == 64 ? (a >> 12 & 1) << 5 : 0);
}

/* Bits 7 to 11, hashed with all above. */
static uint32_t polynomial_set(void *self, uint64_t address)
{
    (void)self;
    return polynomial_32((uint32_t)(address >> BLOCK_SHIFT & 31), address >> (BLOCK_SHIFT + 5));
}

int base_index(struct index_socket *socket, uint32_t kind, uint32_t sets)
{
    struct index_state *state = malloc(sizeof *state);

    if (!state) {
        return -1;
    }
    state->sets = sets;
    socket->self = state;
    socket->set = kind == INDEX_FERMI_HASH   ? fermi_set
                  : kind == INDEX_POLYNOMIAL ? polynomial_set
                  : (sets & (sets - 1)) == 0 ? linear_set_power2
                                             : linear_set;
    return 0;
}

/* ---- LRU ---- */

struct lru {
    uint32_t ways;
    uint8_t stack[]; /* [sets * ways] ways from MRU to LRU */
};

static void lru_touch(void *self, uint32_t set, uint32_t way, const struct access_info *access)
{
    struct lru *lru = self;
    uint8_t *stack = &lru->stack[(size_t)set * lru->ways];
    uint8_t carried = (uint8_t)way;

    (void)access;
    for (uint32_t at = 0;; at++) {
        uint8_t old = stack[at];

        stack[at] = carried;
        if (old == way) {
            return;
        }
        carried = old;
    }
}

static int lru_victim(void *self, uint32_t set, uint32_t invalid, uint32_t replaceable,
                      const struct access_info *access)
{
    const struct lru *lru = self;
    const uint8_t *stack = &lru->stack[(size_t)set * lru->ways];

    (void)access;
    if (invalid) {
        return __builtin_ctz(invalid);
    }
    for (uint32_t at = lru->ways; at-- > 0;) {
        if (replaceable >> stack[at] & 1) {
            return stack[at];
        }
    }
    return POLICY_NONE;
}

uint32_t base_lru_oldest(const void *self, uint32_t set)
{
    const struct lru *lru = self;

    return lru->stack[(size_t)set * lru->ways + lru->ways - 1];
}

int base_lru(struct policy_socket *socket, uint32_t sets, uint32_t ways)
{
    struct lru *lru = malloc(sizeof *lru + (size_t)sets * ways);

    if (!lru) {
        return -1;
    }
    lru->ways = ways;
    for (size_t at = 0; at < (size_t)sets * ways; at++) {
        lru->stack[at] = (uint8_t)(at % ways);
    }
    *socket = (struct policy_socket){
        .self = lru, .touch = lru_touch, .victim = lru_victim, .insert = lru_touch};
    return 0;
}

/* ---- CTA dispatch ---- */

struct round_robin {
    uint64_t next, n_ctas;
    uint32_t ctas_per_sm;
};

static const char *dispatch_start(void *self, const struct dispatch_kernel *kernel)
{
    struct round_robin *state = self;

    *state = (struct round_robin){.n_ctas = kernel->n_ctas, .ctas_per_sm = kernel->ctas_per_sm};
    return NULL;
}

static int64_t dispatch_next(void *self, uint32_t sm, uint32_t resident, uint64_t cycle)
{
    struct round_robin *state = self;

    (void)sm;
    (void)cycle;
    if (state->next == state->n_ctas || resident >= state->ctas_per_sm) {
        return -1;
    }
    return (int64_t)state->next++;
}

int base_dispatch(struct dispatch_socket *socket)
{
    struct round_robin *state = calloc(1, sizeof *state);

    if (!state) {
        return -1;
    }
    *socket = (struct dispatch_socket){
        .self = state, .kernel_start = dispatch_start, .next = dispatch_next};
    return 0;
}

/* ---- all of a bank ---- */

int base_bank_sockets(struct bank_sockets *sockets, const struct gpu_config *config)
{
    if (base_index(&sockets->index, config->l2_index, config->l2_sets) != 0) {
        return -1;
    }
    sockets->own_index = sockets->index.self;
    if (base_lru(&sockets->policy, config->l2_sets, config->l2_ways) != 0) {
        return -1;
    }
    sockets->own_policy = sockets->policy.self;
    return 0;
}

void base_bank_sockets_free(struct bank_sockets *sockets)
{
    free(sockets->own_index);
    free(sockets->own_policy);
}
