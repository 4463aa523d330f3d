/* sass_header.c - see sass_header.h. */
#include "sass/sass_header.h"

#include <stdio.h>
#include <string.h>

#include "sass/sass_opcodes.h"
#include "sass/sass_scan_text.h"

enum field {
    FIELD_NAME,
    FIELD_GRID,
    FIELD_BLOCK,
    FIELD_SHARED,
    FIELD_REGISTERS,
    FIELD_BINARY,
    FIELD_STREAM,
    FIELD_SHARED_BASE,
    FIELD_LOCAL_BASE,
    FIELD_TRACER,
    FIELD_LINEINFO,
    FIELD_DEVICE_LOCAL,
    FIELD_LOCAL_BYTES,
    FIELD_GRANULE,
    FIELD_KEPT,
    FIELD_IGNORED,
    FIELD_COUNT
};
static const char *const KEYS[FIELD_COUNT] = {"-kernel name",
                                              "-grid dim",
                                              "-block dim",
                                              "-shmem",
                                              "-nregs",
                                              "-binary version",
                                              "-cuda stream id",
                                              "-shmem base_addr",
                                              "-local mem base_addr",
                                              "-accelsim tracer version",
                                              "-enable lineinfo",
                                              "-warplock local base",
                                              "-warplock local bytes",
                                              "-warplock local granule",
                                              "-warplock kept blocks",
                                              ""};

/* Which field, with *value behind its '='; IGNORED: a line nobody asks for. */
static enum field field_of(const char *from, const char *to, const char **value)
{
    for (int f = 0; f < FIELD_IGNORED; f++) {
        const char *at = from;

        if (scan_word(&at, to, KEYS[f]) && scan_word(&at, to, "=")) {
            *value = scan_blanks(at, to);
            return (enum field)f;
        }
    }
    return FIELD_IGNORED;
}

/* A number for a 32-bit field, alone on its line. */
static int number(struct sass_input *in, const char *what, const char *at, const char *to,
                  uint64_t most, uint32_t *out)
{
    const char *from = at;
    uint64_t value;

    if (!scan_decimal(&at, to, &value) || at != to || value > most) {
        return sass_fail(in, "%s = %s is no number from 0 to %llu; mend the head", what,
                         sass_quote(from, to).text, (unsigned long long)most);
    }
    *out = (uint32_t)value;
    return 0;
}

static int address(struct sass_input *in, const char *what, const char *at, const char *to,
                   uint64_t *out)
{
    const char *from = at;

    if (!scan_hex(&at, to, out) || at != to) {
        return sass_fail(in, "%s = %s is no hexadecimal address; mend the head", what,
                         sass_quote(from, to).text);
    }
    return 0;
}

/* "(x,y,z)", each from 1 to 2^31 - 1. */
static int dimensions(struct sass_input *in, const char *what, const char *at, const char *to,
                      struct isa_dim3 *out)
{
    const char *from = at;
    uint64_t value[3];

    for (int d = 0; d < 3; d++) {
        if (!scan_word(&at, to, d ? "," : "(") || !scan_decimal(&at, to, &value[d]) ||
            value[d] == 0 || value[d] > INT32_MAX) {
            return sass_fail(in,
                             "%s = %s is not (x,y,z) with numbers from 1 to 2147483647; "
                             "mend the head",
                             what, sass_quote(from, to).text);
        }
    }
    if (!scan_word(&at, to, ")") || at != to) {
        return sass_fail(in, "%s = %s does not end in ')'; mend the head", what,
                         sass_quote(from, to).text);
    }
    *out = (struct isa_dim3){(uint32_t)value[0], (uint32_t)value[1], (uint32_t)value[2]};
    return 0;
}

static int wide_number(struct sass_input *in, const char *what, const char *at, const char *to,
                       uint64_t *out)
{
    if (!scan_decimal(&at, to, out) || at != to) {
        return sass_fail(in, "%s is no number; mend the head", what);
    }
    return 0;
}

static int take(struct sass_input *in, struct sass_header *h, enum field field, const char *at,
                const char *to)
{
    uint32_t lineinfo = 0;
    int result = 0;

    switch (field) {
    case FIELD_NAME: snprintf(h->name, sizeof h->name, "%.*s", (int)(to - at), at); return 0;
    case FIELD_GRID: return dimensions(in, KEYS[field], at, to, &h->grid);
    case FIELD_BLOCK: return dimensions(in, KEYS[field], at, to, &h->block);
    case FIELD_SHARED: return number(in, KEYS[field], at, to, INT32_MAX, &h->shared_bytes);
    case FIELD_REGISTERS: return number(in, KEYS[field], at, to, 65535, &h->registers);
    case FIELD_BINARY: return number(in, KEYS[field], at, to, UINT32_MAX, &h->binary_version);
    case FIELD_TRACER: return number(in, KEYS[field], at, to, UINT32_MAX, &h->tracer_version);
    case FIELD_STREAM: return wide_number(in, KEYS[field], at, to, &h->stream);
    case FIELD_KEPT: return wide_number(in, KEYS[field], at, to, &h->kept_blocks);
    case FIELD_SHARED_BASE: return address(in, KEYS[field], at, to, &h->shared_base);
    case FIELD_LOCAL_BASE: return address(in, KEYS[field], at, to, &h->local_base);
    case FIELD_DEVICE_LOCAL: return address(in, KEYS[field], at, to, &h->device_local_base);
    case FIELD_LOCAL_BYTES: return number(in, KEYS[field], at, to, 1 << 19, &h->local_bytes);
    case FIELD_GRANULE: return number(in, KEYS[field], at, to, 16, &h->local_granule_bytes);
    case FIELD_LINEINFO:
        result = number(in, KEYS[field], at, to, 1, &lineinfo);
        h->lineinfo = lineinfo;
        return result;
    default: return 0;
    }
}

