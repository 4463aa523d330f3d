/* sass_scan_text.h - numbers and words out of a span of text, by hand for speed.
 *
 * Each takes a cursor and the end of the line, skips blanks in front, moves the cursor
 * behind what it took and says whether it was there; numbers that do not fit are not.
 * It must not know what a trace is.
 */
#ifndef WARPLOCK_SASS_SCAN_TEXT_H
#define WARPLOCK_SASS_SCAN_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline const char *scan_blanks(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t')) {
        at++;
    }
    return at;
}

/* Behind a number there must be a blank or the end. */
static inline bool scan_stops(const char *at, const char *end)
{
    return at == end || *at == ' ' || *at == '\t';
}

/* Value of a hexadecimal digit, 16 of anything else. */
static inline uint32_t scan_digit(char c)
{
    uint32_t decimal = (uint32_t)(unsigned char)c - '0', letter = ((unsigned char)c | 32u) - 'a';

    return decimal < 10 ? decimal : letter < 6 ? letter + 10 : 16;
}

/* The value of eight hexadecimal digits that begin there, all at once; false when one is none. */
static inline bool scan_eight_digits(const char *at, uint64_t *value)
{
    const uint64_t each = UINT64_C(0x0101010101010101), high = each << 7;
    uint64_t text, lower, decimal, letter, nibbles;

    memcpy(&text, at, sizeof text);
    lower = text | each * 0x20;
    /* Bit 7 of a byte: it is at least '0' and at most '9'; 'a' and 'f'.  With that bit set before no
     * byte borrows from the next. */
    decimal = ((text | high) - each * '0') & ~((text | high) - each * ('9' + 1)) & high;
    letter = ((lower | high) - each * 'a') & ~((lower | high) - each * ('f' + 1)) & high;
    if ((decimal | letter) != high || (text & high)) {
        return false;
    }
    nibbles = (text & each * 0xf) + (letter >> 7) * 9;
    nibbles = (nibbles << 4 | nibbles >> 8) & UINT64_C(0x00ff00ff00ff00ff);
    nibbles = (nibbles << 8 | nibbles >> 16) & UINT64_C(0x0000ffff0000ffff);
    *value = (nibbles << 16 | nibbles >> 32) & UINT64_C(0xffffffff);
    return true;
}

/* Up to 16 hexadecimal digits, 0x in front or not. */
static inline bool scan_hex(const char **cursor, const char *end, uint64_t *value)
{
    const char *at = scan_blanks(*cursor, end), *first;
    uint64_t sum = 0;

    if (end - at > 2 && at[0] == '0' && (at[1] | 32) == 'x') {
        at += 2;
    }
    first = at;
    if (end - at >= 8 && scan_eight_digits(at, &sum)) {
        at += 8;
    }
    for (; at < end; at++) {
        uint32_t digit = scan_digit(*at);

        if (digit > 15) {
            break;
        }
        sum = sum << 4 | digit;
    }
    *cursor = at;
    *value = sum;
    return at > first && at - first <= 16 && scan_stops(at, end);
}

/* An unsigned decimal number below 2^64, of at most 20 digits. */
static inline bool scan_decimal(const char **cursor, const char *end, uint64_t *value)
{
    const char *at = scan_blanks(*cursor, end), *first = at;
    const char *sure = end - at > 19 ? at + 19 : end; /* so many digits fit */
    uint64_t sum = 0;
    bool fits = true;

    for (; at < sure && (unsigned char)(*at - '0') < 10; at++) {
        sum = sum * 10 + (uint64_t)(*at - '0');
    }
    for (; at - first >= 19 && at < end && (unsigned char)(*at - '0') < 10 && at - first <= 20;
         at++) {
        const uint64_t digit = (uint64_t)(*at - '0');

        fits = sum < UINT64_MAX / 10 || (sum == UINT64_MAX / 10 && digit <= UINT64_MAX % 10);
        sum = sum * 10 + digit;
    }
    *cursor = at;
    *value = sum;
    return at > first && at - first <= 20 && fits;
}

/* A signed decimal number of 64 bits. */
static inline bool scan_signed(const char **cursor, const char *end, int64_t *value)
{
    const char *at = scan_blanks(*cursor, end);
    bool minus = at < end && *at == '-';
    uint64_t magnitude;
    bool found;

    at += minus || (at < end && *at == '+');
    found = at < end && *at != ' ' && scan_decimal(&at, end, &magnitude) &&
            magnitude <= (uint64_t)INT64_MAX + minus;
    *cursor = at;
    *value = found ? (int64_t)(minus ? 0 - magnitude : magnitude) : 0;
    return found && scan_stops(at, end);
}

/* The word itself, whatever follows it. */
static inline bool scan_word(const char **cursor, const char *end, const char *word)
{
    const char *at = scan_blanks(*cursor, end);

    for (; *word; word++, at++) {
        if (at == end || *at != *word) {
            return false;
        }
    }
    *cursor = at;
    return true;
}

#endif
