/* sass_kernel.c - what follows from a kernel that was looked through.  See sass_kernel.h; the looking
 * is in sass_scan.c.
 */
#include "sass/sass_kernel.h"

void sass_kernel_free(struct sass_kernel *kernel)
{
    sass_program_free(&kernel->program);
    sass_kept_free(&kernel->kept);
}

struct isa_dim3 sass_kernel_grid(const struct sass_kernel *kernel)
{
    if (kernel->blocks == kernel->header.blocks) {
        return kernel->header.grid;
    }
    return (struct isa_dim3){(uint32_t)kernel->blocks, 1, 1};
}

uint64_t sass_kernel_local_total(const struct sass_kernel *kernel)
{
    uint64_t granule = kernel->local_granule_bytes ? kernel->local_granule_bytes : 1;
    uint64_t per_thread = (kernel->local_bytes + granule - 1) / granule * granule;

    return per_thread * ISA_LANES * kernel->header.warps * kernel->header.blocks;
}

void sass_oddities_add(struct sass_oddities *sum, const struct sass_oddities *more)
{
    sum->lanes += more->lanes;
    sum->exits += more->exits;
    sum->foreign += more->foreign;
    sum->no_address += more->no_address;
    sum->no_values += more->no_values;
    sum->no_mbarrier += more->no_mbarrier;
    sum->clusters |= more->clusters;
}
