/* sass_tracez_frame.c - records of warps and their frames.  See sass_tracez.h.
 *
 * Works after RFC 8878 by way of the reference library, which is given exactly the buffer that
 * a frame announces.
 */
#include <stdlib.h>

#include "sass/sass_tracez_private.h"

enum { FRAME_MAGIC = 0xfd2fb528u };

int tracez_decoder_init(struct sass_tracez *tracez, struct sass_input *in, uint64_t offset)
{
    uint8_t *bytes = NULL;

    if (tracez->n_dictionary == 0) {
        return 0;
    }
    bytes = malloc(tracez->n_dictionary);
    if (!bytes) {
        return sass_fail(in, "out of memory for the dictionary");
    }
    if (tracez_read(tracez, in, offset, bytes, tracez->n_dictionary) != 0) {
        free(bytes);
        return -1;
    }
    tracez->dictionary = ZSTD_createDDict(bytes, tracez->n_dictionary);
    tracez->dictionary_id = ZSTD_getDictID_fromDict(bytes, tracez->n_dictionary);
    free(bytes);
    if (!tracez->dictionary) {
        tracez_fail_at(in, offset);
        return sass_fail(in, "the dictionary is damaged");
    }
    return 0;
}

void tracez_decoder_free(struct sass_tracez *tracez)
{
    ZSTD_freeDCtx(tracez->context);
    ZSTD_freeDDict(tracez->dictionary);
    free(tracez->packed);
    free(tracez->text);
}

/* ---- records ---- */

int sass_tracez_begin(struct sass_tracez *tracez, struct sass_input *in,
                      const struct sass_tracez_block *block, uint32_t warp,
                      struct sass_tracez_cursor *cursor)
{
    const struct sass_tracez_warp *entry = &block->warp[warp];
    uint8_t record[8];

    if (tracez_read(tracez, in, entry->offset, record, sizeof record) != 0) {
        return -1;
    }
    if (tracez_u32(record) != entry->lines || tracez_u32(record + 4) != entry->n_chunks) {
        tracez_fail_at(in, entry->offset);
        return sass_fail(in,
                         "the record of warp %u of block %u,%u,%u says %u lines in %u sub-chunks, "
                         "the index %u in %u",
                         warp, block->at.x, block->at.y, block->at.z, tracez_u32(record),
                         tracez_u32(record + 4), entry->lines, entry->n_chunks);
    }
    *cursor = (struct sass_tracez_cursor){
        .block = block, .warp = warp, .offset = entry->offset + sizeof record};
    return 0;
}

/* ---- frames ---- */

static int grow(struct sass_input *in, void **buffer, size_t *max, size_t n)
{
    void *more;

    if (n <= *max) {
        return 0;
    }
    n = n < WINDOW_BYTES ? WINDOW_BYTES : n;
    more = realloc(*buffer, n);
    if (!more) {
        return sass_fail(in, "out of memory for a frame of %zu bytes", n);
    }
    *buffer = more;
    *max = n;
    return 0;
}

/* The frame's head: what it says is what the container allows.  The text's bytes. */
static int check_frame(const struct sass_tracez *tracez, struct sass_input *in, uint32_t n,
                       uint64_t *n_text)
{
    const uint8_t *frame = tracez->packed;
    const uint32_t id = ZSTD_getDictID_fromFrame(frame, n);
    size_t whole;

    if (tracez_u32(frame) != FRAME_MAGIC) {
        return sass_fail(in, "%08x is not the magic number of a zstd frame", tracez_u32(frame));
    }
    whole = ZSTD_findFrameCompressedSize(frame, n);
    if (ZSTD_isError(whole)) {
        return sass_fail(in, "the zstd frame is damaged: %s", ZSTD_getErrorName(whole));
    }
    if (whole != n) {
        return sass_fail(in, "the zstd frame has %zu bytes, its place %u", whole, n);
    }
    *n_text = ZSTD_getFrameContentSize(frame, n);
    if (*n_text == ZSTD_CONTENTSIZE_UNKNOWN || *n_text == ZSTD_CONTENTSIZE_ERROR) {
        return sass_fail(in, "the zstd frame does not say its content's size");
    }
    if (*n_text == 0 || *n_text > TRACEZ_FRAME_TEXT) {
        return sass_fail(in, "a zstd frame of %llu bytes; a sub-chunk has 1 to %u",
                         (unsigned long long)*n_text, TRACEZ_FRAME_TEXT);
    }
    if (id != 0 && id != tracez->dictionary_id) {
        return sass_fail(in, "the zstd frame wants dictionary %u, the file has %s%u", id,
                         tracez->dictionary ? "" : "none, ", tracez->dictionary_id);
    }
    return 0;
}

