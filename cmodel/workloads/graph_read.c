/* graph_read.c - graphs from Matrix Market and DIMACS files; those of METIS go to graph_metis.c.
 *
 * Serves the inputs of Lakshminarayana 2014 sections 6.2 and 6.3.  The text is
 * taken line by line; what a file promises in its header is checked against what
 * it holds, and memory grows with the lines read, never with the header's word.
 * Knows nothing of generators and workloads.
 */
#include "workloads/graph_metis.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TOKENS = 6, MAX_NUMBER_CHARS = 63 };

struct token {
    const char *text;
    size_t length;
};

struct reader {
    const char *name;
    const char *at, *end;
    uint32_t line;
    struct token token[MAX_TOKENS + 1]; /* of the current line; one more to see excess */
    size_t n_tokens;
    uint32_t max_vertices, max_edges;
    uint32_t n_vertices;
    uint32_t promised; /* edge lines by the header */
    uint32_t seen;     /* edge lines so far */
    struct graph_edges edges;
    struct graph_error *error;
};

__attribute__((format(printf, 2, 3))) static bool refuse(struct reader *r, const char *format, ...)
{
    int used = snprintf(r->error->text, sizeof r->error->text, "%.100s:%u: ", r->name, r->line);
    va_list args;
    va_start(args, format);
    vsnprintf(r->error->text + used, sizeof r->error->text - (size_t)used, format, args);
    va_end(args);
    return false;
}

