/* warplock-units.h - the hardware units of Warplock inside another simulator.
 *
 * A unit is opened by name, at parameters, on a backend: "c" (the bit-exact model), "rtl" and
 * "netlist" (through Verilator), "lockstep" (C and RTL, compared at every step), or a pair "A+B".
 * What is not built yet is built when it is opened.  One cycle is
 *
 *     wl_set(...) for each input;  wl_settle(unit);  wl_get(...);  wl_step(unit);
 *
 * wl_settle computes outputs from inputs and state and changes nothing; wl_step is the clock edge.
 * Link with -lwarplock-units.  Not for several threads at once on one library. */
#ifndef WARPLOCK_UNITS_H
#define WARPLOCK_UNITS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WL_VERSION 1
struct wl_library;
struct wl_unit;

/* `project`: a folder with units of your own, NULL for none.  NULL with one line in `error` of
 * `n_error` bytes, also when the library found is not of WL_VERSION.  Close units first. */
struct wl_library *wl_open_version(int version, const char *project, char *error, size_t n_error);
#define wl_open(project, error, n_error) wl_open_version(WL_VERSION, project, error, n_error)
void wl_close(struct wl_library *library);

/* `parameters`: "SETS=64,LANES=16", "" for the standard ones.  The unit is in its reset state.
 * NULL with one line in `error`. */
struct wl_unit *wl_unit_open(struct wl_library *library, const char *unit, const char *parameters,
                             const char *backend, char *error, size_t n_error);
void wl_unit_close(struct wl_unit *unit);

/* Number of a port, for the calls below; element `i` of an array port is its number + i.  -1 when
 * the unit has none of that name. */
int wl_input(const struct wl_unit *unit, const char *name);
int wl_output(const struct wl_unit *unit, const char *name);
/* Inputs keep their value; bits beyond the port's width are dropped. */
void wl_set(struct wl_unit *unit, int input, uint64_t value);
uint64_t wl_get(const struct wl_unit *unit, int output);

void wl_settle(struct wl_unit *unit);
void wl_step(struct wl_unit *unit);
void wl_reset(struct wl_unit *unit); /* an edge with reset */

/* State, as bytes that only mean something to the same unit at the same parameters.  0 bytes, and
 * -1, for a backend that shows none (a netlist).  wl_save and wl_load return 0 when they did it. */
size_t wl_state_bytes(const struct wl_unit *unit);
int wl_save(struct wl_unit *unit, void *state);
int wl_load(struct wl_unit *unit, const void *state);

/* Of a pair: NULL while both sides were equal; else the report, with the commands that play the
 * steps again and open the waveform, which were written when this was first asked. */
const char *wl_difference(struct wl_unit *unit);

#ifdef __cplusplus
}
#endif
#endif
