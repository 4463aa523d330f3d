/* ptx_loader.h - the PTX front end as the module loader of a host (machine/host/host_machine.h). */
#ifndef WARPLOCK_PTX_LOADER_H
#define WARPLOCK_PTX_LOADER_H

#include "machine/host/host_machine.h"

/* `n_sms` is what kernels see as %nsmid.  The loader has no state to release. */
struct host_loader ptx_loader(const uint32_t *n_sms);

#endif
