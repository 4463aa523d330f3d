/* cost_memory.c - a unit's memories as SRAM, against what they take as flip-flops. */
#include "synth/cost_memory.h"

#include <math.h>
#include <stdio.h>

bool cost_memory_form(const struct cost_sram *sram, const struct cost_counts *counts,
                      double node_nm, struct cost_memory_form *form)
{
    *form = (struct cost_memory_form){0};
    for (size_t i = 0; i < counts->n_memories; i++) {
        const struct cost_memory *m = &counts->memories[i];
        struct cost_memory_price *price = &form->prices[i];
        struct cost_sram_result result;
        if (!cost_sram_estimate(sram, (double)m->rows, (double)m->width, m->write_ports > 0,
                                node_nm, &result)) {
            return false;
        }
        price->copies = fmax(1, (double)m->read_ports) * fmax(1, (double)m->write_ports);
        price->sram_um2 = price->copies * result.figure[SRAM_AREA_MM2] * 1e6;
        form->area_um2 += price->sram_um2;
        form->access_ps = fmax(form->access_ps, result.figure[SRAM_ACCESS_NS] * 1e3);
        form->extended = form->extended || result.extended;
    }
    return true;
}

void cost_memory_compare(struct cost_memory_form *form, const struct cost_counts *counts,
                         const struct cost_mapping *mapping)
{
    const double all_um2 = mapping->area_um2 - mapping->logic_um2;
    form->cheaper_um2 = mapping->logic_um2;
    for (size_t i = 0; i < counts->n_memories; i++) {
        const struct cost_memory *m = &counts->memories[i];
        struct cost_memory_price *price = &form->prices[i];
        price->flip_flop_um2 = all_um2 * (double)(m->rows * m->width) / (double)counts->memory_bits;
        price->as_sram = price->sram_um2 < price->flip_flop_um2;
        form->cheaper_um2 += fmin(price->sram_um2, price->flip_flop_um2);
    }
}

void cost_memory_words(const struct cost_memory_form *form, const struct cost_counts *counts,
                       char *out, size_t n_out)
{
    size_t used = 0;
    out[0] = '\0';
    for (int as_sram = 1; as_sram >= 0; as_sram--) {
        bool any = false;
        for (size_t i = 0; i < counts->n_memories && used < n_out; i++) {
            if (form->prices[i].as_sram == (as_sram == 1)) {
                used += (size_t)snprintf(out + used, n_out - used, "%s%s",
                                         any         ? " "
                                         : as_sram   ? "SRAM: "
                                         : used == 0 ? "flip-flops: "
                                                     : "; flip-flops: ",
                                         counts->memories[i].name);
                any = true;
            }
        }
    }
}
