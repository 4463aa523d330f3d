/* cxxrtl_binding.c - makes a backend of the C++ that Yosys' write_cxxrtl makes of a unit's RTL:
 * another reader of Verilog and another simulator than Verilator, with nothing in common, so
 * that what one of them gets wrong shows.
 *
 * Compiled once per unit and parameter set, with UNIT_TABLE.  Ports and registers are found by
 * name when an instance is made, through the C interface that write_cxxrtl's runtime has: that
 * is the same in Yosys 0.23 and 0.52, the C++ below it is not.  State is seen and loaded. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cxxrtl_capi.h"
#include "tb/random.h"
#include "units/table.h"

#define TEXT_(name) #name
#define TEXT(name) TEXT_(name)

cxxrtl_toplevel cxxrtl_design_create(void);

/* Bits within one 32-bit word of the model, and where they go: byte `at` of slots or state, as
 * bits `shift` and up of what starts there. */
struct piece {
    uint32_t *now, *next; /* next: NULL, or now, or the other half of a register */
    uint32_t mask;        /* of as many low bits */
    uint32_t at;
    unsigned char from, shift;
};

struct pieces {
    struct piece *list;
    size_t n, room;
};

struct instance {
    cxxrtl_handle model;
    struct pieces clk, rst, in, out, state;
    bool high;            /* the clock */
    unsigned char *bytes; /* the state, and a word more: pieces are moved by words of 64 bits */
};

/* Elements of `width` bits, each `stride` bytes after the last. */
struct place {
    size_t at, stride;
    unsigned width, lanes;
};

static bool add_piece(struct pieces *pieces, struct piece piece)
{
    if (pieces->n == pieces->room) {
        const size_t room = 2 * pieces->room + 8;
        struct piece *list = realloc(pieces->list, room * sizeof *list);
        if (list == NULL) {
            return false;
        }
        pieces->list = list;
        pieces->room = room;
    }
    pieces->list[pieces->n++] = piece;
    return true;
}

/* `width` bits that begin at word `first` of an object and are bits `bit` and up of all elements. */
static bool add_bits(struct pieces *pieces, const struct cxxrtl_object *object, size_t first,
                     size_t bit, const struct place *place)
{
    for (size_t done = 0; done < object->width;) {
        const size_t element = (bit + done) / place->width, shift = (bit + done) % place->width;
        const size_t word = first + done / 32, from = done % 32;
        size_t take = 32 - from;
        take = place->width - shift < take ? place->width - shift : take;
        take = object->width - done < take ? object->width - done : take;
        const struct piece piece = {
            object->curr + word,       object->next != NULL ? object->next + word : NULL,
            UINT32_MAX >> (32 - take), (uint32_t)(place->at + element * place->stride),
            (unsigned char)from,       (unsigned char)shift};
        if (element >= place->lanes || !add_piece(pieces, piece)) {
            return false;
        }
        done += take;
    }
    return true;
}

/* All parts of a vector, or all words of a memory; false unless they are as many bits as the
 * table says. */
static bool add_object(struct pieces *pieces, const struct cxxrtl_object *parts, size_t n,
                       const struct place *place)
{
    size_t bits = 0;
    for (size_t i = 0; i < n; i++) {
        const size_t words = (parts[i].width + 31) / 32;
        for (size_t row = 0; row < parts[i].depth; row++) {
            const size_t bit = parts[i].lsb_at - parts[0].lsb_at + row * parts[i].width;
            if (!add_bits(pieces, &parts[i], row * words, bit, place)) {
                return false;
            }
        }
        bits += parts[i].width * parts[i].depth;
    }
    return bits == (size_t)place->width * place->lanes;
}

/* Between two levels a table has ", " or "__DOT__" where cxxrtl has a space, or a dot after
 * a generate block. */
