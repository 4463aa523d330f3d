/* dram_commands.h - between the files of a memory controller that serves bank by bank. */
#ifndef WARPLOCK_MACHINE_DRAM_COMMANDS_H
#define WARPLOCK_MACHINE_DRAM_COMMANDS_H

#include "machine/memory/dram_banked.h"

/* What has arrived waits for its bank; one bank without a request gets one. */
void dram_schedule(struct dram_channel *channel);
/* The commands of this tick. */
void dram_command(struct dram_channel *channel, uint64_t tick);

#endif
