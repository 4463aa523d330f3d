/* cuda_module.h - device code of one registered fat binary: its kernels and variables, keyed by
 * the host's addresses, and the PTX behind them, read when the first is used.
 *
 * Names belong to their module: two translation units may have kernels of one name.  Knows PTX and
 * the address space; locks and error states are its caller's.
 */
#ifndef WARPLOCK_CUDA_MODULE_H
#define WARPLOCK_CUDA_MODULE_H

#include <uthash.h>

#include "cuda/cuda_abi.h"
#include "cuda/cuda_space.h"
#include "ptx/ptx.h"

struct cuda_kernel {
    const void *host; /* the key */
    const char *name; /* of the .entry; the program's */
    struct cuda_module *module;
    int max_dynamic_shared; /* as the program has allowed; -1: the standard */
    int carveout;
    UT_hash_handle hh, by_self;
    struct cuda_kernel *self; /* key of by_self: handles that programs pass are such pointers */
};

struct cuda_variable {
    const void *host; /* the shadow variable's address, the key; of managed ones the memory's */
    const char *name;
    uint64_t bytes, address; /* device address; 0 until the module is loaded */
    bool is_managed;
    void **host_pointer; /* managed: where the program keeps the address */
    struct cuda_module *module;
    struct cuda_variable *next; /* of the module */
    UT_hash_handle hh;
};

/* What the machine code beside the PTX says of a kernel. */
struct cuda_registers {
    char *name;
    uint32_t n;
};

struct cuda_module {
    const struct cuda_wrapper *wrapper;
    struct cuda_variable *variables;
    struct ptx_module *ptx;
    bool tried;
    int error; /* of the attempt to load, 0: none */
    struct cuda_registers *registers;
    size_t n_registers;
    struct cuda_module *next;
};

struct cuda_code { /* all of a process */
    struct cuda_module *modules;
    struct cuda_kernel *kernels, *handles;
    struct cuda_variable *variables;
};

struct cuda_module *cuda_code_add(struct cuda_code *code, const struct cuda_wrapper *wrapper);
void cuda_code_add_kernel(struct cuda_code *code, struct cuda_module *module, const void *host,
                          const char *name);
void cuda_code_add_variable(struct cuda_code *code, struct cuda_module *module, const void *host,
                            void **host_pointer, const char *name, uint64_t bytes);
/* Take back what was registered for the module. */
void cuda_code_remove(struct cuda_code *code, struct cuda_module *module);

/* By the host's address, or by a handle that is a struct cuda_kernel; NULL. */
struct cuda_kernel *cuda_code_kernel(const struct cuda_code *code, const void *function);
struct cuda_variable *cuda_code_variable(const struct cuda_code *code, const void *symbol);

/* Give managed variables their memory.  An error code. */
int cuda_module_place_managed(struct cuda_module *module, struct cuda_code *code,
                              struct cuda_space *space);
/* Read the PTX, once, for compute capability `capability`, and place its variables.  An error code;
 * why is said on stderr. */
int cuda_module_load(struct cuda_module *module, struct cuda_space *space, uint32_t capability);
/* 32-bit registers of a thread as the program's machine code has them for a GPU like this one; 0: it has
 * none of the kernel. */
uint32_t cuda_module_registers(const struct cuda_module *module, const char *kernel);
void cuda_module_forget_registers(struct cuda_module *module);
/* Forget the PTX and its variables' memory: the next use starts afresh. */
void cuda_module_unload(struct cuda_module *module, struct cuda_space *space);

#endif
