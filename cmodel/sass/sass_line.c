/* sass_line.c - see sass_line.h. */
#include "sass/sass_line.h"

#include <string.h>

#include "sass/sass_scan_text.h"

int sass_line_bad(struct sass_input *in, const char *what, const char *at, const char *end)
{
    at = scan_blanks(at, end);
    return at == end ? sass_fail(in, "the line ends where %s should be", what)
                     : sass_fail(in, "'%s' is not %s", sass_quote(at, end).text, what);
}

int sass_line_start(struct sass_input *in, const char **cursor, const char *end, uint32_t skip,
                    uint32_t *pc, uint32_t *mask)
{
    uint64_t value;

    for (; skip > 0; skip--) {
        if (!scan_decimal(cursor, end, &value) || !scan_stops(*cursor, end)) {
            return sass_line_bad(
                in,
                "a number in front of the PC (block and warp of the old layout, or "
                "the source line)",
                *cursor, end);
        }
    }
    const char *at = *cursor;

    if (!scan_hex(cursor, end, &value) || value > UINT32_MAX) {
        return sass_line_bad(in, "a PC of at most 32 bits, in hexadecimal", at, end);
    }
    *pc = (uint32_t)value;
    at = *cursor;
    if (!scan_hex(cursor, end, &value) || value > UINT32_MAX) {
        return sass_line_bad(in, "a mask of 32 lanes, in hexadecimal", at, end);
    }
    *mask = (uint32_t)value;
    *cursor = scan_blanks(*cursor, end);
    return 0;
}

/* "R<n>"; of late also "UR<n>", "P<n>", "UP<n>". */
static int take_register(struct sass_input *in, const struct sass_header *header,
                         const char **cursor, const char *end, uint32_t *out)
{
    static const struct {
        const char *letters;
        uint32_t first, n;
    } FILES[] = {{"R", 0, SASS_MAX_REGISTER + 1},
                 {"UR", SASS_FILE_UNIFORM, 256},
                 {"P", SASS_FILE_PREDICATE, 8},
                 {"UP", SASS_FILE_UNIFORM_PREDICATE, 8}};
    const char *from = scan_blanks(*cursor, end);
    uint64_t value;

    for (size_t f = 0; f < (header->modern ? 4 : 1); f++) {
        const char *at = from;
        uint32_t n = f == 0 && header->modern ? 256 : FILES[f].n;

        if (scan_word(&at, end, FILES[f].letters) && at < end && (unsigned)(*at - '0') < 10 &&
            scan_decimal(&at, end, &value) && scan_stops(at, end) && value < n) {
            *out = FILES[f].first + (uint32_t)value;
            *cursor = at;
            return 0;
        }
    }
    return sass_line_bad(in,
                         header->modern ? "a register: R or UR with 0 to 255, P or UP with 0 to 7"
                                        : "a register R0 to R4095",
                         *cursor, end);
}

static int take_count(struct sass_input *in, const char **cursor, const char *end, uint32_t most,
                      const char *what, uint32_t *out)
{
    const char *at = *cursor;
    uint64_t value;

    if (!scan_decimal(cursor, end, &value) || !scan_stops(*cursor, end) || value > most) {
        return sass_line_bad(in, what, at, end);
    }
    *out = (uint32_t)value;
    return 0;
}

static bool contains(const char *text, size_t n, const char *word)
{
    return memmem(text, n, word, strlen(word)) != NULL;
}

static bool is_bulk(const char *opcode, size_t n)
{
    static const char *const NAMES[] = {"UTMALDG", "UTMASTG", "UTMAPF", "UTMAREDG",
                                        "UBLKCP",  "UBLKPF",  "UBLKRED"};
    bool found = false;

    for (size_t w = 0; w < sizeof NAMES / sizeof NAMES[0] && *opcode == 'U'; w++) {
        found |= contains(opcode, n, NAMES[w]);
    }
    return found;
}

static bool is_letter(char c)
{
    return c > ' ' && c <= '~';
}

static int take_opcode(struct sass_input *in, const char **cursor, const char *end,
                       struct sass_operands *out)
{
    out->opcode = *cursor = scan_blanks(*cursor, end);
    while (*cursor < end && is_letter(**cursor)) {
        ++*cursor;
    }
    out->n_opcode = (size_t)(*cursor - out->opcode);
    if (out->n_opcode == 0 || out->n_opcode > 127 || !scan_stops(*cursor, end)) {
        return sass_line_bad(in, "an opcode of 1 to 127 letters", out->opcode, end);
    }
    return 0;
}

