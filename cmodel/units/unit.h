/* unit.h - the contract between a hardware unit and everything that uses it.
 *
 * A unit is described by one table (`<unit>.ports.h`) and implemented by
 * backends: the C model, the Verilated RTL, the Verilated netlist, and pairs of
 * those in lockstep.  All are reached through `struct unit_backend`; a vector
 * player, a random tester and the simulator are the same loop over it.
 *
 * One step is:  comb(inputs) -> outputs,  then  seq(inputs): the clock edge.
 * `comb` changes no state and may be called any number of times per step.
 *
 * Ports travel as 64-bit slots, one per scalar and one per element of an array
 * port (in Verilog a flat vector, element 0 lowest).  Values fit their width:
 * the caller masks inputs, the backend masks outputs.
 * State travels as the table's `struct state`: fields of 1, 2, 4 or 8 bytes by
 * width, arrays element by element, so that two sides are compared by memcmp.
 */
#ifndef WARPLOCK_UNITS_UNIT_H
#define WARPLOCK_UNITS_UNIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum unit_kind { UNIT_COMBINATIONAL, UNIT_SEQUENTIAL };

/* How random stimulus draws an input. */
enum unit_draw {
    UNIT_DRAW_ANY,    /* uniform, with corners (0, all ones, one bit) mixed in */
    UNIT_DRAW_FEW,    /* one of `arg` values that stay the same until the next reset, seldom a
                         value one bit apart from one of them */
    UNIT_DRAW_RARE,   /* 0, but once in `arg` steps a random non-zero value */
    UNIT_DRAW_MOSTLY, /* non-zero, but once in `arg` steps 0 */
    UNIT_DRAW_BELOW   /* uniform in 0 .. arg-1, seldom any */
};

struct unit_param {
    const char *name;
    int64_t value;           /* of this variant */
    int64_t standard;        /* the table's default: the document's choice */
    int64_t least, greatest; /* legal range */
    bool power_of_two;
    const char *doc;
};

/* A condition between parameters that this variant does or does not meet. */
struct unit_condition {
    bool met;
    const char *words;
};

struct unit_port {
    const char *name;
    unsigned width; /* bits per element, 1..64 */
    unsigned lanes; /* elements; 1 for a scalar */
    bool is_array;
    unsigned slot;     /* first slot of this port */
    bool registered;   /* outputs: a function of state alone */
    bool event;        /* outputs: counted */
    const char *guard; /* outputs: compared only while this output is non-zero, or "ALWAYS" */
    enum unit_draw draw;
    int64_t draw_arg;
    const char *doc;
};

/* While `valid` was 1 and `ready` 0 in the last step, `port` keeps its value. */
struct unit_held {
    const char *port, *valid, *ready;
};

/* A request is taken in a step in which `request` and `ready` ("ALWAYS": no ready) are 1, and
 * never sooner than `interval_cycles` after the last one.  `answer` belongs to the request that was
 * taken `latency_cycles` steps before, and is 0 where there was none.  "NONE": no answer; what the
 * request does is done so many steps after.  Of requests in one step, that of the earlier row takes
 * effect first. */
struct unit_timing {
    const char *request, *ready, *answer;
    unsigned latency_cycles; /* 0: in the same step */
    unsigned interval_cycles;
};

struct unit_field {
    const char *name;
    unsigned width; /* bits per element, 1..64 */
    unsigned depth; /* elements */
    size_t offset_bytes;
    size_t element_bytes;
    bool claimed;      /* counts as storage of the document's cost claim */
    bool paced;        /* each form moves it at its own pace: what answers requests is none of it */
    const char *guard; /* element compared only where this field's element (or bit) is set */
    const char *where; /* name in the RTL */
    const char *doc;
};

/* The name of one value of a port or field. */
struct unit_enum {
    const char *of, *name;
    uint64_t value;
};

struct unit_desc {
    const char *name;
    enum unit_kind kind;
    const char *title, *source;
    const struct unit_param *params;
    unsigned n_params;
    const struct unit_condition *conditions;
    unsigned n_conditions;
    const struct unit_port *in;
    unsigned n_in, in_slots;
    const struct unit_port *out;
    unsigned n_out, out_slots;
    const struct unit_field *state;
    unsigned n_state;
    size_t state_bytes;
    const struct unit_held *held;
    unsigned n_held;
    const struct unit_timing *timings;
    unsigned n_timings;
    const struct unit_enum *enums;
    unsigned n_enums;
};

struct unit_backend {
    const struct unit_desc *desc;
    const char *name; /* "c", "rtl", "netlist", or "a+b" for a pair in lockstep */
    void *context;    /* handed to create; NULL for a leaf backend */
    /* A new instance with arbitrary state drawn from `seed`: nothing is defined
     * before the first edge with rst.  NULL when memory is out. */
    void *(*create)(void *context, uint64_t seed);
    void (*destroy)(void *self);
    void (*comb)(void *self, const uint64_t *in, uint64_t *out);
    void (*seq)(void *self, const uint64_t *in, bool rst);
    /* The state as `struct state`, valid until the next call; NULL function when
     * this backend has no state view (a netlist). */
    const void *(*state)(void *self);
    /* Put the instance into `state`, as if steps had led there; outputs follow with the
     * next comb.  Takes as long as create.  NULL function where state is NULL. */
    void (*load)(void *self, const void *state);
};

/* The one symbol of a backend's shared object. */
const struct unit_backend *unit_backend(void);

#ifdef __cplusplus
}
#endif
#endif
