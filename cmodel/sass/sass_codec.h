/* sass_codec.h - streaming decompression behind one small interface: gzip, xz, zstd, none.
 *
 * Works after zlib's, liblzma's and libzstd's manuals.  It must not know files nor lines.
 */
#ifndef WARPLOCK_SASS_CODEC_H
#define WARPLOCK_SASS_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is left to read, and what is left to fill. */
struct sass_span {
    uint8_t *at;
    size_t n;
};

enum sass_codec_result { SASS_CODEC_MORE, SASS_CODEC_END, SASS_CODEC_BAD };

struct sass_codec {
    const char *name;
    /* NULL when out of memory. */
    void *(*open)(void);
    /* Move bytes from `in` to `out`.  `last`: nothing comes after `in`.  END: everything was
     * given out; BAD: damaged or cut short, *why says how. */
    enum sass_codec_result (*step)(void *state, struct sass_span *in, struct sass_span *out,
                                   bool last, const char **why);
    void (*close)(void *state);
};

/* By the first bytes of the file. */
const struct sass_codec *sass_codec_of(const uint8_t *bytes, size_t n);

#endif
