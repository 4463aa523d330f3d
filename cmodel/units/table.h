/* table.h - expands a unit's table into C types and its description.
 *
 * Include with UNIT_TABLE set to the table's path.  Yields, for this unit:
 *   constants        one per PARAM (from -DUNIT_SET_<name>=value), DERIVED, ENUM
 *   struct in, out   uint64_t per scalar, uint64_t [lanes] per array
 *   struct state     uint8_t .. uint64_t per field, by width
 *   unit_desc        the static const struct unit_desc
 * Shared by the C model, the Verilator binding and the stimulus.  Rows:
 *
 *   UNIT(name, COMBINATIONAL | SEQUENTIAL, title, source)
 *   PARAM(name, standard, least, greatest, doc)      PARAM_POW2(...): a power of two
 *   DERIVED(name, expression)                        REQUIRE(condition, words)
 *   IN(name, width, draw, doc)                       IN_ARRAY(name, width, lanes, draw, doc)
 *   OUT(name, width, COMB | REG, guard, doc)         OUT_ARRAY(name, width, lanes, ...)
 *   EVENT(name, COMB | REG, doc)                     HELD(port, valid, ready)
 *   TIMING(request, ready | ALWAYS, answer | NONE, latency_cycles, interval_cycles)
 *   STATE(name, width, at, CLAIMED | EXTRA | PACED, doc)
 *   STATE_ARRAY(name, width, depth, at, CLAIMED | EXTRA | PACED, guard, doc)
 *   ENUM(of, name, value)
 *   CLOCK(port, RISING | FALLING)                    RESET(port, HIGH | LOW, SYNCHRONOUS | ASYNCHRONOUS)
 *
 * Without CLOCK and RESET these are clk, rising, and rst, high and synchronous.
 * A row may stand under #if on UNIT_SET_<parameter>, for what exists only then.
 * draw: ANY FEW(n) RARE(n) MOSTLY(n) BELOW(n).  guard: ALWAYS or a name; of
 * state also UNRESET: no reset defines it, and it is compared by what it shows at the outputs.
 * PACED: EXTRA, and in each form of the unit (ONE_CYCLE) it moves at a pace of its own; of two forms
 * it is not compared (tb/forms.h).
 * at: AT(register) or AT(instance, register), where the field sits in the RTL: an instance in
 * another, or in a generate block, is outer__DOT__inner, and a word of a memory several elements.
 */
#include <stddef.h>
#include <stdint.h>

#include "units/unit.h"

/* The narrowest unsigned type that holds `w` bits: Verilator's choice as well. */
#ifdef __cplusplus
#include <type_traits>
template <unsigned W>
using unit_word = std::conditional_t<
    W <= 8, uint8_t,
    std::conditional_t<W <= 16, uint16_t, std::conditional_t<W <= 32, uint32_t, uint64_t>>>;
#define UNIT_WORD(w) unit_word<(w)>
#else
#define UNIT_WORD(w) \
    __typeof__(__builtin_choose_expr( \
        (w) <= 8, (uint8_t)0, \
        __builtin_choose_expr((w) <= 16, (uint16_t)0, \
                              __builtin_choose_expr((w) <= 32, (uint32_t)0, (uint64_t)0))))
#endif

/* Constants: one enumeration, so that they compare with each other. */
#include "units/no_rows.h"
#undef PARAM
#undef PARAM_POW2
#undef DERIVED
#undef ENUM
#define PARAM(name, standard, least, greatest, doc) name = UNIT_SET_##name,
#define PARAM_POW2(name, standard, least, greatest, doc) name = UNIT_SET_##name,
#define DERIVED(name, expression) name = (expression),
#define ENUM(of, name, value) of##_##name = (value),
enum {
#include UNIT_TABLE
    UNIT_CONSTANTS_END
};

/* Types.  The last member makes the type complete for a unit without any row. */
#include "units/no_rows.h"
#undef IN
#undef IN_ARRAY
#define IN(name, width, draw, doc) uint64_t name;
#define IN_ARRAY(name, width, lanes, draw, doc) uint64_t name[lanes];
struct in {
#include UNIT_TABLE
    uint64_t unit_end;
};

