/* digest.c - see digest.h.  The hash itself is Nettle's. */
#include "base/digest.h"

#include <stdio.h>
#include <string.h>

void digest_begin(struct digest *digest)
{
    sha256_init(&digest->state);
}

static void add_length(struct digest *digest, uint64_t length)
{
    uint8_t bytes[8];
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (uint8_t)(length >> (8 * i));
    }
    sha256_update(&digest->state, sizeof bytes, bytes);
}

void digest_text(struct digest *digest, const char *text)
{
    add_length(digest, strlen(text));
    sha256_update(&digest->state, strlen(text), (const uint8_t *)text);
}

bool digest_file(struct digest *digest, const char *path)
{
    uint8_t bytes[65536];
    uint64_t length = 0;
    size_t n;
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return false;
    }
    while ((n = fread(bytes, 1, sizeof bytes, file)) > 0) {
        sha256_update(&digest->state, n, bytes);
        length += n;
    }
    const bool good = !ferror(file);
    fclose(file);
    add_length(digest, length);
    return good;
}

void digest_end(struct digest *digest, char digits[DIGEST_DIGITS + 1])
{
    uint8_t bytes[DIGEST_DIGITS / 2];
    sha256_digest(&digest->state, sizeof bytes, bytes);
    for (size_t i = 0; i < sizeof bytes; i++) {
        snprintf(digits + 2 * i, 3, "%02x", bytes[i]);
    }
}