/* The local layout's lines come together and make sense. */
static bool local_layout_sound(const struct sass_header *h)
{
    uint32_t granule = h->local_granule_bytes;

    if (!h->device_local_base && !h->local_bytes && !granule) {
        return true;
    }
    return h->device_local_base % 256 == 0 && h->device_local_base < UINT64_C(1) << 40 &&
           h->local_bytes && (granule == 4 || granule == 8 || granule == 16);
}

static int check_versions(struct sass_input *in, struct sass_header *h)
{
    int table = sass_opcodes_version(h->binary_version);

    if (table < 0) {
        return sass_fail(in,
                         "-binary version = %u has no opcode table; known are 35, 37, 50 to 53, "
                         "60 to 62, 70, 72, 75, 80, 86, 87, 89, 90, 100, 103, 120 and 121",
                         h->binary_version);
    }
    if (h->tracer_version > 6) {
        return sass_fail(in,
                         "-accelsim tracer version = %u is newer than 6, its lines may have other "
                         "columns; trace with version 3 to 6",
                         h->tracer_version);
    }
    h->table = (uint32_t)table;
    h->modern = h->tracer_version >= 4;
    h->valued = h->tracer_version == 6;
    h->skip = (h->tracer_version < 3 ? 4u : 0u) + (h->lineinfo ? 1u : 0u);
    return 0;
}

static int check(struct sass_input *in, struct sass_header *h, uint32_t seen)
{
    static const enum field NEEDED[] = {FIELD_NAME,   FIELD_GRID,      FIELD_BLOCK,
                                        FIELD_SHARED, FIELD_REGISTERS, FIELD_BINARY};
    uint64_t threads = (uint64_t)h->block.x * h->block.y;

    for (size_t f = 0; f < sizeof NEEDED / sizeof NEEDED[0]; f++) {
        if (!(seen >> NEEDED[f] & 1)) {
            return sass_fail(in, "the head has no line '%s = ...'; trace again", KEYS[NEEDED[f]]);
        }
    }
    if (check_versions(in, h) != 0) {
        return -1;
    }
    threads = threads > SASS_MAX_THREADS ? threads : threads * h->block.z;
    if (threads > SASS_MAX_THREADS) {
        return sass_fail(in, "-block dim = (%u,%u,%u) is more than %d threads; mend the head",
                         h->block.x, h->block.y, h->block.z, SASS_MAX_THREADS);
    }
    if ((uint64_t)h->grid.x * h->grid.y > INT64_MAX / h->grid.z) {
        return sass_fail(in, "-grid dim = (%u,%u,%u) is too large; mend the head", h->grid.x,
                         h->grid.y, h->grid.z);
    }
    if (!local_layout_sound(h)) {
        return sass_fail(in, "the '-warplock local' lines contradict each other; dump it again");
    }
    h->threads = (uint32_t)threads;
    h->warps = (h->threads + ISA_LANES - 1) / ISA_LANES;
    h->blocks = (uint64_t)h->grid.x * h->grid.y * h->grid.z;
    if (h->kept_blocks > h->blocks) {
        return sass_fail(in, "-warplock kept blocks = %llu are more than the grid's %llu",
                         (unsigned long long)h->kept_blocks, (unsigned long long)h->blocks);
    }
    return 0;
}

int sass_header_read(struct sass_input *in, struct sass_header *header)
{
    const char *from, *to, *value = NULL;
    uint32_t seen = 0;
    int more;

    *header = (struct sass_header){0};
    while ((more = sass_input_line(in, &from, &to)) > 0) {
        enum field field;

        if (from == to) {
            continue;
        }
        if (sass_check_text(in, from, to) != 0) {
            return -1;
        }
        if (*from == '#') {
            if (scan_word(&from, to, "#BEGIN_TB")) {
                return sass_fail(in, "the line '#traces format = ...' is missing; mend the head");
            }
            return check(in, header, seen);
        }
        if (*from != '-') {
            return sass_fail(in, "'%s' in the head is neither '-key = value' nor '#traces format'",
                             sass_quote(from, to).text);
        }
        field = field_of(from, to, &value);
        if (field != FIELD_IGNORED && (seen >> field & 1)) {
            return sass_fail(in, "'%s' comes twice; mend the head", KEYS[field]);
        }
        seen |= 1u << field;
        if (field != FIELD_IGNORED && take(in, header, field, value, to) != 0) {
            return -1;
        }
    }
    return more < 0 ? -1 : sass_fail(in, "the file ends in its head; it is cut short");
}

uint32_t sass_header_lanes(const struct sass_header *header, uint32_t warp)
{
    uint32_t left = header->threads - warp * ISA_LANES;

    return left >= ISA_LANES ? UINT32_MAX : (UINT32_C(1) << left) - 1;
}
