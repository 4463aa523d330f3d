/* ptx_special.c - the table of special registers (PTX ISA, "Special Registers").
 *
 * Names, types and what an address computed from them depends on; their values
 * are filled in by ptx_warp.c.
 */
#include <string.h>

#include "ptx/ptx_ast.h"

static const struct ptx_special_info special_table[PTX_SPECIAL_COUNT] = {
    [PTX_TID_X] = {"%tid.x", PTX_U32, ISA_FROM_TID},
    [PTX_TID_Y] = {"%tid.y", PTX_U32, ISA_FROM_TID},
    [PTX_TID_Z] = {"%tid.z", PTX_U32, ISA_FROM_TID},
    [PTX_NTID_X] = {"%ntid.x", PTX_U32, ISA_FROM_PARAM},
    [PTX_NTID_Y] = {"%ntid.y", PTX_U32, ISA_FROM_PARAM},
    [PTX_NTID_Z] = {"%ntid.z", PTX_U32, ISA_FROM_PARAM},
    [PTX_CTAID_X] = {"%ctaid.x", PTX_U32, ISA_FROM_CTAID},
    [PTX_CTAID_Y] = {"%ctaid.y", PTX_U32, ISA_FROM_CTAID},
    [PTX_CTAID_Z] = {"%ctaid.z", PTX_U32, ISA_FROM_CTAID},
    [PTX_NCTAID_X] = {"%nctaid.x", PTX_U32, ISA_FROM_PARAM},
    [PTX_NCTAID_Y] = {"%nctaid.y", PTX_U32, ISA_FROM_PARAM},
    [PTX_NCTAID_Z] = {"%nctaid.z", PTX_U32, ISA_FROM_PARAM},
    [PTX_LANEID] = {"%laneid", PTX_U32, ISA_FROM_TID},
    [PTX_WARPID] = {"%warpid", PTX_U32, ISA_FROM_TID},
    [PTX_NWARPID] = {"%nwarpid", PTX_U32, ISA_FROM_PARAM},
    [PTX_SMID] = {"%smid", PTX_U32, ISA_FROM_CTAID},
    [PTX_NSMID] = {"%nsmid", PTX_U32, ISA_FROM_PARAM},
    [PTX_GRIDID] = {"%gridid", PTX_U64, ISA_FROM_PARAM},
    [PTX_LANEMASK_EQ] = {"%lanemask_eq", PTX_U32, ISA_FROM_TID},
    [PTX_LANEMASK_LE] = {"%lanemask_le", PTX_U32, ISA_FROM_TID},
    [PTX_LANEMASK_LT] = {"%lanemask_lt", PTX_U32, ISA_FROM_TID},
    [PTX_LANEMASK_GE] = {"%lanemask_ge", PTX_U32, ISA_FROM_TID},
    [PTX_LANEMASK_GT] = {"%lanemask_gt", PTX_U32, ISA_FROM_TID},
    [PTX_CLOCK] = {"%clock", PTX_U32, 0},
    [PTX_CLOCK_HI] = {"%clock_hi", PTX_U32, 0},
    [PTX_CLOCK64] = {"%clock64", PTX_U64, 0},
    [PTX_GLOBALTIMER] = {"%globaltimer", PTX_U64, 0},
    [PTX_GLOBALTIMER_LO] = {"%globaltimer_lo", PTX_U32, 0},
    [PTX_GLOBALTIMER_HI] = {"%globaltimer_hi", PTX_U32, 0},
    [PTX_DYNAMIC_SMEM] = {"%dynamic_smem_size", PTX_U32, ISA_FROM_PARAM},
    [PTX_TOTAL_SMEM] = {"%total_smem_size", PTX_U32, ISA_FROM_PARAM},
    [PTX_ENVREG1] = {"%envreg1", PTX_U32, ISA_FROM_PARAM},
    [PTX_ENVREG2] = {"%envreg2", PTX_U32, ISA_FROM_PARAM},
    [PTX_RESERVED_BEGIN] = {"%reserved_smem_offset_begin", PTX_U32, ISA_FROM_PARAM},
    [PTX_RESERVED_END] = {"%reserved_smem_offset_end", PTX_U32, ISA_FROM_PARAM},
    [PTX_RESERVED_CAP] = {"%reserved_smem_offset_cap", PTX_U32, ISA_FROM_PARAM},
    [PTX_RESERVED_0] = {"%reserved_smem_offset_0", PTX_U32, ISA_FROM_PARAM},
    [PTX_RESERVED_1] = {"%reserved_smem_offset_1", PTX_U32, ISA_FROM_PARAM},
    [PTX_ZERO_W] = {"(fourth component)", PTX_U32, ISA_FROM_PARAM},
};

const struct ptx_special_info *ptx_special_info(enum ptx_special special)
{
    return &special_table[special];
}

enum ptx_special ptx_special_named(const char *name)
{
    static const char *const fourth[] = {"%tid.w", "%ntid.w", "%ctaid.w", "%nctaid.w"};
    for (int s = 0; s < PTX_ZERO_W; s++) {
        if (strcmp(special_table[s].name, name) == 0) {
            return (enum ptx_special)s;
        }
    }
    for (size_t i = 0; i < sizeof(fourth) / sizeof(fourth[0]); i++) {
        if (strcmp(fourth[i], name) == 0) {
            return PTX_ZERO_W;
        }
    }
    if (strncmp(name, "%envreg", 7) == 0 && strspn(name + 7, "0123456789") == strlen(name + 7)) {
        return PTX_ZERO_W; /* what the driver leaves in the others is unknown */
    }
    return PTX_SPECIAL_COUNT;
}
