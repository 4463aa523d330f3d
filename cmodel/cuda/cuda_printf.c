/* cuda_printf.c - the device's printf: format and arguments are in the GPU's memory.
 *
 * Arguments lie in a buffer like the members of a C struct, promoted: each at a multiple of its
 * size, 4 or 8.  The format alone says what they are; %n and * are not known there.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/cuda_calls.h"

enum { MAX_TEXT = 1 << 16, MAX_ARGUMENTS = 32 };

struct output {
    char *text;
    size_t n, room;
};

static void put(struct output *out, const char *text, size_t n)
{
    if (out->n + n + 1 > out->room) {
        size_t room = (out->n + n + 1) * 2;
        char *more = realloc(out->text, room);

        if (!more) {
            return;
        }
        out->text = more;
        out->room = room;
    }
    memcpy(out->text + out->n, text, n);
    out->n += n;
    out->text[out->n] = '\0';
}

/* A string of the device's, to be freed. */
static char *fetch(const struct ptx_outside_call *call, uint64_t address)
{
    struct output text = {0};
    char c;

    put(&text, "", 0);
    while (text.n < MAX_TEXT && call->read(call, address + text.n, &c, 1) && c) {
        put(&text, &c, 1);
    }
    return text.text;
}

struct arguments {
    const struct ptx_outside_call *call;
    uint64_t at;
    int count;
};

static uint64_t next(struct arguments *a, uint32_t bytes)
{
    uint64_t value = 0;

    a->at = (a->at + bytes - 1) & ~(uint64_t)(bytes - 1);
    a->call->read(a->call, a->call->argument[1] + a->at, &value, bytes);
    a->at += bytes;
    a->count++;
    return value;
}

static double real(uint64_t bits)
{
    double value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

/* One conversion: `spec` is %, flags, width and precision; `wide`: an l or ll was read. */
static void convert(struct output *out, char *spec, char what, bool wide, int half,
                    struct arguments *a)
{
    char text[512], *string = NULL;
    size_t n = strlen(spec);
    int length = 0;

    switch (what) {
    case 'd':
    case 'i': {
        uint64_t bits = next(a, wide ? 8 : 4);
        int64_t value = wide ? (int64_t)bits : (int32_t)bits;

        value = half == 1 ? (int16_t)value : half == 2 ? (int8_t)value : value;
        snprintf(spec + n, 8, "%s", PRId64);
        length = snprintf(text, sizeof text, spec, value);
        break;
    }
    case 'u':
    case 'o':
    case 'x':
    case 'X': {
        uint64_t value = next(a, wide ? 8 : 4);

        value = half == 1 ? (uint16_t)value : half == 2 ? (uint8_t)value : value;
        snprintf(spec + n, 8, "l%c", what);
        length = snprintf(text, sizeof text, spec, value);
        break;
    }
    case 'c':
        snprintf(spec + n, 8, "c");
        length = snprintf(text, sizeof text, spec, (int)next(a, 4));
        break;
    case 'p':
        snprintf(spec + n, 8, "p");
        length = snprintf(text, sizeof text, spec, (void *)(uintptr_t)next(a, 8));
        break;
    case 's':
        string = fetch(a->call, next(a, 8));
        snprintf(spec + n, 8, "s");
        length = string ? snprintf(NULL, 0, spec, string) : 0;
        if (string && length >= (int)sizeof text) {
            char *longer = malloc((size_t)length + 1);

            if (longer) {
                snprintf(longer, (size_t)length + 1, spec, string);
                put(out, longer, (size_t)length);
            }
            free(longer);
            free(string);
            return;
        }
        length = string ? snprintf(text, sizeof text, spec, string) : 0;
        free(string);
        break;
    default: /* a, e, f, g */
        snprintf(spec + n, 8, "%c", what);
        length = snprintf(text, sizeof text, spec, real(next(a, 8)));
        break;
    }
    put(out, text,
        length < 0                     ? 0
        : (size_t)length < sizeof text ? (size_t)length
                                       : sizeof text - 1);
}

/* From a % on; what follows the conversion. */
static const char *conversion(struct output *out, const char *from, struct arguments *a)
{
    size_t n = 1 + strspn(from + 1, "-+ #0123456789.");
    const char *at = from + n;
    char spec[64];
    bool wide = false;
    int half = 0;

    for (; *at && strchr("hlLjzt", *at); at++) {
        wide |= *at != 'h' && *at != 'L';
        half += *at == 'h';
    }
    if (*at == '%') {
        put(out, "%", 1);
        return at + 1;
    }
    if (!*at || !strchr("diuoxXcspaAeEfFgG", *at) || n >= sizeof spec - 8 ||
        a->count == MAX_ARGUMENTS || strtoul(from + strcspn(from, "123456789"), NULL, 10) > 500) {
        put(out, from, (size_t)(at - from)); /* as it stands */
        return at;
    }
    memcpy(spec, from, n);
    spec[n] = '\0';
    convert(out, spec, *at, wide, half, a);
    return at + 1;
}

char *cuda_printf(const struct ptx_outside_call *call, size_t *n, int *result)
{
    char *format = call->argument[0] ? fetch(call, call->argument[0]) : NULL;
    struct arguments arguments = {.call = call};
    struct output out = {0};

    *result = format ? 0 : -1;
    put(&out, "", 0);
    for (const char *at = format ? format : ""; *at;) {
        size_t plain = strcspn(at, "%");

        put(&out, at, plain);
        at += plain;
        at = *at ? conversion(&out, at, &arguments) : at;
    }
    *result = format ? arguments.count : -1;
    free(format);
    *n = out.n;
    return out.text;
}
