/* sass_opcodes.c - see sass_opcodes.h. */
#include "sass/sass_opcodes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sass/sass_input.h"
#include "sass/sass_scan_text.h"

/* cmodel/sass/opcodes.csv, part of the program. */
extern const char _binary_cmodel_sass_opcodes_csv_start[], _binary_cmodel_sass_opcodes_csv_end[];

enum { NAME_BYTES = 32, MAX_ROWS = 1 << 16 };

struct row {
    char name[NAME_BYTES];
    uint32_t order, versions; /* later rows hold; a bit each */
    enum sass_class class;
};

struct sass_opcodes {
    struct row *row; /* by name, the latest first */
    uint32_t n, max;
};

static const char *const CLASS_NAMES[] = {
#define C(name, pipe, access, space) #name,
    SASS_CLASSES(C)
#undef C
};

static const uint32_t VERSIONS[SASS_VERSIONS] = {35, 60, 70, 75, 80, 89, 90, 100, 120};

const char *sass_class_name(enum sass_class class)
{
    return CLASS_NAMES[class];
}

static int exact_version(uint64_t version)
{
    for (int v = 0; v < SASS_VERSIONS; v++) {
        if (VERSIONS[v] == version) {
            return v;
        }
    }
    return -1;
}

int sass_opcodes_version(uint32_t binary_version)
{
    /* Chips without a table of their own, and the one whose instructions they have. */
    static const uint32_t LIKE[][2] = {{37, 35}, {50, 60},   {52, 60},  {53, 60},
                                       {61, 60}, {62, 60},   {72, 70},  {86, 80},
                                       {87, 80}, {103, 100}, {121, 120}};

    for (size_t l = 0; l < sizeof LIKE / sizeof LIKE[0]; l++) {
        if (LIKE[l][0] == binary_version) {
            return exact_version(LIKE[l][1]);
        }
    }
    return exact_version(binary_version);
}

uint32_t sass_opcodes_step(uint32_t version)
{
    return VERSIONS[version] < 70 ? 8 : 16;
}

/* ---- reading ---- */

static int take_name(struct sass_input *in, const char *at, const char *comma, struct row *row)
{
    size_t n = (size_t)(comma - at);

    if (n == 0 || n >= NAME_BYTES) {
        return sass_fail(in, "'%s' is no opcode of 1 to %d letters", sass_quote(at, comma).text,
                         NAME_BYTES - 1);
    }
    for (const char *c = at; c < comma; c++) {
        if (!(*c >= 'A' && *c <= 'Z') && !(*c >= '0' && *c <= '9') && *c != '_') {
            return sass_fail(in, "'%s' is no opcode: write A to Z, 0 to 9 and _, no suffixes",
                             sass_quote(at, comma).text);
        }
    }
    memcpy(row->name, at, n);
    return 0;
}

static int take_class(struct sass_input *in, const char *at, const char *comma, struct row *row)
{
    for (uint32_t c = 0; c < SASS_CLASS_COUNT; c++) {
        if (strlen(CLASS_NAMES[c]) == (size_t)(comma - at) &&
            memcmp(CLASS_NAMES[c], at, (size_t)(comma - at)) == 0) {
            row->class = (enum sass_class)c;
            return 0;
        }
    }
    return sass_fail(in, "'%s' is no class; `warplock trace classes` lists them",
                     sass_quote(at, comma).text);
}

static int take_versions(struct sass_input *in, const char *at, const char *to, struct row *row)
{
    while ((at = scan_blanks(at, to)) < to) {
        const char *from = at;
        uint64_t value;
        int v = scan_decimal(&at, to, &value) && scan_stops(at, to) ? exact_version(value) : -1;

        if (v < 0) {
            return sass_fail(in,
                             "'%s' is no binary version with a table: 35, 60, 70, 75, 80, 89, 90, "
                             "100, 120",
                             sass_quote(from, to).text);
        }
        row->versions |= UINT32_C(1) << v;
    }
    return row->versions ? 0 : sass_fail(in, "the row names no binary version");
}

