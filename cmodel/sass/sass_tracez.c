/* sass_tracez.c - see sass_tracez.h.  The index is walked in
 * sass_tracez_index.c, the frames are in sass_tracez_frame.c.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sass/sass_tracez_private.h"

struct sass_tracez *sass_tracez_new(int file, const uint8_t *memory, uint64_t size)
{
    struct sass_tracez *tracez = calloc(1, sizeof *tracez);

    if (tracez) {
        tracez->file = file;
        tracez->memory = memory;
        tracez->size = size;
    }
    return tracez;
}

void sass_tracez_free(struct sass_tracez *tracez)
{
    if (tracez) {
        tracez_decoder_free(tracez);
        free(tracez->entry);
        free(tracez->window.bytes);
    }
    free(tracez);
}

int tracez_fail_at(struct sass_input *in, uint64_t offset)
{
    in->place = (struct sass_place){.offset = offset};
    return -1;
}

int tracez_read(struct sass_tracez *tracez, struct sass_input *in, uint64_t offset, void *to,
                size_t n)
{
    uint8_t *at = to;

    if (offset > tracez->size || n > tracez->size - offset) {
        tracez_fail_at(in, offset);
        return sass_fail(in, "%zu bytes from here on are more than the file has", n);
    }
    if (tracez->file < 0) {
        memcpy(to, tracez->memory + offset, n);
        return 0;
    }
    while (n > 0) {
        ssize_t got = pread(tracez->file, at, n, (off_t)offset);

        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            tracez_fail_at(in, offset);
            return sass_fail(in, "cannot be read: %s; check the file",
                             got < 0 ? strerror(errno) : "it has become shorter");
        }
        at += got;
        offset += (uint64_t)got;
        n -= (size_t)got;
    }
    return 0;
}

uint32_t tracez_u32(const uint8_t *at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

uint64_t tracez_u64(const uint8_t *at)
{
    return tracez_u32(at) | (uint64_t)tracez_u32(at + 4) << 32;
}

/* ---- head, dictionary, index offset ---- */

static int read_head(struct sass_tracez *tracez, struct sass_input *in, char **head, size_t *n_head)
{
    size_t most = tracez->size < TRACEZ_HEAD_BYTES ? (size_t)tracez->size : TRACEZ_HEAD_BYTES;
    size_t n = most < 4096 ? most : 4096;
    const char *end = NULL;

    *head = malloc(most + 1);
    if (!*head) {
        return sass_fail(in, "out of memory for the head");
    }
    for (size_t from = 0; !end && from < most; from = n, n = 2 * n < most ? 2 * n : most) {
        if (tracez_read(tracez, in, from, *head + from, n - from) != 0) {
            return -1;
        }
        end = memchr(*head + from, '\0', n - from);
    }
    if (!end) {
        return sass_fail(in, "no 00 ends the head within %zu bytes; this is no .tracez", most);
    }
    *n_head = (size_t)(end - *head);
    for (size_t c = 0; c < *n_head; c++) {
        const char byte = (*head)[c];

        if ((byte < ' ' && byte != '\n') || byte > '~') {
            tracez_fail_at(in, c);
            return sass_fail(in, "byte 0x%02x in the head is no printable ASCII",
                             (unsigned char)byte);
        }
    }
    return 0;
}

static int read_layout(struct sass_tracez *tracez, struct sass_input *in, size_t n_head)
{
    uint8_t sizes[8], last[8];
    uint64_t after = (uint64_t)n_head + 1;

    if (tracez_read(tracez, in, after, sizes, sizeof sizes) != 0 ||
        tracez_read(tracez, in, tracez->size - 8, last, sizeof last) != 0) {
        return -1;
    }
    tracez->n_dictionary = tracez_u32(sizes);
    tracez->data = after + 8 + tracez->n_dictionary;
    tracez->index = tracez_u64(last);
    if (tracez->n_dictionary > TRACEZ_HEAD_BYTES) {
        tracez_fail_at(in, after);
        return sass_fail(in, "a dictionary of %u bytes, more than %d", tracez->n_dictionary,
                         TRACEZ_HEAD_BYTES);
    }
    if (tracez->index > tracez->size - 12 || tracez->index < tracez->data) {
        tracez_fail_at(in, tracez->size - 8);
        return sass_fail(in,
                         "the index at 0x%llx is not between the dictionary's end, 0x%llx, and "
                         "the last 12 bytes",
                         (unsigned long long)tracez->index, (unsigned long long)tracez->data);
    }
    tracez->index_end = tracez->size - 8;
    return tracez_decoder_init(tracez, in, after + 8);
}

int sass_tracez_open(struct sass_tracez *tracez, struct sass_input *in, char **head, size_t *n_head)
{
    int result;

    *head = NULL;
    in->place = (struct sass_place){0};
    if (tracez->size < TRACEZ_LEAST_FILE) {
        return sass_fail(in, "%llu bytes are no .tracez, which has %d at least",
                         (unsigned long long)tracez->size, TRACEZ_LEAST_FILE);
    }
    result = read_head(tracez, in, head, n_head);
    if (result == 0) {
        result = read_layout(tracez, in, *n_head);
    }
    if (result == 0) {
        result = tracez_walk_index(tracez, in);
    }
    if (result != 0) {
        free(*head);
        *head = NULL;
    }
    return result;
}

/* ---- blocks ---- */

static int by_number(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return x < y ? -1 : x > y;
}

