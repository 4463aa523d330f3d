/* pcs.c - see pcs.h.  Both tables are clocked together, for the cycles since they were last asked, of which
 * all but those of UPDATE and of requests change nothing (ptt, upat).  Instructions count as four
 * bytes (D-BYP-3). */
#include "mechanisms/graph/pcs.h"

#include <stdio.h>

static void clock_once(struct pcs *p)
{
    *p->at.tick = p->next_cycle % p->period_cycles == 0;
    *p->at.res_valid = *p->of.res_valid;
    *p->at.res_id = *p->of.res_id;
    *p->at.res_idx = *p->of.res_idx;
    *p->at.max_val = *p->of.max_val;
    pins_comb(&p->ptt);
    p->updates += *p->at.tick && !*p->at.busy;
    p->allocated += *p->at.alloc;
    p->replaced += *p->at.freed;
    *p->of.update = *p->at.update;
    *p->of.reserve = *p->at.freed;
    *p->of.reserve_id = *p->at.freed_id;
    *p->of.take = *p->at.take;
    if (*p->at.freed) {
        p->reused &= ~(UINT32_C(1) << *p->at.freed_id);
    }
    pins_comb(&p->upat);
    pins_seq(&p->ptt);
    pins_seq(&p->upat);
    *p->at.acc_valid = *p->at.hit_valid = *p->at.lk_valid = *p->at.tick = 0;
    *p->of.inc_valid = *p->of.update = *p->of.take = 0;
    pins_comb(&p->ptt);
    pins_comb(&p->upat);
    p->next_cycle++;
    p->last.is_there = false;
}

/* Up to `cycle`, exclusive. */
static void advance(struct pcs *p, uint64_t cycle)
{
    while (p->next_cycle < cycle) {
        const uint64_t phase = p->next_cycle % p->period_cycles;
        const bool counts = *p->at.acc_valid || *p->at.hit_valid || *p->of.inc_valid;
        if (!*p->at.busy && !counts && phase != 0) {
            const uint64_t tick = p->next_cycle + p->period_cycles - phase;
            p->next_cycle = tick < cycle ? tick : cycle;
            continue;
        }
        clock_once(p);
    }
}

uint32_t pcs_find(struct pcs *p, uint32_t pc)
{
    const uint64_t now = core_now(p->core);
    if (!p->last.is_there || p->last.pc != pc || p->last.cycle != now) {
        advance(p, now);
        *p->at.lk_pc = (uint64_t)pc * 4;
        *p->at.lk_valid = 1;
        clock_once(p);
        p->last.is_there = true;
        p->last.pc = pc;
        p->last.cycle = now;
    }
    return (uint32_t)*p->at.id;
}

void pcs_count(struct pcs *p, uint32_t pc, uint32_t fetcher)
{
    const uint32_t id = pcs_find(p, pc);
    p->accesses++;
    p->untracked += id == p->none;
    *p->at.acc_valid = id != p->none;
    *p->at.acc_id = id;
    *p->of.inc_valid = id == p->none;
    *p->of.inc_idx = *p->at.hash;
    *p->at.hit_valid = fetcher != p->none;
    *p->at.hit_id = fetcher;
}

void pcs_ask(struct pcs *p, uint32_t id, bool *known, bool *reuse)
{
    *p->at.rd_id = id;
    pins_comb(&p->ptt);
    *known = *p->at.known;
    *reuse = *p->at.reuse;
    if (p->check && id != p->none) {
        p->differences += !p->recomputes && p->reused >> id & 1 && !*reuse;
        p->reused |= (uint32_t)*reuse << id;
    }
}

void pcs_kernel_start(struct pcs *p)
{
    *p->at.acc_valid = *p->at.hit_valid = *p->of.inc_valid = 0;
    *p->at.kernel_start = *p->of.kernel_start = 1;
    pins_comb(&p->ptt);
    pins_comb(&p->upat);
    pins_seq(&p->ptt);
    pins_seq(&p->upat);
    *p->at.kernel_start = *p->of.kernel_start = 0;
    pins_comb(&p->ptt);
    pins_comb(&p->upat);
    p->next_cycle = machine_now(p->machine);
    p->last.is_there = false;
    p->reused = 0;
}

/* ---- attaching ---- */

static int open_ptt(struct mechanism_context *context, struct pcs *p)
{
    const struct pin_name ports[] = {{&p->at.kernel_start, "kernel_start"},
                                     {&p->at.lk_valid, "lk_valid"},
                                     {&p->at.lk_pc, "lk_pc"},
                                     {&p->at.res_valid, "res_valid"},
                                     {&p->at.res_id, "res_id"},
                                     {&p->at.res_idx, "res_idx"},
                                     {&p->at.rd_id, "rd_id"},
                                     {&p->at.acc_valid, "acc_valid"},
                                     {&p->at.acc_id, "acc_id"},
                                     {&p->at.hit_valid, "hit_valid"},
                                     {&p->at.hit_id, "hit_id"},
                                     {&p->at.tick, "tick"},
                                     {&p->at.max_val, "max_val"},
                                     {&p->at.id, "lk_id"},
                                     {&p->at.hash, "lk_hash"},
                                     {&p->at.alloc, "alloc"},
                                     {&p->at.take, "take"},
                                     {&p->at.known, "rd_known"},
                                     {&p->at.reuse, "rd_reuse"},
                                     {&p->at.update, "update"},
                                     {&p->at.busy, "busy"},
                                     {&p->at.freed, "freed"},
                                     {&p->at.freed_id, "freed_id"}};
    char where[48];
    snprintf(where, sizeof where, "sm%u.ptt", core_id(p->core));
    if (pins_open(context, &p->ptt, "ptt", "", where) != 0 ||
        pins_all(context, &p->ptt, PINS(ports)) != 0) {
        return -1;
    }
    p->none = (uint32_t)pins_parameter(&p->ptt, "ENTRIES");
    p->recomputes = pins_parameter(&p->ptt, "RECOMPUTE") != 0;
    return 0;
}

static int open_upat(struct mechanism_context *context, struct pcs *p)
{
    const struct pin_name ports[] = {{&p->of.kernel_start, "kernel_start"},
                                     {&p->of.inc_valid, "inc_valid"},
                                     {&p->of.inc_idx, "inc_idx"},
                                     {&p->of.update, "update"},
                                     {&p->of.reserve, "reserve"},
                                     {&p->of.reserve_id, "reserve_id"},
                                     {&p->of.take, "take"},
                                     {&p->of.max_val, "max_val"},
                                     {&p->of.res_valid, "res_valid"},
                                     {&p->of.res_id, "res_id"},
                                     {&p->of.res_idx, "res_idx"}};
    char where[48], overrides[48];
    snprintf(where, sizeof where, "sm%u.upat", core_id(p->core));
    snprintf(overrides, sizeof overrides, "ENTRIES=16,ID_W=%d,CTR_W=%d",
             32 - __builtin_clz(p->none), (int)pins_parameter(&p->ptt, "CTR_W"));
    return pins_open(context, &p->upat, "upat", overrides, where) != 0
               ? -1
               : pins_all(context, &p->upat, PINS(ports));
}

int pcs_open(struct mechanism_context *context, const struct core *core, struct pcs *p)
{
    p->machine = context->machine;
    p->core = core;
    p->period_cycles = (uint64_t)mechanism_value(context, "period");
    p->check = mechanism_value(context, "check") != 0;
    return open_ptt(context, p) != 0 || open_upat(context, p) != 0 ? -1 : 0;
}
