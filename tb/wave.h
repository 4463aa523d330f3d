/* wave.h - an FST file being written: scopes, signals, values over time.
 *
 * All signals are declared before the first value.  A value is written only when it
 * changes, so who emits need not remember what was there.  Knows numbers and names of
 * values, no unit and no machine. */
#ifndef WARPLOCK_TB_WAVE_H
#define WARPLOCK_TB_WAVE_H

#include <stdbool.h>
#include <stdint.h>

struct wave;

/* The part of a run that is written, in steps or cycles, both included. */
struct wave_window {
    uint64_t from, to;
};
#define WAVE_EVERYTHING ((struct wave_window){0, UINT64_MAX})

/* The name of one value of a signal. */
struct wave_name {
    const char *name;
    uint64_t value;
};

/* Opens `path` with times in `timescale` ("1ns"); NULL when it cannot be written. */
struct wave *wave_open(const char *path, const char *timescale, struct wave_window window);
/* The last values hold until `end`, or a moment after the last change.  False when the
 * file could not be written to its end. */
bool wave_close(struct wave *wave, uint64_t end);

/* Names for the values of signals of `width` bits; 0, for no names, when n is 0. */
uint32_t wave_names(struct wave *wave, const char *title, unsigned width,
                    const struct wave_name *names, unsigned n);
/* Scopes nest: what is declared after `enter` and before `leave` is inside. */
void wave_enter(struct wave *wave, const char *scope);
void wave_leave(struct wave *wave);
/* From the scope `path` below some scope to `name` below it: both with dots between
 * scopes, "" for none. */
void wave_go_to(struct wave *wave, const char *path, const char *name);
/* A signal of 1..64 bits in the open scope; its number for wave_emit, 0 when memory is out. */
uint32_t wave_declare(struct wave *wave, const char *name, unsigned width, uint32_t names);

/* Is step or cycle `position` inside the window? */
bool wave_shows(const struct wave *wave, uint64_t position);
/* The time of the values that follow: `time`, or the last one where that is later. */
uint64_t wave_time(struct wave *wave, uint64_t time);
void wave_emit(struct wave *wave, uint32_t signal, uint64_t value);

#endif
