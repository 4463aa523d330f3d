/* run_wave_machine.h - the machine's own signals in a waveform, through machine/probe.h. */
#ifndef WARPLOCK_CLI_RUN_WAVE_MACHINE_H
#define WARPLOCK_CLI_RUN_WAVE_MACHINE_H

#include "machine/gpu.h"
#include "tb/layout.h"
#include "tb/wave.h"

struct run_wave_machine;

/* Declares under the scope `machine` of `file`; NULL when out of memory. */
struct run_wave_machine *run_wave_machine_new(struct wave *file, const struct gpu *gpu);
void run_wave_machine_free(struct run_wave_machine *machine);
/* The cycle that was just stepped: show it; and then, shown or not, count from here. */
void run_wave_machine_show(struct run_wave_machine *machine);
void run_wave_machine_next(struct run_wave_machine *machine);
/* A group for each part, the first SM's unfolded; levels as curves. */
void run_wave_machine_layout(const struct run_wave_machine *machine, struct layout *layout);

#endif