#include "units/no_rows.h"
#undef OUT
#undef OUT_ARRAY
#undef EVENT
#define OUT(name, width, when, guard, doc) uint64_t name;
#define OUT_ARRAY(name, width, lanes, when, guard, doc) uint64_t name[lanes];
#define EVENT(name, when, doc) uint64_t name;
struct out {
#include UNIT_TABLE
    uint64_t unit_end;
};

#include "units/no_rows.h"
#undef STATE
#undef STATE_ARRAY
#define STATE(name, width, at, role, doc) UNIT_WORD(width) name;
#define STATE_ARRAY(name, width, depth, at, role, guard, doc) UNIT_WORD(width) name[depth];
struct state {
#include UNIT_TABLE
    uint8_t unit_end;
};

/* Description. */
#define UNIT_DRAWN(draw) UNIT_DRAWN_##draw
#define UNIT_DRAWN_ANY UNIT_DRAW_ANY, 0
#define UNIT_DRAWN_FEW(n) UNIT_DRAW_FEW, (n)
#define UNIT_DRAWN_RARE(n) UNIT_DRAW_RARE, (n)
#define UNIT_DRAWN_MOSTLY(n) UNIT_DRAW_MOSTLY, (n)
#define UNIT_DRAWN_BELOW(n) UNIT_DRAW_BELOW, (n)
#define UNIT_WHEN_COMB false
#define UNIT_WHEN_REG true
#define UNIT_ROLE_CLAIMED true, false
#define UNIT_ROLE_EXTRA false, false
#define UNIT_ROLE_PACED false, true
#define AT(...) #__VA_ARGS__

