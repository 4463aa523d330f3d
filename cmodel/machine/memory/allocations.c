/* allocations.c - see allocations.h. */
#include "machine/memory/allocations.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ALLOCATIONS = 65536 };
#define ADDRESS_LIMIT (UINT64_C(1) << 40)

static const char *after_spaces(const char *text)
{
    return text + strspn(text, " \t\r\n");
}

/* The number that `*text` begins with, and `*text` behind it. */
static bool take_number(const char **text, uint64_t *value)
{
    char *end;
    *text = after_spaces(*text);
    if (!isdigit((unsigned char)**text)) {
        return false;
    }
    errno = 0;
    *value = strtoull(*text, &end, strncmp(*text, "0x", 2) == 0 ? 16 : 10);
    *text = after_spaces(end);
    return errno == 0;
}

static bool take_row(const char *text, struct allocation *row)
{
    uint64_t bytes;
    if (!take_number(&text, &row->base) || *text != ',') {
        return false;
    }
    text++;
    row->base %= ADDRESS_LIMIT; /* as the addresses of a trace are cut */
    if (!take_number(&text, &bytes) || *text != '\0' || bytes == 0 ||
        bytes > ADDRESS_LIMIT - row->base) {
        return false;
    }
    row->limit = row->base + bytes;
    return true;
}

/* Put it where it belongs; -1: others have bytes of it, 1: there is no place for more. */
static int insert(struct allocations *to, struct allocation row)
{
    uint32_t i = to->n;
    if ((to->n & (to->n - 1)) == 0) { /* full at powers of two */
        const size_t more = to->n == 0 ? 1 : 2 * (size_t)to->n;
        struct allocation *at = to->n < MAX_ALLOCATIONS ? realloc(to->at, more * sizeof *at) : NULL;
        if (at == NULL) {
            return 1;
        }
        to->at = at;
    }
    while (i > 0 && to->at[i - 1].base > row.base) {
        i--;
    }
    if ((i > 0 && to->at[i - 1].limit > row.base) || (i < to->n && to->at[i].base < row.limit)) {
        return -1;
    }
    memmove(to->at + i + 1, to->at + i, (to->n++ - i) * sizeof *to->at);
    to->at[i] = row;
    return 0;
}

/* A line without its comment; 0, or -1 with the error. */
static int take_line(struct allocations *into, const char *path, uint32_t line, char *text,
                     char *error, size_t n_error)
{
    struct allocation row;
    text[strcspn(text, "#\n")] = '\0';
    if (*after_spaces(text) == '\0') {
        return 0;
    }
    if (!take_row(text, &row)) {
        snprintf(error, n_error,
                 "%s:%u: '%.40s' is no allocation; write BASE,BYTES, decimal or 0x..., of at least "
                 "a byte and within 40 bits of address",
                 path, line, text);
        return -1;
    }
    const int fits = insert(into, row);
    if (fits != 0) {
        snprintf(error, n_error,
                 fits < 0 ? "%s:%u: '%.40s' has bytes of an allocation above; write one of the two"
                          : "%s:%u: '%.40s' finds no place; write at most 65536 allocations",
                 path, line, text);
    }
    return fits != 0 ? -1 : 0;
}

int allocations_read(struct allocations *into, const char *path, char *error, size_t n_error)
{
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t n_text = 0;
    int status = 0;
    *into = (struct allocations){0};
    if (file == NULL) {
        snprintf(error, n_error, "%s: %s; give a file with rows BASE,BYTES", path, strerror(errno));
        return -1;
    }
    for (uint32_t line = 1; status == 0 && getline(&text, &n_text, file) >= 0; line++) {
        status = take_line(into, path, line, text, error, n_error);
    }
    if (status == 0 && (ferror(file) || into->n == 0)) {
        snprintf(error, n_error, "%s:1: no allocation can be read; write rows BASE,BYTES", path);
        status = -1;
    }
    free(text);
    fclose(file);
    if (status != 0) {
        allocations_free(into);
    }
    return status;
}

void allocations_free(struct allocations *allocations)
{
    free(allocations->at);
    *allocations = (struct allocations){0};
}
