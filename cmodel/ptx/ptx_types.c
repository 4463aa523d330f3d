/* ptx_types.c - see ptx_types.h (PTX ISA, "Fundamental Types"). */
#include "ptx/ptx_types.h"

#include <string.h>

struct type_row {
    const char *name;
    uint8_t bytes;
    bool is_signed, is_float;
};

static const struct type_row type_table[PTX_TYPE_COUNT] = {
    [PTX_NONE] = {"(none)", 0, false, false}, [PTX_B8] = {".b8", 1, false, false},
    [PTX_B16] = {".b16", 2, false, false},    [PTX_B32] = {".b32", 4, false, false},
    [PTX_B64] = {".b64", 8, false, false},    [PTX_B128] = {".b128", 16, false, false},
    [PTX_U8] = {".u8", 1, false, false},      [PTX_U16] = {".u16", 2, false, false},
    [PTX_U32] = {".u32", 4, false, false},    [PTX_U64] = {".u64", 8, false, false},
    [PTX_S8] = {".s8", 1, true, false},       [PTX_S16] = {".s16", 2, true, false},
    [PTX_S32] = {".s32", 4, true, false},     [PTX_S64] = {".s64", 8, true, false},
    [PTX_F16] = {".f16", 2, false, true},     [PTX_F16X2] = {".f16x2", 4, false, true},
    [PTX_BF16] = {".bf16", 2, false, true},   [PTX_BF16X2] = {".bf16x2", 4, false, true},
    [PTX_F32] = {".f32", 4, false, true},     [PTX_F64] = {".f64", 8, false, true},
    [PTX_PRED] = {".pred", 0, false, false},
};

enum ptx_type ptx_type_named(const char *name)
{
    for (int t = PTX_NONE + 1; t < PTX_TYPE_COUNT; t++) {
        if (strcmp(name, type_table[t].name) == 0) {
            return (enum ptx_type)t;
        }
    }
    return PTX_NONE;
}

const char *ptx_type_name(enum ptx_type type)
{
    return type_table[type].name;
}

uint32_t ptx_type_bytes(enum ptx_type type)
{
    return type_table[type].bytes;
}

bool ptx_type_is_signed(enum ptx_type type)
{
    return type_table[type].is_signed;
}

bool ptx_type_is_float(enum ptx_type type)
{
    return type_table[type].is_float;
}

bool ptx_type_is_half(enum ptx_type type)
{
    return ptx_type_is_float(type) && type != PTX_F32 && type != PTX_F64;
}

enum ptx_type ptx_type_bits(enum ptx_type type)
{
    switch (type_table[type].bytes) {
    case 1: return PTX_U8;
    case 2: return PTX_U16;
    case 4: return PTX_U32;
    case 8: return PTX_U64;
    default: return type;
    }
}

uint32_t ptx_type_lane_bytes(enum ptx_type type)
{
    if (type == PTX_PRED) {
        return 0;
    }
    return type_table[type].bytes <= 4 ? 4 : 8;
}
