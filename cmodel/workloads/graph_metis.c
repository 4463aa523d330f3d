/* graph_metis.c - graphs from METIS files, in which the inputs of Lakshminarayana 2014 section 6.3 are
 * distributed: a header, then a line for each vertex that lists its neighbours.
 *
 * Every edge stands in the lists of both its ends; weights of vertices are read over.  Memory grows
 * with the text, never with the header's word.  Knows nothing of generators and workloads.
 */
#include "workloads/graph_metis.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST_WEIGHTS = 64 }; /* of a vertex */

struct metis {
    const char *name;
    const char *at, *end;    /* text that is left */
    const char *word, *stop; /* of the line at hand */
    uint32_t line, n_vertices, n_links;
    bool sizes, edge_weights;
    uint32_t vertex_weights;
    uint64_t upwards, downwards; /* sums over the links that the lower, the higher end lists */
    struct graph_error *error;
};

__attribute__((format(printf, 2, 3))) static bool refuse(struct metis *m, const char *format, ...)
{
    int used = snprintf(m->error->text, sizeof m->error->text, "%.100s:%u: ", m->name, m->line);
    va_list args;
    va_start(args, format);
    vsnprintf(m->error->text + used, sizeof m->error->text - (size_t)used, format, args);
    va_end(args);
    return false;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

static bool has_word(struct metis *m)
{
    while (m->word < m->stop && is_blank(*m->word)) {
        m->word++;
    }
    return m->word < m->stop;
}

/* The next line that is no comment, empty ones too; false at the end of the text. */
static bool next_line(struct metis *m)
{
    while (m->at < m->end) {
        const char *stop = memchr(m->at, '\n', (size_t)(m->end - m->at));
        m->word = m->at;
        m->stop = stop ? stop : m->end;
        m->at = stop ? stop + 1 : m->end;
        m->line++;
        if (!has_word(m) || *m->word != '%') {
            return true;
        }
    }
    return false;
}

static bool take(struct metis *m, const char *what, uint32_t least, uint32_t most, uint32_t *value)
{
    if (!has_word(m)) {
        return refuse(m, "%s is missing; write a whole number from %u to %u", what, least, most);
    }
    const char *start = m->word;
    uint64_t sum = 0;
    bool digits = true;
    for (; m->word < m->stop && !is_blank(*m->word); m->word++) {
        const bool digit = *m->word >= '0' && *m->word <= '9';
        digits = digits && digit;
        sum = digit && sum <= most ? 10 * sum + (uint64_t)(*m->word - '0') : sum;
    }
    if (!digits || sum < least || sum > most) {
        const int shown = m->word - start > 40 ? 40 : (int)(m->word - start);
        return refuse(m, "%s is '%.*s'; write a whole number from %u to %u", what, shown, start,
                      least, most);
    }
    *value = (uint32_t)sum;
    return true;
}

static bool header(struct metis *m, uint32_t max_vertices, uint32_t max_edges)
{
    uint32_t format = 0, weights = 0;
    do {
        if (!next_line(m)) {
            return refuse(m, "no header; write 'vertices edges'");
        }
    } while (!has_word(m));
    if (!take(m, "the number of vertices", 1, max_vertices, &m->n_vertices) ||
        !take(m, "the number of edges", 0, max_edges / 2, &m->n_links) ||
        (has_word(m) && !take(m, "the format", 0, 111, &format)) ||
        (has_word(m) && !take(m, "the number of vertex weights", 0, MOST_WEIGHTS, &weights))) {
        return false;
    }
    const uint32_t tens = format / 10 % 10;
    if (format % 10 > 1 || tens > 1 || has_word(m)) {
        return refuse(m,
                      "the header is no METIS one; write 'vertices edges format weights', format "
                      "of three digits 0 or 1");
    }
    m->edge_weights = format % 10 == 1;
    m->sizes = format >= 100;
    m->vertex_weights = tens == 0 ? 0 : weights != 0 ? weights : 1;
    return true;
}

/* Different links have different sums, but for a chance of one in 2^64. */
static uint64_t mixed(uint32_t low, uint32_t high)
{
    uint64_t z = ((uint64_t)low << 32 | high) + UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

static bool neighbour(struct metis *m, uint32_t from, struct graph_edges *edges)
{
    uint32_t to, weight = 1;
    if (!take(m, "a neighbour", 1, m->n_vertices, &to) ||
        (m->edge_weights && !take(m, "the weight of an edge", 0, UINT32_MAX - 1, &weight))) {
        return false;
    }
    to--;
    if (to == from) {
        return refuse(m, "vertex %u is its own neighbour; remove it from the line", from + 1);
    }
    if (edges->count == 2 * (size_t)m->n_links) {
        return refuse(m, "more edges than the %u of the header; remove them or correct the header",
                      m->n_links);
    }
    *(from < to ? &m->upwards : &m->downwards) += from < to ? mixed(from, to) : mixed(to, from);
    return graph_edges_add(edges, from, to, weight) || refuse(m, "no memory; use a smaller graph");
}

static bool vertex(struct metis *m, uint32_t from, struct graph_edges *edges)
{
    uint32_t ignored;
    if (!next_line(m)) {
        return refuse(m, "the file ends after %u of %u vertices; complete it or correct the header",
                      from, m->n_vertices);
    }
    for (uint32_t k = 0; k < m->vertex_weights + m->sizes; k++) {
        if (!take(m, "the weight of a vertex", 0, UINT32_MAX - 1, &ignored)) {
            return false;
        }
    }
    while (has_word(m)) {
        if (!neighbour(m, from, edges)) {
            return false;
        }
    }
    return true;
}

/* After the last vertex. */
static bool complete(struct metis *m, const struct graph_edges *edges)
{
    while (next_line(m)) {
        if (has_word(m)) {
            return refuse(m, "a line for vertex %u of %u; remove it or correct the header",
                          m->n_vertices + 1, m->n_vertices);
        }
    }
    if (edges->count != 2 * (size_t)m->n_links) {
        return refuse(m,
                      "%zu ends of edges, not two for each of the %u of the header; complete the "
                      "lists or correct the header",
                      edges->count, m->n_links);
    }
    if (m->upwards != m->downwards) {
        return refuse(m, "an edge stands in the list of one of its ends only; write it into both");
    }
    return true;
}

bool graph_metis_read(const char *name, const char *text, size_t bytes, uint32_t max_vertices,
                      uint32_t max_edges, uint32_t *n_vertices, struct graph_edges *edges,
                      struct graph_error *error)
{
    struct metis m = {.name = name, .at = text, .end = text + bytes, .error = error};
    bool ok = header(&m, max_vertices, max_edges);
    for (uint32_t v = 0; ok && v < m.n_vertices; v++) {
        ok = vertex(&m, v, edges);
    }
    *n_vertices = m.n_vertices;
    return ok && complete(&m, edges);
}
