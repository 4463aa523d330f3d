/* dacache_profile.c - which coherent loads re-use their blocks: victim cache and profiler
 * under the rule of D-DAC-11 (wang2015 3.12.8).  It knows nothing of replacement. */
#include "mechanisms/dacache/dacache.h"

uint8_t dacache_profile_of(struct dacache *d, uint32_t pc)
{
    *d->clp_at.lk_valid = 1;
    *d->clp_at.lk_pc = pc;
    pins_comb(&d->clp);
    pins_seq(&d->clp);
    *d->clp_at.lk_valid = 0;
    pins_comb(&d->clp);
    return (uint8_t)*d->clp_at.state;
}

static void classify(struct dacache *d, uint64_t pc, bool locality)
{
    *d->clp_at.ins_valid = 1;
    *d->clp_at.ins_pc = pc;
    *d->clp_at.ins_flag = locality;
    pins_comb(&d->clp);
    pins_seq(&d->clp);
    *d->clp_at.ins_valid = 0;
    ++*(locality ? &d->counts.found_locality : &d->counts.found_none);
}

void dacache_profile(struct dacache *d, uint32_t pc, uint64_t block, bool l1d_hit)
{
    /* The class may have come up since the load was looked up. */
    if (dacache_profile_of(d, pc) != 0) {
        return;
    }
    *d->vc_at.acc_valid = 1;
    *d->vc_at.pc = pc;
    *d->vc_at.tag = block >> BLOCK_SHIFT;
    *d->vc_at.push = *d->vc_at.inv_valid = 0;
    pins_comb(&d->vc);
    const bool found = l1d_hit || *d->vc_at.hit;
    d->counts.vc_probes++;
    d->counts.vc_hits += *d->vc_at.hit;
    *d->vc_at.push = !found;
    *d->vc_at.inv_valid = found;
    *d->vc_at.inv_pc = pc;
    pins_comb(&d->vc);
    if (found) {
        classify(d, pc, true);
    } else if (*d->vc_at.disp_valid && dacache_profile_of(d, (uint32_t)*d->vc_at.disp_pc) == 0) {
        classify(d, *d->vc_at.disp_pc, false);
    }
    pins_seq(&d->vc);
}

void dacache_profile_clear(struct dacache *d)
{
    *d->vc_at.acc_valid = *d->vc_at.push = *d->vc_at.inv_valid = 0;
    *d->vc_at.kernel_start = *d->clp_at.kernel_start = 1;
    pins_comb(&d->vc);
    pins_seq(&d->vc);
    pins_comb(&d->clp);
    pins_seq(&d->clp);
    *d->vc_at.kernel_start = *d->clp_at.kernel_start = 0;
}