static int decode(struct sass_tracez *tracez, struct sass_input *in, uint32_t n)
{
    uint64_t n_text = 0;
    size_t got;
    void *text = tracez->text;

    if (check_frame(tracez, in, n, &n_text) != 0) {
        return -1;
    }
    if (!tracez->context && !(tracez->context = ZSTD_createDCtx())) {
        return sass_fail(in, "out of memory for unpacking");
    }
    if (grow(in, &text, &tracez->max_text, (size_t)n_text) != 0) {
        return -1;
    }
    tracez->text = text;
    got = ZSTD_decompress_usingDDict(tracez->context, tracez->text, (size_t)n_text, tracez->packed,
                                     n, tracez->dictionary);
    if (ZSTD_isError(got)) {
        return sass_fail(in, "the zstd frame is damaged: %s", ZSTD_getErrorName(got));
    }
    return got == n_text ? 0
                         : sass_fail(in, "the zstd frame unpacks to %zu bytes, it said %llu", got,
                                     (unsigned long long)n_text);
}

int sass_tracez_next(struct sass_tracez *tracez, struct sass_input *in,
                     struct sass_tracez_cursor *cursor, const char **from, const char **to,
                     uint32_t *lines)
{
    const struct sass_tracez_warp *warp = &cursor->block->warp[cursor->warp];
    uint8_t size[4];
    uint32_t n;
    void *packed = tracez->packed;

    if (cursor->chunk == warp->n_chunks) {
        return 0;
    }
    if (tracez_read(tracez, in, cursor->offset, size, sizeof size) != 0) {
        return -1;
    }
    n = tracez_u32(size);
    tracez_fail_at(in, cursor->offset);
    if (n < TRACEZ_LEAST_FRAME || cursor->offset + 4 > warp->end ||
        n > warp->end - cursor->offset - 4) {
        return sass_fail(
            in, "a frame of %u bytes, where %d to %llu are possible", n, TRACEZ_LEAST_FRAME,
            (unsigned long long)(cursor->offset + 4 > warp->end ? 0
                                                                : warp->end - cursor->offset - 4));
    }
    if (grow(in, &packed, &tracez->max_packed, n) != 0) {
        return -1;
    }
    tracez->packed = packed;
    if (tracez_read(tracez, in, cursor->offset + 4, tracez->packed, n) != 0) {
        return -1;
    }
    in->place = (struct sass_place){.offset = cursor->offset + 4};
    if (decode(tracez, in, n) != 0) {
        return -1;
    }
    *from = tracez->text;
    *to = tracez->text + ZSTD_getFrameContentSize(tracez->packed, n);
    *lines = warp->chunk_lines[cursor->chunk];
    in->place = (struct sass_place){.offset = cursor->offset + 4,
                                    .line = cursor->line,
                                    .block = cursor->block->at,
                                    .warp = cursor->warp};
    in->bytes_in = cursor->offset + 4 + n;
    cursor->line += *lines;
    cursor->offset += 4 + (uint64_t)n;
    cursor->chunk++;
    return 1;
}
