/* sm_operands_shape.c - what stands between issue and the units: registers, collectors, ports, and the
 * class of each pipe.  What moves is in sm_operands.c.  See sm_operands.h.
 */
#include "machine/sm/sm_operands.h"

#include "isa/isa.h"

/* Sets follow each other in the order of their collectors, which is that of service (sm_operands.c). */
static void add_set(struct operands *o, uint32_t set, uint32_t collectors, uint32_t ports,
                    uint32_t *n)
{
    o->of_set[set] = (uint32_t)((UINT64_C(1) << (*n + collectors)) - (UINT64_C(1) << *n));
    o->ports[set] = ports;
    for (uint32_t c = *n; c < *n + collectors; c++) {
        o->set_of[c] = (uint8_t)set;
    }
    if (set != GENERAL_SET && ports) {
        o->own[o->n_own++] = (uint8_t)set;
    }
    for (uint32_t port = 0; port < ports; port++) {
        o->last[set][port] = (uint8_t)*n; /* so the second one is looked at first */
    }
    *n += collectors;
}

/* Each sub-core gets as many collectors of every set: the first ones, the next ones. */
static void share_out(struct operands *o)
{
    for (uint32_t set = 0; set < COLLECTOR_SETS; set++) {
        const uint32_t n = (uint32_t)__builtin_popcount(o->of_set[set]) / o->parts;

        for (uint32_t part = 0; n && part < o->parts; part++) {
            const uint32_t first = (uint32_t)__builtin_ctz(o->of_set[set]) + part * n;

            o->of_part[part] |= (uint32_t)(((UINT64_C(1) << n) - 1) << first);
            for (uint32_t c = first; c < first + n; c++) {
                o->up_to_part[c] = (uint32_t)((UINT64_C(1) << (first + n)) - 1);
            }
        }
    }
}

/* Integer and double precision go where they have registers of their own; else they share. */
void sm_operands_classes(const struct operands *o, uint8_t class_of[])
{
    const uint8_t integer = o->in[CLASS_INT].n ? CLASS_INT : CLASS_SP;

    class_of[ISA_PIPE_INT] = class_of[ISA_PIPE_CONST] = integer;
    class_of[ISA_PIPE_BARRIER] = class_of[ISA_PIPE_EXIT] = integer;
    class_of[ISA_PIPE_FP32] = class_of[ISA_PIPE_FP16] = CLASS_SP;
    class_of[ISA_PIPE_FP64] = o->in[CLASS_DP].n ? CLASS_DP : CLASS_SFU;
    class_of[ISA_PIPE_SFU] = CLASS_SFU;
    class_of[ISA_PIPE_MEM] = class_of[ISA_PIPE_SHARED] = CLASS_MEM;
    class_of[ISA_PIPE_FENCE] = CLASS_MEM;
    class_of[ISA_PIPE_CONTROL] = o->in[CLASS_BRANCH].n ? CLASS_BRANCH : integer;
}

static void place_warps(struct operands *o)
{
    for (uint32_t slot = 0; slot < OPERAND_WARPS; slot++) {
        o->warp[slot].part = (uint8_t)(slot % o->parts);
        o->warp[slot].first_bank = (uint8_t)(slot % o->parts * o->part_banks);
        o->warp[slot].turn = (uint8_t)(slot % o->part_banks);
    }
}

void sm_operands_init(struct operands *o, const struct gpu_config *c)
{
    const uint32_t registers[ISSUE_CLASSES] = {
        [CLASS_SP] = c->operands_sp_registers,   [CLASS_SFU] = c->operands_sfu_registers,
        [CLASS_MEM] = c->operands_mem_registers, [CLASS_DP] = c->operands_dp_registers,
        [CLASS_INT] = c->operands_int_registers, [CLASS_BRANCH] = c->operands_branch_registers,
    };
    uint32_t n = 0;

    o->parts = c->operands_subcores ? c->sm_schedulers : 1;
    o->part_banks = c->operands_banks / o->parts;
    place_warps(o);
    for (uint32_t kind = 0; kind < ISSUE_CLASSES; kind++) {
        o->in[kind].n = o->out[kind].n = (uint8_t)(registers[kind] / o->parts);
    }
    add_set(o, GENERAL_SET, c->operands_general, c->operands_general_ports, &n);
    add_set(o, CLASS_SP, c->operands_sp, c->operands_sp_ports, &n);
    add_set(o, CLASS_DP, c->operands_dp, c->operands_dp_ports, &n);
    add_set(o, CLASS_SFU, c->operands_sfu, c->operands_sfu_ports, &n);
    add_set(o, CLASS_MEM, c->operands_mem, c->operands_mem_ports, &n);
    add_set(o, CLASS_INT, c->operands_int, c->operands_int_ports, &n);
    o->free = (uint32_t)((UINT64_C(1) << n) - 1);
    share_out(o);
    for (uint8_t at = 0; at < MOST_STAGED; at++) {
        o->vacant[o->n_vacant++] = at;
    }
    o->still = true;
}
