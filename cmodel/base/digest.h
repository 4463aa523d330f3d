/* digest.h - SHA-256 of texts and files, as hexadecimal digits. */
#ifndef WARPLOCK_BASE_DIGEST_H
#define WARPLOCK_BASE_DIGEST_H

#include <nettle/sha2.h>
#include <stdbool.h>

enum { DIGEST_DIGITS = 40 }; /* the first 160 bits */

struct digest {
    struct sha256_ctx state;
};

void digest_begin(struct digest *digest);
/* The text and its length, so that two texts never read like one. */
void digest_text(struct digest *digest, const char *text);
/* False when the file cannot be read. */
bool digest_file(struct digest *digest, const char *path);
void digest_end(struct digest *digest, char digits[DIGEST_DIGITS + 1]);

#endif
