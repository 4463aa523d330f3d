/* ptx_texture.c - see ptx_texture.h. */
#include "ptx/ptx_texture.h"

#include <math.h>
#include <string.h>

#include "ptx/ptx_half_math.h"

uint32_t ptx_texture_bytes(const struct ptx_texture *t)
{
    return t->channels * t->channel_bits / 8u;
}

uint32_t ptx_texture_count(const struct ptx_texture *t, const struct ptx_coordinates *c)
{
    return c->gathers ? 4 : t->linear && !c->integers ? 1u << c->dimensions : 1;
}

/* ---- one dimension ---- */

/* Two neighbours and the weight of the second; with the nearest texel only the first counts. */
struct pair {
    int64_t at[2];
    float second;
};

static float into_range(float u, uint8_t mode)
{
    float whole = floorf(u), rest = u - whole;
    if (mode == PTX_TEXTURE_WRAP) {
        return rest;
    }
    bool odd = fmodf(whole, 2) != 0;
    return mode == PTX_TEXTURE_MIRROR ? (odd ? 1 - rest : rest) : u;
}

/* An int64_t, whatever the float is: far outside is outside. */
static int64_t number_of(float u)
{
    return u != u         ? 0
           : u > 0x1p30f  ? INT64_C(1) << 30
           : u < -0x1p30f ? -(INT64_C(1) << 30)
                          : (int64_t)u;
}

static struct pair pair_of(const struct ptx_texture *t, uint32_t d, uint32_t size, float u,
                           bool filtered)
{
    struct pair p = {.second = 0};
    float at = t->normalised ? into_range(u, t->mode[d]) * (float)size : u;
    if (!filtered) {
        p.at[0] = number_of(floorf(at));
        return p;
    }
    float whole = floorf(at - 0.5f);
    p.at[0] = number_of(whole);
    p.at[1] = p.at[0] + 1;
    p.second = rintf((at - 0.5f - whole) * 256) / 256;
    p.second = p.second == p.second ? p.second : 0;
    return p;
}

/* The texel that number `i` means; -1: the border. */
static int64_t texel_of(const struct ptx_texture *t, uint32_t d, uint32_t size, int64_t i)
{
    bool wraps = t->normalised && t->mode[d] == PTX_TEXTURE_WRAP;
    if (i >= 0 && i < (int64_t)size) {
        return i;
    }
    if (t->mode[d] == PTX_TEXTURE_BORDER) {
        return -1;
    }
    if (wraps) {
        return (i % (int64_t)size + size) % size;
    }
    return i < 0 ? 0 : (int64_t)size - 1;
}

/* ---- all of them ---- */

void ptx_texture_find(const struct ptx_texture *t, const struct ptx_coordinates *c,
                      struct ptx_texels *out)
{
    uint32_t size[] = {t->width, t->height, t->depth};
    uint32_t n = ptx_texture_count(t, c), layer = c->layer < t->layers ? c->layer : t->layers - 1;
    struct pair pair[3] = {{.second = 0}};
    for (uint32_t d = 0; d < c->dimensions; d++) {
        pair[d] = c->integers ? (struct pair){.at = {c->number[d]}}
                              : pair_of(t, d, size[d], c->at[d], n > 1);
    }
    out->n = n;
    for (uint32_t i = 0; i < n; i++) {
        int64_t at[3] = {0, 0, 0};
        out->outside[i] = false;
        out->weight[i] = 1;
        for (uint32_t d = 0; d < c->dimensions; d++) {
            uint32_t second = n > 1 ? i >> d & 1 : 0;
            at[d] = texel_of(t, d, size[d], pair[d].at[second]);
            out->outside[i] |= at[d] < 0;
            out->weight[i] *= n == 1 ? 1 : second ? pair[d].second : 1 - pair[d].second;
        }
        out->address[i] = t->base + (uint64_t)at[0] * ptx_texture_bytes(t) +
                          (uint64_t)at[1] * t->row_bytes +
                          ((uint64_t)at[2] + layer) * t->slice_bytes;
    }
}

static uint32_t channel_bits(const struct ptx_texture *t, const uint8_t *texel, uint32_t channel)
{
    uint32_t bits = 0;
    memcpy(&bits, texel + channel * t->channel_bits / 8u, t->channel_bits / 8u);
    return bits;
}

static int32_t signed_of(uint32_t bits, uint32_t width)
{
    uint32_t shift = 32 - width;
    return (int32_t)(bits << shift) >> shift;
}

static float float_of(const struct ptx_texture *t, uint32_t bits)
{
    float value;
    if (t->kind == PTX_TEXTURE_FLOAT && t->channel_bits == 16) {
        return (float)ptx_widen(bits, PTX_FORMAT_F16);
    }
    if (t->kind == PTX_TEXTURE_FLOAT) {
        memcpy(&value, &bits, sizeof(value));
        return value;
    }
    uint32_t most = (1u << (t->channel_bits - (t->kind == PTX_TEXTURE_SIGNED ? 1 : 0))) - 1;
    value = t->kind == PTX_TEXTURE_SIGNED ? (float)signed_of(bits, t->channel_bits) / (float)most
                                          : (float)bits / (float)most;
    return value < -1 ? -1 : value;
}

uint32_t ptx_texture_value(const struct ptx_texture *t, const struct ptx_texels *texels,
                           const uint8_t (*data)[PTX_TEXEL_BYTES], uint32_t channel)
{
    bool is_float = t->kind == PTX_TEXTURE_FLOAT || t->to_float;
    double sum = 0;
    uint32_t bits;
    if (channel >= t->channels) {
        return 0;
    }
    if (!is_float) {
        bits = texels->outside[0] ? (uint32_t)number_of(t->border[channel])
                                  : channel_bits(t, data[0], channel);
        return t->kind == PTX_TEXTURE_SIGNED ? (uint32_t)signed_of(bits, t->channel_bits) : bits;
    }
    for (uint32_t i = 0; i < texels->n; i++) {
        float value = texels->outside[i] ? t->border[channel]
                                         : float_of(t, channel_bits(t, data[i], channel));
        if (texels->n == 1) {
            memcpy(&bits, &value, sizeof(bits));
            return bits;
        }
        sum += texels->weight[i] > 0 ? (double)value * (double)texels->weight[i] : 0;
    }
    float value = (float)sum;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}