static int find_twice(struct sass_tracez *tracez, struct sass_input *in, uint64_t *number)
{
    qsort(number, tracez->n_blocks, sizeof *number, by_number);
    for (uint32_t b = 1; b < tracez->n_blocks; b++) {
        if (number[b] == number[b - 1]) {
            tracez_fail_at(in, tracez->index);
            return sass_fail(in, "block %llu of the grid comes twice",
                             (unsigned long long)number[b]);
        }
    }
    return 0;
}

int sass_tracez_check(struct sass_tracez *tracez, struct sass_input *in, struct isa_dim3 grid,
                      uint32_t warps)
{
    uint64_t *number = malloc((size_t)tracez->n_blocks * sizeof *number);
    int result = 0;

    if (!number) {
        return sass_fail(in, "out of memory for %u blocks", tracez->n_blocks);
    }
    tracez->ordered = true;
    for (uint32_t b = 0; b < tracez->n_blocks && result == 0; b++) {
        const uint64_t at = tracez->entry[b];
        const uint8_t *block = tracez_window(tracez, in, at, TRACEZ_BLOCK_BYTES);
        const uint32_t x = block ? tracez_u32(block) : 0, y = block ? tracez_u32(block + 4) : 0;
        const uint32_t z = block ? tracez_u32(block + 8) : 0;

        tracez_fail_at(in, at);
        if (!block) {
            result = -1;
        } else if (x >= grid.x || y >= grid.y || z >= grid.z) {
            result = sass_fail(in, "block %u,%u,%u is outside the grid of (%u,%u,%u)", x, y, z,
                               grid.x, grid.y, grid.z);
        } else if (tracez_u32(block + 40) != warps) {
            tracez_fail_at(in, at + 40);
            result = sass_fail(in, "%u warps in a block of %u", tracez_u32(block + 40), warps);
        }
        number[b] = ((uint64_t)z * grid.y + y) * grid.x + x;
        tracez->ordered &= b == 0 || number[b] > number[b - 1];
    }
    if (result == 0 && !tracez->ordered) {
        result = find_twice(tracez, in, number);
    }
    free(number);
    in->place = (struct sass_place){0};
    return result;
}

uint64_t sass_tracez_blocks(const struct sass_tracez *tracez)
{
    return tracez->n_blocks;
}

bool sass_tracez_ordered(const struct sass_tracez *tracez)
{
    return tracez->ordered;
}

static struct isa_dim3 position(const uint8_t *at)
{
    return (struct isa_dim3){tracez_u32(at), tracez_u32(at + 4), tracez_u32(at + 8)};
}

/* Where the record before must have ended: where the next block's first one begins. */
static int next_record(struct sass_tracez *tracez, struct sass_input *in, uint64_t n, uint64_t *end)
{
    uint8_t offset[8];

    *end = tracez->index;
    if (n + 1 < tracez->n_blocks) {
        if (tracez_read(tracez, in, tracez->entry[n + 1] + TRACEZ_BLOCK_BYTES + 8, offset,
                        sizeof offset) != 0) {
            return -1;
        }
        *end = tracez_u64(offset);
    }
    return 0;
}

int sass_tracez_block(struct sass_tracez *tracez, struct sass_input *in, uint64_t n,
                      struct sass_tracez_block *block)
{
    const size_t bytes = (size_t)(tracez->entry[n + 1] - tracez->entry[n]);
    uint8_t *entry = malloc(bytes);
    uint32_t *chunk = malloc(bytes);
    const uint8_t *at = entry + TRACEZ_BLOCK_BYTES, *end = entry + bytes;
    uint64_t behind;
    int result = -1;

    *block = (struct sass_tracez_block){.chunks = chunk};
    if (!entry || !chunk) {
        sass_fail(in, "out of memory for a block's entry in the index");
    } else if (tracez_read(tracez, in, tracez->entry[n], entry, bytes) == 0) {
        result = next_record(tracez, in, n, &behind);
    }
    if (result == 0) {
        block->at = position(entry);
        block->cluster = (struct sass_cluster){position(entry + 12), position(entry + 24),
                                               tracez_u32(entry + 36)};
        block->n_warps = tracez_u32(entry + 40);
    }
    for (uint32_t w = 0; result == 0 && w < block->n_warps; w++) {
        struct sass_tracez_warp *warp = &block->warp[w < TRACEZ_WARPS ? w : 0];

        /* Looked at before; a file that has changed since ends here. */
        if (w >= TRACEZ_WARPS || end - at < TRACEZ_WARP_BYTES ||
            (uint64_t)(end - at) - TRACEZ_WARP_BYTES < (uint64_t)tracez_u32(at + 4) * 4) {
            tracez_fail_at(in, tracez->entry[n]);
            result = sass_fail(in, "the file has changed since it was opened; leave it alone");
            break;
        }
        *warp = (struct sass_tracez_warp){.lines = tracez_u32(at),
                                          .n_chunks = tracez_u32(at + 4),
                                          .chunk_lines = chunk,
                                          .offset = tracez_u64(at + 8),
                                          .end = behind};
        if (w > 0) {
            block->warp[w - 1].end = warp->offset;
        }
        at += TRACEZ_WARP_BYTES;
        for (uint32_t c = 0; c < warp->n_chunks; c++, at += 4) {
            *chunk++ = tracez_u32(at);
        }
    }
    free(entry);
    if (result != 0) {
        sass_tracez_block_free(block);
    }
    return result;
}

void sass_tracez_block_free(struct sass_tracez_block *block)
{
    free(block->chunks);
    block->chunks = NULL;
}
