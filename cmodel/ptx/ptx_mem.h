/* ptx_mem.h - execution of memory operations, shared by loads, stores and atomics.  Private. */
#ifndef WARPLOCK_PTX_MEM_H
#define WARPLOCK_PTX_MEM_H

#include "ptx/ptx_image.h"

ptx_exec_fn ptx_exec_access; /* global, local, shared, generic: loads, stores, atomics */
ptx_exec_fn ptx_exec_const;  /* ld.const */
ptx_exec_fn ptx_exec_param;  /* ld.param, st.param */

#endif