static const char *next_level(const char *name)
{
    if (strncmp(name, "__DOT__", 7) == 0) {
        return name + 7;
    }
    return *name == ',' ? name + 2 : *name == ' ' || *name == '.' ? name + 1 : NULL;
}

/* A bracket of a generate block is __BRA__ or __KET__ in a table. */
static const char *bracket(const char *name, char *sign)
{
    const bool open = strncmp(name, "__BRA__", 7) == 0;
    *sign = open ? '[' : ']';
    return open || strncmp(name, "__KET__", 7) == 0 ? name + 7 : NULL;
}

static bool same_name(const char *a, const char *b)
{
    while (*a != '\0' && *b != '\0') {
        char sign;
        const char *behind = bracket(a, &sign);
        if (behind != NULL) {
            if (*b++ != sign) {
                return false;
            }
            a = behind;
            continue;
        }
        const char *level_a = next_level(a), *level_b = next_level(b);
        if ((level_a == NULL) != (level_b == NULL) || (level_a == NULL && *a != *b)) {
            return false;
        }
        a = level_a != NULL ? level_a : a + 1;
        b = level_b != NULL ? level_b : b + 1;
    }
    return *a == *b;
}

struct wanted {
    const char *name;
    const struct cxxrtl_object *parts;
    size_t n;
};

static void look_at(void *data, const char *name, struct cxxrtl_object *parts, size_t n)
{
    struct wanted *wanted = data;
    if (same_name(wanted->name, name)) {
        wanted->parts = parts;
        wanted->n = n;
    }
}

static bool add_named(struct instance *self, struct pieces *pieces, const char *name,
                      struct place place)
{
    struct wanted wanted = {name, NULL, 0};
    cxxrtl_enum(self->model, &wanted, look_at);
    const bool added = wanted.parts != NULL && add_object(pieces, wanted.parts, wanted.n, &place);
    if (!added) {
        fprintf(stderr, "cxxrtl: %s: %s %s\n", unit_desc.name, name,
                wanted.parts == NULL ? "is not there" : "has not as many bits as in the table");
    }
    return added;
}

static bool add_ports(struct instance *self, struct pieces *pieces, const struct unit_port *ports,
                      unsigned n)
{
    bool added = true;
    for (unsigned i = 0; i < n && added; i++) {
        added = add_named(self, pieces, ports[i].name,
                          (struct place){8 * ports[i].slot, 8, ports[i].width, ports[i].lanes});
    }
    return added;
}

static bool add_state(struct instance *self)
{
    bool added = true;
    for (unsigned i = 0; i < unit_desc.n_state && added; i++) {
        const struct unit_field *field = &unit_desc.state[i];
        added = add_named(
            self, &self->state, field->where,
            (struct place){field->offset_bytes, field->element_bytes, field->width, field->depth});
    }
    return added;
}

static bool add_all(struct instance *self)
{
    const struct place bit = {0, 8, 1, 1};
    const bool clocked = unit_desc.kind == UNIT_SEQUENTIAL;
    return (!clocked || add_named(self, &self->clk, TEXT(UNIT_CLOCK), bit)) &&
           (!clocked || add_named(self, &self->rst, TEXT(UNIT_RESET), bit)) &&
           add_ports(self, &self->in, unit_desc.in, unit_desc.n_in) &&
           add_ports(self, &self->out, unit_desc.out, unit_desc.n_out) && add_state(self);
}

static void set_bits(uint32_t *word, const struct piece *piece, uint32_t bits)
{
    *word = (*word & ~(piece->mask << piece->from)) | bits << piece->from;
}

/* From slots or state into the model. */
static void put(const struct pieces *pieces, const void *bytes)
{
    for (size_t i = 0; i < pieces->n; i++) {
        const struct piece *piece = &pieces->list[i];
        uint64_t value;
        memcpy(&value, (const char *)bytes + piece->at, sizeof value);
        const uint32_t bits = (uint32_t)(value >> piece->shift) & piece->mask;
        set_bits(piece->now, piece, bits);
        if (piece->next != NULL) {
            set_bits(piece->next, piece, bits);
        }
    }
}

