/* fatbin.c - see fatbin.h. */
#include "cuda/fatbin.h"

#include <lz4.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#define MAGIC UINT32_C(0xba55ed50)
#define MAX_TEXT_BYTES (UINT64_C(1) << 30)
enum { HEADER_BYTES = 16, ENTRY_BYTES = 0x40 };

static uint16_t u16(const uint8_t *at)
{
    return (uint16_t)(at[0] | at[1] << 8);
}

static uint32_t u32(const uint8_t *at)
{
    return (uint32_t)u16(at) | (uint32_t)u16(at + 2) << 16;
}

static uint64_t u64(const uint8_t *at)
{
    return (uint64_t)u32(at) | (uint64_t)u32(at + 4) << 32;
}

size_t fatbin_bytes(const uint8_t *container)
{
    uint64_t rest = u64(container + 8);

    if (u32(container) != MAGIC || u16(container + 6) != HEADER_BYTES || rest > SIZE_MAX / 2) {
        return 0;
    }
    return HEADER_BYTES + (size_t)rest;
}

static int refuse(char *error, size_t n_error, size_t at, const char *what)
{
    snprintf(error, n_error, "fat binary: byte %zu: %s; build the program anew", at, what);
    return -1;
}

int fatbin_next(const uint8_t *container, size_t n, size_t *at, struct fatbin_entry *entry,
                char *error, size_t n_error)
{
    size_t end = n < HEADER_BYTES ? 0 : fatbin_bytes(container);
    const uint8_t *here;
    uint64_t header, payload;

    if (end == 0 || end > n) {
        return refuse(error, n_error, 0, "no container of device code, or a longer one");
    }
    *at = *at == 0 ? HEADER_BYTES : *at;
    if (*at == end) {
        return 0;
    }
    if (end - *at < ENTRY_BYTES) {
        return refuse(error, n_error, *at, "an entry is cut off");
    }
    here = container + *at;
    header = u32(here + 4);
    payload = u64(here + 8);
    if (header < ENTRY_BYTES || header > end - *at || payload > end - *at - header) {
        return refuse(error, n_error, *at, "an entry is longer than its container");
    }
    *entry = (struct fatbin_entry){.kind = u16(here),
                                   .architecture = u32(here + 0x1c),
                                   .flags = u64(here + 0x28),
                                   .payload = here + header,
                                   .payload_bytes = payload,
                                   .compressed_bytes = u32(here + 0x10),
                                   .bytes = u64(here + 0x38)};
    *at += (size_t)(header + payload);
    return 1;
}

/* The unpacked size if all went well, else 0. */
static size_t unpack(const struct fatbin_entry *e, char *to)
{
    const void *from = e->payload;

    if (e->flags & FATBIN_ZSTD) {
        size_t n = ZSTD_decompress(to, (size_t)e->bytes, from, e->compressed_bytes);

        return ZSTD_isError(n) ? 0 : n;
    }
    int n = LZ4_decompress_safe(from, to, (int)e->compressed_bytes, (int)e->bytes);
    return n < 0 ? 0 : (size_t)n;
}

char *fatbin_unpack(const struct fatbin_entry *e, size_t *n, char *error, size_t n_error)
{
    bool packed = e->flags & (FATBIN_LZ4 | FATBIN_ZSTD);
    uint64_t bytes = packed ? e->bytes : e->payload_bytes;
    char *text;

    if (bytes > MAX_TEXT_BYTES ||
        (packed && (bytes == 0 || e->compressed_bytes > e->payload_bytes ||
                    e->compressed_bytes > INT32_MAX))) {
        refuse(error, n_error, 0, "an entry's sizes do not fit each other");
        return NULL;
    }
    text = malloc((size_t)bytes + 1);
    if (!text) {
        snprintf(error, n_error, "out of memory for %llu bytes of device code",
                 (unsigned long long)bytes);
        return NULL;
    }
    if (!packed) {
        memcpy(text, e->payload, (size_t)bytes);
    } else if (unpack(e, text) != bytes) {
        refuse(error, n_error, 0, "a compressed text does not unpack to its size");
        free(text);
        return NULL;
    }
    text[bytes] = '\0';
    *n = (size_t)bytes;
    return text;
}

char *fatbin_text(const struct fatbin_entry *e, size_t *n, char *error, size_t n_error)
{
    char *text = fatbin_unpack(e, n, error, n_error);

    while (text && *n && text[*n - 1] == '\0') {
        --*n;
    }
    return text;
}

/* Is `e` nearer to what the GPU takes than `best`? */
static bool is_better(const struct fatbin_entry *e, const struct fatbin_entry *best,
                      uint32_t capability)
{
    bool foreign = e->flags & (FATBIN_ARCHITECTURE | FATBIN_FAMILY);
    bool best_foreign = best->flags & (FATBIN_ARCHITECTURE | FATBIN_FAMILY);
    bool above = e->architecture > capability, best_above = best->architecture > capability;

    if (best->kind != e->kind || foreign != best_foreign) {
        return best->kind != e->kind || best_foreign;
    }
    if (above != best_above) {
        return best_above;
    }
    return above ? e->architecture < best->architecture : e->architecture > best->architecture;
}

int fatbin_choose(const uint8_t *container, size_t n, enum fatbin_kind kind, uint32_t capability,
                  struct fatbin_entry *chosen, bool *above, bool *foreign, char *error,
                  size_t n_error)
{
    struct fatbin_entry entry;
    size_t at = 0;
    int more;

    *chosen = (struct fatbin_entry){0};
    while ((more = fatbin_next(container, n, &at, &entry, error, n_error)) == 1) {
        if (entry.kind == kind && is_better(&entry, chosen, capability)) {
            *chosen = entry;
        }
    }
    *above = chosen->architecture > capability;
    *foreign = chosen->flags & (FATBIN_ARCHITECTURE | FATBIN_FAMILY);
    return more < 0 ? -1 : chosen->kind == kind ? 0 : 1;
}
