/* ptx_name.h - kernels by the names that people write: as in the PTX, or as in C++.
 *
 * Knows the module's list of kernels; what names mean is the C++ ABI's business.
 */
#ifndef WARPLOCK_PTX_NAME_H
#define WARPLOCK_PTX_NAME_H

#include "ptx/ptx.h"

/* The kernel called `name`: its name in the PTX, or what c++filt makes of it, `tile<int>(int*, int)`,
 * or that without the parameters, `tile<int>`, or without the template's arguments, `tile`, when only
 * one kernel is called so.  NULL, and one line in `error`, when there is none, or several.  Blanks
 * do not count. */
const struct isa_kernel *ptx_kernel_called(const struct ptx_module *module, const char *name,
                                           char *error, size_t n_error);

#endif
