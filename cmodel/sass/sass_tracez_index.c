/* sass_tracez_index.c - the index of a container, looked through once.  See sass_tracez.h. */
#include <stdlib.h>

#include "sass/sass_tracez_private.h"

const uint8_t *tracez_window(struct sass_tracez *tracez, struct sass_input *in, uint64_t offset,
                             size_t n)
{
    struct tracez_window *w = &tracez->window;
    size_t fill;

    if (offset > tracez->index_end || n > tracez->index_end - offset) {
        tracez_fail_at(in, offset);
        sass_fail(
            in, "the index ends inside an entry; %zu bytes should follow, %llu do", n,
            (unsigned long long)(offset > tracez->index_end ? 0 : tracez->index_end - offset));
        return NULL;
    }
    if (offset >= w->from && offset + n <= w->from + w->n) {
        return w->bytes + (offset - w->from);
    }
    fill = tracez->index_end - offset < WINDOW_BYTES ? (size_t)(tracez->index_end - offset)
                                                     : WINDOW_BYTES;
    fill = fill < n ? n : fill;
    if (fill > w->max) {
        uint8_t *more = realloc(w->bytes, fill);

        if (!more) {
            sass_fail(in, "out of memory for the index");
            return NULL;
        }
        w->bytes = more;
        w->max = fill;
    }
    w->n = 0;
    if (tracez_read(tracez, in, offset, w->bytes, fill) != 0) {
        return NULL;
    }
    w->from = offset;
    w->n = fill;
    return w->bytes;
}

/* Lines of the sub-chunks at `at`: at least one each, `lines` in all. */
static int check_chunks(struct sass_tracez *tracez, struct sass_input *in, uint64_t at,
                        uint32_t lines, uint32_t n)
{
    uint64_t sum = 0, first = at;

    while (n > 0) {
        uint32_t some = n < WINDOW_BYTES / 4 ? n : WINDOW_BYTES / 4;
        const uint8_t *from = tracez_window(tracez, in, at, (size_t)some * 4);

        for (uint32_t c = 0; from && c < some; c++) {
            uint32_t of_chunk = tracez_u32(from + 4 * (size_t)c);

            if (of_chunk == 0) {
                tracez_fail_at(in, at + 4 * (uint64_t)c);
                return sass_fail(in, "a sub-chunk of 0 lines");
            }
            sum += of_chunk;
        }
        if (!from) {
            return -1;
        }
        n -= some;
        at += 4 * (uint64_t)some;
    }
    if (sum != lines) {
        tracez_fail_at(in, first);
        return sass_fail(in, "the sub-chunks of a warp have %llu lines, the warp has %u",
                         (unsigned long long)sum, lines);
    }
    return 0;
}

/* One warp's entry; *at moves behind it, *record behind the least that its record takes. */
static int walk_warp(struct sass_tracez *tracez, struct sass_input *in, uint64_t *at,
                     uint64_t *record)
{
    const uint8_t *warp = tracez_window(tracez, in, *at, TRACEZ_WARP_BYTES);
    uint32_t lines, chunks;
    uint64_t offset;

    if (!warp) {
        return -1;
    }
    lines = tracez_u32(warp);
    chunks = tracez_u32(warp + 4);
    offset = tracez_u64(warp + 8);
    if ((uint64_t)chunks * 4 > tracez->index_end - *at - TRACEZ_WARP_BYTES) {
        tracez_fail_at(in, *at + 4);
        return sass_fail(in, "%u sub-chunks, for which the index has no room", chunks);
    }
    if (offset > tracez->index - 8 || offset < tracez->data) {
        tracez_fail_at(in, *at + 8);
        return sass_fail(in,
                         "a warp's record at 0x%llx is not between the dictionary's end, "
                         "0x%llx, and the index, 0x%llx",
                         (unsigned long long)offset, (unsigned long long)tracez->data,
                         (unsigned long long)tracez->index);
    }
    if (offset < *record) {
        tracez_fail_at(in, *at + 8);
        return sass_fail(in,
                         "a warp's record at 0x%llx lies in the one before, which takes until "
                         "0x%llx at least",
                         (unsigned long long)offset, (unsigned long long)*record);
    }
    if (check_chunks(tracez, in, *at + TRACEZ_WARP_BYTES, lines, chunks) != 0) {
        return -1;
    }
    *record = offset + 8 + (uint64_t)chunks * (4 + TRACEZ_LEAST_FRAME);
    *at += TRACEZ_WARP_BYTES + (uint64_t)chunks * 4;
    tracez->lines += lines;
    return 0;
}

static int walk_block(struct sass_tracez *tracez, struct sass_input *in, uint64_t *at,
                      uint64_t *record)
{
    const uint8_t *block = tracez_window(tracez, in, *at, TRACEZ_BLOCK_BYTES);
    const uint64_t start = *at;
    uint32_t warps;

    if (!block) {
        return -1;
    }
    warps = tracez_u32(block + 40);
    if (warps == 0 || warps > TRACEZ_WARPS) {
        tracez_fail_at(in, *at + 40);
        return sass_fail(in, "a block of %u warps; it has 1 to %d", warps, TRACEZ_WARPS);
    }
    *at += TRACEZ_BLOCK_BYTES;
    for (uint32_t w = 0; w < warps; w++) {
        if (walk_warp(tracez, in, at, record) != 0) {
            return -1;
        }
    }
    if (*at - start > TRACEZ_ENTRY_BYTES) {
        tracez_fail_at(in, start);
        return sass_fail(in, "a block's entry of %llu bytes in the index, more than %u",
                         (unsigned long long)(*at - start), TRACEZ_ENTRY_BYTES);
    }
    return 0;
}

int tracez_walk_index(struct sass_tracez *tracez, struct sass_input *in)
{
    const uint8_t *count = tracez_window(tracez, in, tracez->index, 4);
    uint64_t at = tracez->index + 4, record = tracez->data;

    if (!count) {
        return -1;
    }
    tracez->n_blocks = tracez_u32(count);
    if ((uint64_t)tracez->n_blocks * TRACEZ_BLOCK_BYTES > tracez->index_end - at) {
        tracez_fail_at(in, tracez->index);
        return sass_fail(in, "%u blocks, for which the index of %llu bytes has no room",
                         tracez->n_blocks, (unsigned long long)(tracez->index_end - at));
    }
    tracez->entry = malloc(((size_t)tracez->n_blocks + 1) * sizeof *tracez->entry);
    if (!tracez->entry) {
        return sass_fail(in, "out of memory for %u blocks", tracez->n_blocks);
    }
    for (uint32_t b = 0; b < tracez->n_blocks; b++) {
        tracez->entry[b] = at;
        if (walk_block(tracez, in, &at, &record) != 0) {
            return -1;
        }
    }
    tracez->entry[tracez->n_blocks] = at;
    if (at != tracez->index_end) {
        tracez_fail_at(in, at);
        return sass_fail(in, "%llu bytes behind the %u blocks of the index",
                         (unsigned long long)(tracez->index_end - at), tracez->n_blocks);
    }
    if (tracez->n_blocks == 0) {
        tracez_fail_at(in, tracez->index);
        return sass_fail(in, "no thread block in the file");
    }
    in->place = (struct sass_place){0};
    return 0;
}