static int take_row(struct sass_opcodes *opcodes, struct sass_input *in, const char *from,
                    const char *to)
{
    const char *first = memchr(from, ',', (size_t)(to - from));
    const char *second = first ? memchr(first + 1, ',', (size_t)(to - first - 1)) : NULL;
    struct row row = {.order = opcodes->n};

    if (!second) {
        return sass_fail(in, "'%s' is not 'OPCODE,CLASS,version version ...'",
                         sass_quote(from, to).text);
    }
    if (take_name(in, from, first, &row) != 0 || take_class(in, first + 1, second, &row) != 0 ||
        take_versions(in, second + 1, to, &row) != 0) {
        return -1;
    }
    if (opcodes->n == MAX_ROWS) {
        return sass_fail(in, "more than %d rows", MAX_ROWS);
    }
    if (opcodes->n == opcodes->max) {
        uint32_t max = opcodes->max ? 2 * opcodes->max : 512;
        struct row *more = realloc(opcodes->row, max * sizeof *more);

        if (!more) {
            return sass_fail(in, "out of memory for the table of opcodes");
        }
        opcodes->row = more;
        opcodes->max = max;
    }
    opcodes->row[opcodes->n++] = row;
    return 0;
}

static int by_name(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    int names = strcmp(x->name, y->name);

    return names ? names : x->order < y->order ? 1 : -1;
}

static int take_rows(struct sass_opcodes *opcodes, struct sass_input *in)
{
    const char *from, *to;
    int more;

    while ((more = sass_input_line(in, &from, &to)) > 0) {
        if (from == to || *from == '#') {
            continue;
        }
        if (sass_check_text(in, from, to) != 0 || take_row(opcodes, in, from, to) != 0) {
            return -1;
        }
    }
    qsort(opcodes->row, opcodes->n, sizeof *opcodes->row, by_name);
    for (uint32_t r = 0; r < opcodes->n; r++) {
        opcodes->row[r].order = opcodes->n - r; /* as sorted: those added later get higher ones */
    }
    return more;
}

struct sass_opcodes *sass_opcodes_new(void)
{
    const size_t n = (size_t)(_binary_cmodel_sass_opcodes_csv_end -
                              _binary_cmodel_sass_opcodes_csv_start);
    struct sass_opcodes *opcodes = calloc(1, sizeof *opcodes);
    struct sass_input in;
    char error[256];

    if (opcodes && (sass_input_memory(&in, "opcodes.csv", _binary_cmodel_sass_opcodes_csv_start, n,
                                      error, sizeof error) != 0 ||
                    take_rows(opcodes, &in) != 0)) {
        sass_opcodes_free(opcodes);
        opcodes = NULL;
    }
    if (opcodes) {
        sass_input_close(&in);
    }
    return opcodes;
}

void sass_opcodes_free(struct sass_opcodes *opcodes)
{
    if (opcodes) {
        free(opcodes->row);
    }
    free(opcodes);
}

int sass_opcodes_add(struct sass_opcodes *opcodes, const char *path, char *error, size_t n_error)
{
    struct sass_input in;
    char name[SASS_PATH];
    int result = -1;

    if (strlen(path) >= sizeof name) {
        snprintf(error, n_error, "%.40s...:1: the path is longer than %d bytes", path, SASS_PATH);
        return -1;
    }
    strcpy(name, path);
    if (sass_input_open(&in, name, error, n_error) == 0) {
        result = take_rows(opcodes, &in);
    }
    sass_input_close(&in);
    return result;
}

/* ---- looking up ---- */

static int compare(const struct row *row, const char *name, size_t n)
{
    int first = strncmp(row->name, name, n);

    return first ? first : row->name[n] != '\0';
}

int sass_opcodes_find(const struct sass_opcodes *opcodes, const char *name, size_t n,
                      uint32_t version, enum sass_class *class)
{
    uint32_t low = 0, high = opcodes->n, newest = 0;
    int found = -1;

    while (n > 0 && n < NAME_BYTES && low < high) { /* the first row of that name */
        uint32_t middle = low + (high - low) / 2;

        if (compare(&opcodes->row[middle], name, n) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    for (; n > 0 && n < NAME_BYTES && low < opcodes->n && compare(&opcodes->row[low], name, n) == 0;
         low++) {
        const struct row *row = &opcodes->row[low];

        if (row->versions >> version & 1) {
            *class = row->class;
            return 1;
        }
        if (row->versions > newest) {
            newest = row->versions;
            *class = row->class;
            found = 0;
        }
    }
    return found;
}
