/* no_rows.h - every row of a unit table means nothing.  A pass over a table
 * includes this, gives meaning to the rows it wants, and includes the table. */
#undef UNIT
#undef PARAM
#undef PARAM_POW2
#undef DERIVED
#undef REQUIRE
#undef IN
#undef IN_ARRAY
#undef OUT
#undef OUT_ARRAY
#undef EVENT
#undef HELD
#undef TIMING
#undef STATE
#undef STATE_ARRAY
#undef ENUM
#undef CLOCK
#undef RESET
#define UNIT(name, kind, title, source)
#define PARAM(name, standard, least, greatest, doc)
#define PARAM_POW2(name, standard, least, greatest, doc)
#define DERIVED(name, expression)
#define REQUIRE(condition, words)
#define IN(name, width, draw, doc)
#define IN_ARRAY(name, width, lanes, draw, doc)
#define OUT(name, width, when, guard, doc)
#define OUT_ARRAY(name, width, lanes, when, guard, doc)
#define EVENT(name, when, doc)
#define HELD(port, valid, ready)
#define TIMING(request, ready, answer, latency_cycles, interval_cycles)
#define STATE(name, width, at, role, doc)
#define STATE_ARRAY(name, width, depth, at, role, guard, doc)
#define ENUM(of, name, value)
#define CLOCK(port, edge)
#define RESET(port, level, kind)