/* And back, into bytes that are zero. */
static void get(const struct pieces *pieces, void *bytes)
{
    for (size_t i = 0; i < pieces->n; i++) {
        const struct piece *piece = &pieces->list[i];
        const uint64_t bits = *piece->now >> piece->from & piece->mask;
        uint64_t value;
        memcpy(&value, (char *)bytes + piece->at, sizeof value);
        value |= bits << piece->shift;
        memcpy((char *)bytes + piece->at, &value, sizeof value);
    }
}

static void step(struct instance *self, bool clk, bool rst)
{
    put(&self->clk, &(uint64_t){clk != UNIT_CLOCK_FALLING});
    put(&self->rst, &(uint64_t){rst != UNIT_RESET_LOW});
    self->high = clk;
    cxxrtl_step(self->model);
}

/* A register or a memory gets any bits. */
static void scramble(void *random, const char *name, struct cxxrtl_object *parts, size_t n)
{
    (void)name;
    for (size_t i = 0; i < n; i++) {
        const struct cxxrtl_object *part = &parts[i];
        const size_t words = (part->width + 31) / 32;
        if (part->type != CXXRTL_WIRE && part->type != CXXRTL_MEMORY) {
            continue;
        }
        for (size_t word = 0; word < words * part->depth; word++) {
            const bool last = word % words == words - 1;
            const uint32_t mask = UINT32_MAX >> (last ? 32 * words - part->width : 0);
            part->curr[word] = (uint32_t)tb_random_next(random) & mask;
            if (part->next != NULL) {
                part->next[word] = part->curr[word];
            }
        }
    }
}

static void destroy(void *self_)
{
    struct instance *self = self_;
    cxxrtl_destroy(self->model);
    free(self->clk.list);
    free(self->rst.list);
    free(self->in.list);
    free(self->out.list);
    free(self->state.list);
    free(self->bytes);
    free(self);
}

static void *create(void *context, uint64_t seed)
{
    (void)context;
    struct instance *self = calloc(1, sizeof *self);
    if (self == NULL) {
        return NULL;
    }
    self->model = cxxrtl_create(cxxrtl_design_create());
    self->bytes = malloc(unit_desc.state_bytes + sizeof(uint64_t));
    if (self->bytes == NULL || !add_all(self)) {
        destroy(self);
        return NULL;
    }
    struct tb_random random;
    tb_random_seed(&random, seed);
    cxxrtl_enum(self->model, &random, scramble);
    step(self, false, false);
    return self;
}

static void comb(void *self_, const uint64_t *in, uint64_t *out)
{
    struct instance *self = self_;
    put(&self->in, in);
    step(self, false, false);
    memset(out, 0, unit_desc.out_slots * sizeof *out);
    get(&self->out, out);
}

static void seq(void *self_, const uint64_t *in, bool rst)
{
    struct instance *self = self_;
    if (unit_desc.kind == UNIT_SEQUENTIAL) {
        if (self->high) { /* two edges without comb between them */
            step(self, false, rst);
        }
        put(&self->in, in);
        step(self, true, rst);
    }
}

static const void *state(void *self_)
{
    struct instance *self = self_;
    memset(self->bytes, 0, unit_desc.state_bytes);
    get(&self->state, self->bytes);
    return self->bytes;
}

static void load(void *self_, const void *from)
{
    struct instance *self = self_;
    memcpy(self->bytes, from, unit_desc.state_bytes);
    put(&self->state, self->bytes);
    step(self, false, false);
}

const struct unit_backend *unit_backend(void);
__attribute__((visibility("default"))) const struct unit_backend *unit_backend(void)
{
    static const struct unit_backend backend = {&unit_desc, "cxxrtl", NULL,  create, destroy,
                                                comb,       seq,      state, load};
    return &backend;
}
