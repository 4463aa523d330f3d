/* launch_value.c - kernel arguments from text: launch_value of launch_file.h. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/half.h"
#include "machine/host/launch_file.h"

enum { MAX_VALUE_BYTES = 32764 }; /* of all parameters of a kernel together (PTX ISA, ".param") */

/* Decimal, octal or hexadecimal, into `bits` bits; unsigned ones may be written as negative, too. */
static bool integer(const char *text, bool is_signed, uint32_t bits, uint64_t *out)
{
    bool negative = *text == '-';
    uint64_t half = UINT64_C(1) << (bits - 1), most = is_signed ? half - 1 : half - 1 + half;
    uint64_t magnitude;
    char *end;

    if (!isdigit((unsigned char)text[negative])) {
        return false;
    }
    errno = 0;
    magnitude = strtoull(text + negative, &end, 0);
    *out = negative ? 0 - magnitude : magnitude;
    return !errno && !*end && magnitude <= (negative ? half : most);
}

/* A number that the type holds; infinities and NaNs only by name. */
static bool real(const char *text, uint32_t bits, void *out)
{
    char *end;
    double value = strtod(text, &end);
    float narrow = (float)value;
    const uint16_t half = half_of(value);
    bool fits = bits == 64   ? isfinite(value)
                : bits == 32 ? isfinite(narrow)
                             : (half & 0x7c00) != 0x7c00;

    memcpy(out,
           bits == 64   ? (void *)&value
           : bits == 32 ? (void *)&narrow
                        : (void *)&half,
           bits / 8);
    return *text && !*end && (fits || strchr("in", tolower((unsigned char)text[*text == '-'])));
}

static int digit(char c)
{
    const char *digits = "0123456789abcdef",
               *at = c ? strchr(digits, tolower((unsigned char)c)) : NULL;

    return at ? (int)(at - digits) : -1;
}

/* Pairs of hexadecimal digits, blanks between them. */
static uint8_t *bytes_of(const char *text, uint32_t *n_bytes)
{
    uint8_t *out = malloc(strlen(text) / 2 + 1);
    uint32_t n = 0;

    while (out && *text) {
        int high = digit(text[0]), low = high < 0 ? -1 : digit(text[1]);

        if (low < 0 || n == MAX_VALUE_BYTES) {
            free(out);
            return NULL;
        }
        out[n++] = (uint8_t)(high * 16 + low);
        text += 2 + strspn(text + 2, " \t");
    }
    if (n == 0) {
        free(out);
        return NULL;
    }
    *n_bytes = n;
    return out;
}

uint8_t *launch_value(const char *type, const char *text, uint32_t *n_bytes)
{
    static const char *const widths[] = {"8", "16", "32", "64"};
    uint8_t value[8] = {0}, *out;
    uint32_t bits = 0;
    uint64_t whole = 0;
    bool good;

    if (!strcmp(type, "bytes")) {
        return bytes_of(text, n_bytes);
    }
    for (uint32_t w = 0; *type && w < sizeof widths / sizeof widths[0]; w++) {
        bits = strcmp(type + 1, widths[w]) == 0 ? 8u << w : bits;
    }
    if (!bits || !strchr("subf", type[0]) || (type[0] == 'f' && bits == 8)) {
        return NULL;
    }
    good = type[0] == 'f' ? real(text, bits, value) : integer(text, type[0] == 's', bits, &whole);
    if (type[0] != 'f') {
        memcpy(value, &whole, sizeof value); /* little-endian, as the GPU */
    }
    out = good ? malloc(sizeof value) : NULL;
    if (out) {
        memcpy(out, value, sizeof value);
        *n_bytes = bits / 8;
    }
    return out;
}
