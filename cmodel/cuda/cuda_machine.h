/* cuda_machine.h - the simulated GPU as the runtime library gets it: whoever links the library
 * defines these two functions.  The library knows neither command lines nor mechanisms.
 */
#ifndef WARPLOCK_CUDA_MACHINE_H
#define WARPLOCK_CUDA_MACHINE_H

#include "machine/gpu.h"
#include "machine/host/host_machine.h"

struct cuda_machine {
    struct gpu *gpu;
    struct memory *memory;
    struct host_backend backend; /* runs launches, reads and writes memory */
    const uint64_t *cycle;       /* core cycle of events */
    uint32_t capability;         /* 75: compute capability 7.5 */
    uint64_t memory_bytes;       /* what programs may allocate */
    const char *name;
    bool threads_progress; /* each thread goes on by itself where the target promises it */
};

/* Make the machine that the process was started for; NULL, the reason said on stderr. */
struct cuda_machine *cuda_machine_open(void);
/* Write what was asked for and release; `failed`: a kernel came to no good end.  True when what was
 * seen makes the program a failed one, whatever it says itself. */
bool cuda_machine_close(struct cuda_machine *machine, bool failed);

#endif
