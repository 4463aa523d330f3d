/* ptx.h - the PTX front end: modules, kernels, launches.
 *
 * Works after NVIDIA's PTX ISA manual (versions 3 to 9, the instruction set of
 * sm_20 to sm_90 without clusters, texture references and samplers; of tensor
 * instructions those of sm_80, ptx_matrix.h says how they round; of asynchronous
 * copies cp.async and mbarriers, of bulk ones those of one CTA without tensor
 * maps).  Whatever is not supported is an error when the module is read.  Knows
 * nothing of time: the machine calls it through isa/isa.h.
 *
 * Documented choices where the manual leaves room:
 * - reconvergence is at the immediate post-dominator; the .sync instructions
 *   take the lanes of their mask that are active together;
 * - approximate float instructions give the correctly rounded result; hardware
 *   may differ within the bounds that the manual states per instruction;
 * - a NaN result is 0x7fffffff (.f32), 0xfff8000000000000 (.f64), 0x7fff (.f16, .bf16);
 * - integer division by zero gives all ones, the remainder the dividend;
 * - generic addresses: global is identity below 2^40, shared and local have
 *   windows (PTX_*_WINDOW); .const variables are global addresses too;
 * - a call through a register goes to a function of the module whose address is taken and whose
 *   parameters are as large as the arguments; one instruction issues for each of these, the lanes that
 *   mean it go there, and they meet again behind the call.  Other addresses are a fault.
 */
#ifndef WARPLOCK_PTX_H
#define WARPLOCK_PTX_H

#include "isa/isa.h"
#include "ptx/ptx_texture.h"

#define PTX_GLOBAL_BYTES (UINT64_C(1) << 40)
#define PTX_SHARED_WINDOW (UINT64_C(1) << 40)
#define PTX_LOCAL_WINDOW (UINT64_C(2) << 40)
#define PTX_CODE_WINDOW (UINT64_C(3) << 40) /* functions have their addresses there */
#define PTX_WINDOW_BYTES (UINT64_C(1) << 32)

enum { PTX_MAX_CALL_DEPTH = 64 };

struct ptx_module;

/* Read a module.  On an error returns NULL with "file:line:column: what; remedy" in `error`. */
struct ptx_module *ptx_module_parse(const char *file, const char *text, size_t n, char *error,
                                    size_t n_error);
struct ptx_module *ptx_module_load(const char *path, char *error, size_t n_error);
void ptx_module_free(struct ptx_module *module);

/* One text of a module that was compiled in parts.  Bytes of 0 at its end do not count. */
struct ptx_text {
    const char *file; /* for messages */
    const char *text;
    size_t n;
};
/* Link texts that refer to each other's functions and variables (.extern to .visible or .weak; of
 * several .weak definitions the first counts).  A kernel is only lowered when ptx_kernel_ready asks
 * for it: what is not supported concerns those that use it.  On an error NULL, as above. */
struct ptx_module *ptx_module_link(const struct ptx_text *parts, size_t n_parts, char *error,
                                   size_t n_error);
/* Is there a kernel `name`, lowered or not? */
bool ptx_kernel_exists(const struct ptx_module *module, const char *name);
/* The kernel `name`, lowered now if it was not; NULL and one line in `error`. */
const struct isa_kernel *ptx_kernel_ready(struct ptx_module *module, const char *name, char *error,
                                          size_t n_error);
/* The highest NN of the texts' `.target sm_NN`; 0 without. */
uint32_t ptx_module_target(const struct ptx_module *module);

/* A module-scope variable.  The caller gives each a device address (ptx_variable_place), asks for
 * its initial bytes once all have one, and writes them to device memory. */
struct ptx_variable_info {
    const char *name;
    enum isa_space space; /* GLOBAL or CONST */
    uint64_t bytes, align_bytes;
    uint64_t address; /* 0 until placed */
    bool has_initial; /* false: all zero */
};
size_t ptx_variable_count(const struct ptx_module *module);
struct ptx_variable_info ptx_variable_get(const struct ptx_module *module, size_t index);
void ptx_variable_place(struct ptx_module *module, size_t index, uint64_t address);
/* Bytes [0, info.bytes) of the variable's initial value, addresses of other variables resolved. */
void ptx_variable_initial(const struct ptx_module *module, size_t index, uint8_t *bytes);