/* Every list ends with an empty element, so that a unit may have none. */
#include "units/no_rows.h"
#undef PARAM
#undef PARAM_POW2
#define PARAM(name, standard, least, greatest, doc) \
    {#name, name, standard, least, greatest, false, doc},
#define PARAM_POW2(name, standard, least, greatest, doc) \
    {#name, name, standard, least, greatest, true, doc},
static const struct unit_param unit_params[] = {
#include UNIT_TABLE
    {NULL, 0, 0, 0, 0, false, NULL}};

#include "units/no_rows.h"
#undef REQUIRE
#define REQUIRE(condition, words) {(condition), words},
static const struct unit_condition unit_conditions[] = {
#include UNIT_TABLE
    {true, NULL}};

#include "units/no_rows.h"
#undef IN
#undef IN_ARRAY
#define IN(name, width, draw, doc) \
    {#name,    (width),          1,  false, offsetof(struct in, name) / 8, false, false, \
     "ALWAYS", UNIT_DRAWN(draw), doc},
#define IN_ARRAY(name, width, lanes, draw, doc) \
    {#name, (width),  (lanes),          true, offsetof(struct in, name) / 8, false, \
     false, "ALWAYS", UNIT_DRAWN(draw), doc},
static const struct unit_port unit_in[] = {
#include UNIT_TABLE
    {NULL, 0, 0, false, 0, false, false, NULL, UNIT_DRAW_ANY, 0, NULL}};

#include "units/no_rows.h"
#undef OUT
#undef OUT_ARRAY
#undef EVENT
#define OUT(name, width, when, guard, doc) \
    {#name,  (width),       1, false, offsetof(struct out, name) / 8, UNIT_WHEN_##when, false, \
     #guard, UNIT_DRAW_ANY, 0, doc},
#define OUT_ARRAY(name, width, lanes, when, guard, doc) \
    { \
        #name, \
        (width), \
        (lanes), \
        true, \
        offsetof(struct out, name) / 8, \
        UNIT_WHEN_##when, \
        false, \
        #guard, \
        UNIT_DRAW_ANY, \
        0, \
        doc},
#define EVENT(name, when, doc) \
    { \
        #name, \
        1, \
        1, \
        false, \
        offsetof(struct out, name) / 8, \
        UNIT_WHEN_##when, \
        true, \
        "ALWAYS", \
        UNIT_DRAW_ANY, \
        0, \
        doc},
static const struct unit_port unit_out[] = {
#include UNIT_TABLE
    {NULL, 0, 0, false, 0, false, false, NULL, UNIT_DRAW_ANY, 0, NULL}};

#include "units/no_rows.h"
#undef STATE
#undef STATE_ARRAY
#define STATE(name, width, at, role, doc) \
    {#name, \
     (width), \
     1, \
     offsetof(struct state, name), \
     sizeof(UNIT_WORD(width)), \
     UNIT_ROLE_##role, \
     "ALWAYS", \
     at, \
     doc},
#define STATE_ARRAY(name, width, depth, at, role, guard, doc) \
    {#name, \
     (width), \
     (depth), \
     offsetof(struct state, name), \
     sizeof(UNIT_WORD(width)), \
     UNIT_ROLE_##role, \
     #guard, \
     at, \
     doc},
static const struct unit_field unit_state[] = {
#include UNIT_TABLE
    {NULL, 0, 0, 0, 0, false, false, NULL, NULL, NULL}};

#include "units/no_rows.h"
#undef HELD
#define HELD(port, valid, ready) {#port, #valid, #ready},
static const struct unit_held unit_held[] = {
#include UNIT_TABLE
    {NULL, NULL, NULL}};

#include "units/no_rows.h"
#undef TIMING
#define TIMING(request, ready, answer, latency_cycles, interval_cycles) \
    {#request, #ready, #answer, (latency_cycles), (interval_cycles)},
static const struct unit_timing unit_timings[] = {
#include UNIT_TABLE
    {NULL, NULL, NULL, 0, 0}};

#include "units/no_rows.h"
#undef ENUM
#define ENUM(of, name, value) {#of, #name, (value)},
static const struct unit_enum unit_enums[] = {
#include UNIT_TABLE
    {NULL, NULL, 0}};

#define UNIT_COUNT(list) (sizeof(list) / sizeof((list)[0]) - 1)
#include "units/no_rows.h"
#undef UNIT
#define UNIT(name, kind, title, source) \
    static const struct unit_desc unit_desc = {#name, \
                                               UNIT_##kind, \
                                               title, \
                                               source, \
                                               unit_params, \
                                               UNIT_COUNT(unit_params), \
                                               unit_conditions, \
                                               UNIT_COUNT(unit_conditions), \
                                               unit_in, \
                                               UNIT_COUNT(unit_in), \
                                               offsetof(struct in, unit_end) / 8, \
                                               unit_out, \
                                               UNIT_COUNT(unit_out), \
                                               offsetof(struct out, unit_end) / 8, \
                                               unit_state, \
                                               UNIT_COUNT(unit_state), \
                                               offsetof(struct state, unit_end), \
                                               unit_held, \
                                               UNIT_COUNT(unit_held), \
                                               unit_timings, \
                                               UNIT_COUNT(unit_timings), \
                                               unit_enums, \
                                               UNIT_COUNT(unit_enums)};
#include UNIT_TABLE
#undef AT
#include "units/no_rows.h"

/* Clock and reset, where the table names them (tb/variant.mk). */
#ifdef UNIT_CLOCK
#include "units/clocking.h"
#define UNIT_PIN_TEXT_(name) #name
#define UNIT_PIN_TEXT(name) UNIT_PIN_TEXT_(name)
#ifndef __cplusplus
extern const struct unit_clocking unit_clocking;
__attribute__((visibility("default"))) const struct unit_clocking unit_clocking = {
    UNIT_PIN_TEXT(UNIT_CLOCK), UNIT_PIN_TEXT(UNIT_RESET), UNIT_CLOCK_FALLING, UNIT_RESET_LOW,
    UNIT_RESET_ASYNCHRONOUS};
#endif
#else
#define UNIT_CLOCK clk
#define UNIT_CLOCK_FALLING 0
#define UNIT_RESET rst
#define UNIT_RESET_LOW 0
#endif