/* How much of a token a message shows. */
static int shown(const struct token *token)
{
    return (int)(token->length > 40 ? 40 : token->length);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

/* Splits the next line into tokens; false at the end of the text. */
static bool next_line(struct reader *r)
{
    if (r->at == r->end) {
        return false;
    }
    const char *stop = memchr(r->at, '\n', (size_t)(r->end - r->at));
    const char *line_end = stop ? stop : r->end;
    r->line++;
    r->n_tokens = 0;
    const char *p = r->at;
    while (r->n_tokens <= MAX_TOKENS) {
        while (p < line_end && is_blank(*p)) {
            p++;
        }
        if (p == line_end) {
            break;
        }
        const char *start = p;
        while (p < line_end && !is_blank(*p)) {
            p++;
        }
        r->token[r->n_tokens++] = (struct token){start, (size_t)(p - start)};
    }
    r->at = stop ? stop + 1 : r->end;
    return true;
}

/* The next line that is neither empty nor starts with the comment token. */
static bool next_content(struct reader *r, char comment, bool whole_token)
{
    while (next_line(r)) {
        if (r->n_tokens == 0) {
            continue;
        }
        const struct token *first = &r->token[0];
        if (first->text[0] == comment && (!whole_token || first->length == 1)) {
            continue;
        }
        return true;
    }
    return false;
}

static bool same_word(const struct token *token, const char *word)
{
    if (token->length != strlen(word)) {
        return false;
    }
    for (size_t i = 0; i < token->length; i++) {
        char c = token->text[i];
        char lower = (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
        if (lower != word[i]) {
            return false;
        }
    }
    return true;
}

/* A decimal number without sign from 0 to `most`. */
static bool take_count(struct reader *r, size_t index, const char *what, uint32_t least,
                       uint32_t most, uint32_t *value)
{
    const struct token *token = &r->token[index];
    uint64_t sum = 0;
    bool digits = true;
    for (size_t i = 0; digits && i < token->length && sum <= most; i++) {
        char c = token->text[i];
        digits = c >= '0' && c <= '9';
        sum = 10 * sum + (uint64_t)(digits ? c - '0' : 0);
    }
    if (!digits || sum < least || sum > most) {
        return refuse(r, "%s is '%.*s'; write a whole number from %u to %u", what, shown(token),
                      token->text, least, most);
    }
    *value = (uint32_t)sum;
    return true;
}

static bool take_real(struct reader *r, size_t index, bool whole, double *value)
{
    const struct token *token = &r->token[index];
    char text[MAX_NUMBER_CHARS + 1] = "";
    char *stop = text;
    if (token->length <= MAX_NUMBER_CHARS) {
        memcpy(text, token->text, token->length);
        *value = strtod(text, &stop);
    }
    bool all = token->length <= MAX_NUMBER_CHARS && stop == text + token->length;
    if (!all || !isfinite(*value) || (whole && (*value != floor(*value)))) {
        return refuse(r, "the value is '%.*s'; write a finite %s", shown(token), token->text,
                      whole ? "whole number" : "number");
    }
    return true;
}

static bool want_tokens(struct reader *r, size_t count, const char *layout)
{
    if (r->n_tokens == count) {
        return true;
    }
    return refuse(r, "the line has %s words than needed; write '%s'",
                  r->n_tokens < count ? "fewer" : "more", layout);
}

/* Counts one edge line against the header and appends its edge and, if wanted,
 * the mirrored one. */
static bool add_edge(struct reader *r, uint32_t from, uint32_t to, double value, bool mirror,
                     double mirrored_value)
{
    bool ok = graph_edges_add(&r->edges, from, to, value);
    if (ok && mirror && from != to) {
        ok = graph_edges_add(&r->edges, to, from, mirrored_value);
    }
    if (!ok || r->edges.count > r->max_edges) {
        return refuse(r, "more than %u edges or no memory; use a smaller graph", r->max_edges);
    }
    r->seen++;
    return true;
}

static bool check_count(struct reader *r)
{
    if (r->seen == r->promised) {
        return true;
    }
    return refuse(r,
                  "the file ends after %u of %u promised edges; complete it or correct the "
                  "header",
                  r->seen, r->promised);
}

static bool room_for_edge(struct reader *r)
{
    if (r->seen < r->promised) {
        return true;
    }
    return refuse(r, "more edges than the %u of the header; remove lines or correct the header",
                  r->promised);
}

/* ---- Matrix Market -------------------------------------------------------- */

struct market {
    bool pattern, integer;
    bool symmetric, skew;
};

static bool market_banner(struct reader *r, struct market *m)
{
    if (!want_tokens(r, 5, "%%MatrixMarket matrix coordinate real general")) {
        return false;
    }
    if (!same_word(&r->token[1], "matrix") || !same_word(&r->token[2], "coordinate")) {
        return refuse(r, "only 'matrix coordinate' files hold graphs; convert the file to "
                         "coordinate form");
    }
    m->pattern = same_word(&r->token[3], "pattern");
    m->integer = same_word(&r->token[3], "integer");
    if (!m->pattern && !m->integer && !same_word(&r->token[3], "real")) {
        return refuse(r, "the field '%.*s' is not supported; use real, integer or pattern",
                      shown(&r->token[3]), r->token[3].text);
    }
    m->skew = same_word(&r->token[4], "skew-symmetric");
    m->symmetric = m->skew || same_word(&r->token[4], "symmetric");
    if (!m->symmetric && !same_word(&r->token[4], "general")) {
        return refuse(r,
                      "the symmetry '%.*s' is not supported; use general, symmetric or "
                      "skew-symmetric",
                      shown(&r->token[4]), r->token[4].text);
    }
    if (m->skew && m->pattern) {
        return refuse(r, "a pattern has no signs, so it cannot be skew-symmetric; use symmetric");
    }
    return true;
}

static bool market_size(struct reader *r)
{
    uint32_t columns;
    if (!next_content(r, '%', false)) {
        return refuse(r, "the size line is missing; write 'rows columns entries'");
    }
    if (!want_tokens(r, 3, "rows columns entries") ||
        !take_count(r, 0, "the number of rows", 1, r->max_vertices, &r->n_vertices) ||
        !take_count(r, 1, "the number of columns", 1, r->max_vertices, &columns) ||
        !take_count(r, 2, "the number of entries", 0, r->max_edges, &r->promised)) {
        return false;
    }
    if (columns != r->n_vertices) {
        return refuse(r, "a matrix of %u x %u is no graph; use a square matrix", r->n_vertices,
                      columns);
    }
    return true;
}

static bool market_entry(struct reader *r, const struct market *m)
{
    uint32_t row, column;
    double value = 1.0;
    if (!room_for_edge(r) ||
        !want_tokens(r, m->pattern ? 2 : 3, m->pattern ? "row column" : "row column value") ||
        !take_count(r, 0, "the row", 1, r->n_vertices, &row) ||
        !take_count(r, 1, "the column", 1, r->n_vertices, &column) ||
        (!m->pattern && !take_real(r, 2, m->integer, &value))) {
        return false;
    }
    if (m->symmetric && column > row) {
        return refuse(r, "entry above the diagonal of a symmetric matrix; list the lower triangle "
                         "only");
    }
    if (m->skew && column == row) {
        return refuse(r, "the diagonal of a skew-symmetric matrix is zero; remove the entry");
    }
    return add_edge(r, row - 1, column - 1, value, m->symmetric, m->skew ? -value : value);
}

static bool read_market(struct reader *r)
{
    struct market m = {0};
    if (!market_banner(r, &m) || !market_size(r)) {
        return false;
    }
    while (next_content(r, '%', false)) {
        if (!market_entry(r, &m)) {
            return false;
        }
    }
    return check_count(r);
}

/* ---- DIMACS --------------------------------------------------------------- */

static bool dimacs_header(struct reader *r, bool *colouring)
{
    if (!next_content(r, 'c', true) || !same_word(&r->token[0], "p")) {
        return refuse(r, "no problem line before the first edge; write 'p sp vertices edges' or "
                         "'p edge vertices edges'");
    }
    if (!want_tokens(r, 4, "p sp|edge vertices edges")) {
        return false;
    }
    *colouring = same_word(&r->token[1], "edge") || same_word(&r->token[1], "col");
    if (!*colouring && !same_word(&r->token[1], "sp")) {
        return refuse(r,
                      "the problem '%.*s' is not supported; use sp (shortest path) or edge "
                      "(colouring)",
                      shown(&r->token[1]), r->token[1].text);
    }
    return take_count(r, 2, "the number of vertices", 1, r->max_vertices, &r->n_vertices) &&
           take_count(r, 3, "the number of edges", 0, r->max_edges, &r->promised);
}

static bool dimacs_edge(struct reader *r, bool colouring)
{
    const char *layout = colouring ? "e vertex vertex" : "a from to weight";
    uint32_t from, to;
    double value = 1.0;
    if (!same_word(&r->token[0], colouring ? "e" : "a")) {
        return refuse(r, "unknown line type '%.*s'; write '%s'", shown(&r->token[0]),
                      r->token[0].text, layout);
    }
    if (!room_for_edge(r) || !want_tokens(r, colouring ? 3 : 4, layout) ||
        !take_count(r, 1, "the first vertex", 1, r->n_vertices, &from) ||
        !take_count(r, 2, "the second vertex", 1, r->n_vertices, &to) ||
        (!colouring && !take_real(r, 3, true, &value))) {
        return false;
    }
    return add_edge(r, from - 1, to - 1, value, colouring, value);
}

static bool read_dimacs(struct reader *r, unsigned *shape)
{
    bool colouring = false;
    if (!dimacs_header(r, &colouring)) {
        return false;
    }
    /* Colouring files often list an edge in both directions already. */
    *shape = colouring ? GRAPH_NO_DUPLICATES : GRAPH_AS_GIVEN;
    while (next_content(r, 'c', true)) {
        if (!dimacs_edge(r, colouring)) {
            return false;
        }
    }
    return check_count(r);
}

/* ---- entry points --------------------------------------------------------- */

static bool read_any(struct reader *r, unsigned *shape)
{
    static const char banner[] = "%%MatrixMarket";
    struct reader start = *r;
    while (next_line(r) && r->n_tokens == 0) {
    }
    if (r->n_tokens == 0) {
        return refuse(r, "the file is empty; give a Matrix Market, DIMACS or METIS graph");
    }
    const struct token *first = &r->token[0];
    if (first->length == sizeof banner - 1 && memcmp(first->text, banner, first->length) == 0) {
        return read_market(r);
    }
    if (same_word(first, "c") || same_word(first, "p")) {
        *r = start;
        return read_dimacs(r, shape);
    }
    if (first->text[0] == '%' || (first->text[0] >= '0' && first->text[0] <= '9')) {
        return graph_metis_read(start.name, start.at, (size_t)(start.end - start.at),
                                start.max_vertices, start.max_edges, &r->n_vertices, &r->edges,
                                r->error);
    }
    return refuse(r, "neither Matrix Market ('%%%%MatrixMarket ...') nor DIMACS ('c' or 'p' line) "
                     "nor METIS ('vertices edges'); convert the file");
}

bool graph_read_text(struct graph *graph, const char *name, const char *text, size_t bytes,
                     uint32_t max_vertices, uint32_t max_edges, struct graph_error *error)
{
    struct reader r = {.name = name,
                       .at = text,
                       .end = text + bytes,
                       .error = error,
                       .max_vertices = max_vertices,
                       .max_edges = max_edges};
    unsigned shape = GRAPH_AS_GIVEN;
    *graph = (struct graph){0};
    bool ok = read_any(&r, &shape) && graph_build(graph, r.n_vertices, &r.edges, shape, error);
    graph_edges_free(&r.edges);
    return ok;
}