int sass_line_operands(struct sass_input *in, const struct sass_header *header, const char **cursor,
                       const char *end, struct sass_operands *out)
{
    uint32_t width, commit = 0;

    *out = (struct sass_operands){0};
    if (take_count(in, cursor, end, 1, "a count of results, 0 or 1", &out->n_dst) != 0 ||
        (out->n_dst && take_register(in, header, cursor, end, &out->dst) != 0) ||
        take_opcode(in, cursor, end, out) != 0) {
        return -1;
    }
    if (take_count(in, cursor, end, header->modern ? SASS_MAX_SRC_MODERN : SASS_MAX_SRC,
                   header->modern ? "a count of sources, 0 to 8" : "a count of sources, 0 to 4",
                   &out->n_src) != 0) {
        return -1;
    }
    for (uint32_t s = 0; s < out->n_src; s++) {
        if (take_register(in, header, cursor, end, &out->src[s]) != 0) {
            return -1;
        }
    }
    if (header->modern && is_bulk(out->opcode, out->n_opcode)) {
        out->addressed = out->bulk = true;
        return 0;
    }
    if (header->modern && contains(out->opcode, out->n_opcode, "GMMA") &&
        take_count(in, cursor, end, 1, "0 or 1, whether it closes a group", &commit) != 0) {
        return -1;
    }
    if (take_count(in, cursor, end, 1 << 20, "a memory width in bytes, 0 to 1048576", &width) !=
        0) {
        return -1;
    }
    out->commit = commit;
    out->addressed = width != 0;
    return 0;
}

/* ---- addresses ---- */

static int list(struct sass_input *in, const char **at, const char *end, uint32_t mask,
                struct sass_addresses *out)
{
    for (uint32_t left = mask; left; left &= left - 1) {
        const char *from = *at;

        if (!scan_hex(at, end, &out->lane[__builtin_ctz(left)])) {
            return sass_line_bad(in, "an address for each active lane, in hexadecimal", from, end);
        }
    }
    return 0;
}

static int stride(struct sass_input *in, bool holes, const char **at, const char *end,
                  uint32_t mask, struct sass_addresses *out)
{
    const char *from = *at;
    uint32_t ones = mask ? mask >> __builtin_ctz(mask) : 0;
    uint64_t address = out->base;

    if (!scan_signed(at, end, &out->stride) || out->stride < INT32_MIN || out->stride > INT32_MAX) {
        return sass_line_bad(in, "a stride of 32 bits, in decimal", from, end);
    }
    if (!holes && (ones & (ones + 1))) {
        return sass_fail(in,
                         "mask %08x has holes, but base and stride describe adjacent lanes; "
                         "use base and deltas",
                         mask);
    }
    for (uint32_t left = mask; left; left &= left - 1) {
        out->lane[__builtin_ctz(left)] = address;
        address += (uint64_t)out->stride;
    }
    return 0;
}

static int deltas(struct sass_input *in, const char **at, const char *end, uint32_t mask,
                  struct sass_addresses *out)
{
    uint64_t address = out->base;

    if (!mask) {
        return 0;
    }
    out->lane[__builtin_ctz(mask)] = address;
    for (uint32_t left = mask & (mask - 1); left; left &= left - 1) {
        const char *from = *at;
        int64_t delta;

        if (!scan_signed(at, end, &delta)) {
            return sass_line_bad(in, "a delta for each active lane but the first, in decimal", from,
                                 end);
        }
        address += (uint64_t)delta;
        out->lane[__builtin_ctz(left)] = address;
    }
    return 0;
}

int sass_line_addresses(struct sass_input *in, const struct sass_header *header,
                        const char **cursor, const char *end, uint32_t mask,
                        struct sass_addresses *out)
{
    const char *at = *cursor, *from = at;
    uint64_t mode;
    int result;

    if (!scan_decimal(&at, end, &mode) || !scan_stops(at, end) || mode > SASS_DELTA) {
        return sass_line_bad(in, "an address mode, 0 (list), 1 (base, stride) or 2 (base, deltas)",
                             from, end);
    }
    out->mode = (enum sass_mode)mode;
    from = at;
    if (mode != SASS_LIST && !scan_hex(&at, end, &out->base)) {
        return sass_line_bad(in, "a base address, in hexadecimal", from, end);
    }
    result = mode == SASS_LIST     ? list(in, &at, end, mask, out)
             : mode == SASS_STRIDE ? stride(in, header->modern, &at, end, mask, out)
                                   : deltas(in, &at, end, mask, out);
    *cursor = at = scan_blanks(at, end);
    if (result == 0 && !header->modern && at != end) {
        return sass_fail(in, "'%s' is too much: mask %08x has %d active lanes",
                         sass_quote(at, end).text, mask, __builtin_popcount(mask));
    }
    return result;
}
