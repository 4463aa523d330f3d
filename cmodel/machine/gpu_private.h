/* gpu_private.h - between the files of the machine's top, gpu*.c. */
#ifndef WARPLOCK_MACHINE_GPU_PRIVATE_H
#define WARPLOCK_MACHINE_GPU_PRIVATE_H

#include "base/set.h"
#include "machine/gpu.h"

/* 0, or -1 and gpu->error when the kernel does not fit. */
int gpu_kernel_start(struct gpu *gpu, const struct isa_launch *launch);
void gpu_dispatch(struct gpu *gpu);
/* Clusters (gpu_cluster.c): does one fit?  0, or -1 and gpu->error.  Place those that can be placed
 * now; true when one was.  Carry what SMs have sent each other. */
int gpu_cluster_start(struct gpu *gpu);
bool gpu_cluster_dispatch(struct gpu *gpu);
void gpu_cluster_exchange(struct gpu *gpu);
/* Run those SMs of a `struct gpu` from cycle `now` to gpu->horizon, as far as they can. */
void gpu_step_sms(void *gpu, const struct set *due, uint64_t now);
/* L2 bank `b` may have put requests into its queue to DRAM.  One L2 tick of the way from there, where
 * channels are fed: true when a request moved. */
void gpu_tell_dram(struct gpu *gpu, uint32_t b);
bool gpu_feed_dram(struct gpu *gpu, uint64_t tick);
/* Page placement (gpu_pages.c): is it possible with that kernel?  0, or -1 and gpu->error.  A page is
 * touched: give it a place, if it has none.  One cycle of a replacement. */
int gpu_pages_start(struct gpu *gpu, const struct isa_launch *launch);
void gpu_place_page(struct gpu *gpu, uint64_t address);
void gpu_replace_page(struct gpu *gpu);
void gpu_stuck_report(struct gpu *gpu);
/* The watch for kernels that spin for ever: at the start of a kernel; at gpu->spin_at: does it? */
void gpu_spin_start(struct gpu *gpu);
bool gpu_spins(struct gpu *gpu);
void gpu_spin_report(struct gpu *gpu);

#endif