/* The kernel `name`, or NULL. */
const struct isa_kernel *ptx_kernel(const struct ptx_module *module, const char *name);
size_t ptx_kernel_count(const struct ptx_module *module);
const struct isa_kernel *ptx_kernel_at(const struct ptx_module *module, size_t index);

/* Parameters of a kernel of this module, in order; `offset` in the parameter block. */
struct ptx_param_info {
    const char *name;
    uint64_t bytes, align_bytes, offset;
};
size_t ptx_param_count(const struct ptx_module *module, const struct isa_kernel *kernel);
struct ptx_param_info ptx_param_get(const struct ptx_module *module,
                                    const struct isa_kernel *kernel, size_t index);
/* Threads that .maxntid or .reqntid allows a block; 0: it says nothing. */
uint64_t ptx_kernel_max_threads(const struct isa_kernel *kernel);
size_t ptx_param_block_bytes(const struct ptx_module *module, const struct isa_kernel *kernel);

/* Local memory that a launch needs for all its threads, bytes, and how it is laid out: per warp of
 * the grid (CTAs in order of ctaid.z, y, x; warps of a CTA in order), the granules of 32 lanes lie
 * side by side.  A granule is the kernel's widest local or generic access, 4 to 16 bytes, so that
 * every access is contiguous; with 4-byte accesses it is the layout of real GPUs. */
uint64_t ptx_local_total_bytes(const struct isa_kernel *kernel, struct isa_dim3 grid,
                               struct isa_dim3 block);

/* Read `bytes` of device memory at `address`; false when that is impossible. */
typedef bool ptx_read_fn(void *context, uint64_t address, void *to, size_t bytes);

/* A call that leaves the kernel, for one thread: vprintf, __assertfail, malloc, free. */
enum ptx_outside { PTX_VPRINTF, PTX_ASSERTFAIL, PTX_MALLOC, PTX_FREE, PTX_OUTSIDES };
struct ptx_outside_call {
    enum ptx_outside what;
    struct isa_dim3 thread, cta;
    uint32_t sm;
    uint64_t cycle;
    uint64_t argument[5], result; /* addresses are generic */
    /* Read memory of the thread; false: there is none. */
    bool (*read)(const struct ptx_outside_call *call, uint64_t address, void *to, size_t bytes);
    const void *self;
    unsigned lane;
};
/* Carry it out; false: the thread cannot go on.  Called by several threads if the machine has
 * several. */
typedef bool ptx_outside_fn(void *context, struct ptx_outside_call *call);

/* A thread of the kernel, which was lowered, has so many 32-bit registers, as a compiler's output for a
 * GPU says; 0 leaves what its PTX needs. */
void ptx_kernel_set_registers(struct ptx_module *module, const char *name, uint32_t registers);

struct ptx_launch_config {
    struct isa_dim3 grid, block;
    uint32_t dynamic_shared_bytes;
    const uint8_t *param_block;
    size_t n_param_block;
    uint64_t local_base; /* device address of ptx_local_total_bytes() bytes */
    uint32_t n_sms;      /* %nsmid */
    ptx_read_fn *read;   /* fetches the .const variables once: they are constant during a launch */
    void *read_context;
    ptx_outside_fn *outside; /* NULL: such calls are faults */
    void *outside_context;
    bool threads_progress; /* each thread of a warp goes on by itself, lanes do not wait for ever */
    const struct ptx_texture
        *textures; /* [n_textures], and surfaces; until the launch is released */
    size_t n_textures;
    uint64_t grid_sync; /* address of the grid's barrier words, or 0: %envreg1, %envreg2 */
};

/* Prepare a launch.  0 on success; otherwise -1 with one line in `error`.  The launch stays valid
 * until ptx_launch_release; the module must outlive it. */
int ptx_launch_init(struct isa_launch *out, const struct ptx_module *module,
                    const struct isa_kernel *kernel, const struct ptx_launch_config *config,
                    char *error, size_t n_error);
void ptx_launch_release(struct isa_launch *launch);

#endif
