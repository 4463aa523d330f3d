/* sass_codec.h - streaming decompression behind one small interface: gzip, xz, zstd, none.
 *
 * Works after libarchive's and zlib's manuals.  It must not know files nor lines.
 */
#ifndef WARPLOCK_SASS_CODEC_H
#define WARPLOCK_SASS_CODEC_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Where the bytes come from: the next block, which stays until the next call.  Its length; 0 at
 * the end; -1 when it cannot be read. */
struct sass_source {
    void *self;
    ssize_t (*next)(void *self, const uint8_t **block);
};

struct sass_codec;

/* Tells the format by the first bytes.  NULL when out of memory or when the source fails. */
struct sass_codec *sass_codec_open(const struct sass_source *source);
/* At most `n` bytes of text: how many; 0 at the end; -1 when the data are damaged or cut short,
 * and `why` says how, or when the source fails, and `why` is "". */
ssize_t sass_codec_read(struct sass_codec *codec, void *out, size_t n, char *why, size_t n_why);
void sass_codec_close(struct sass_codec *codec);

#endif
