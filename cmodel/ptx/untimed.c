/* untimed.c - see untimed.h. */
#include "ptx/untimed.h"

#include "ptx/ptx_reference.h"

enum { PAGE_BYTES = 4096 };

/* Remember the page at `address`, or say that the bytes are nobody's. */
static bool turn_page(struct untimed *u, uint64_t address, uint32_t bytes)
{
    const struct memory_buffer *buffer = memory_find(u->memory, address, &u->hint);
    const uint64_t base = address / PAGE_BYTES * PAGE_BYTES;
    if (buffer == NULL || bytes > buffer->bytes - (address - buffer->base)) {
        return false;
    }
    u->page.base = base;
    u->page.low = buffer->base > base ? buffer->base : base;
    u->page.end = buffer->base + buffer->bytes;
    u->page.end = u->page.end < base + PAGE_BYTES ? u->page.end : base + PAGE_BYTES;
    u->page.at = memory_block(u->memory, base);
    if (u->page.at == NULL) {
        u->page.end = 0;
    }
    return u->page.at != NULL;
}

/* Accesses are aligned, so that each lies in one page. */
static uint8_t *memory_at(void *context, uint64_t address, uint32_t bytes)
{
    struct untimed *u = context;
    if ((address < u->page.low || address + bytes > u->page.end) && !turn_page(u, address, bytes)) {
        return NULL;
    }
    return u->page.at + (address - u->page.base);
}

static int launch(void *self, const struct isa_launch *launch, char *error, size_t n_error)
{
    struct untimed *u = self;
    struct ptx_memory memory = {
        .context = u,
        .at = memory_at,
        .resident_ctas = u->resident_ctas ? u->resident_ctas(u->context, launch) : 1};
    struct ptx_reference_result result;
    u->page.low = u->page.end = 0; /* buffers may be others now */
    int status = ptx_reference_run(launch, &memory, u->max_steps, &result, error, n_error);
    u->steps += result.steps;
    return status != 0;
}

static void read_device(void *self, uint64_t address, void *to, uint64_t bytes)
{
    memory_read(((struct untimed *)self)->memory, address, to, bytes);
}

static void write_device(void *self, uint64_t address, const void *from, uint64_t bytes)
{
    memory_write(((struct untimed *)self)->memory, address, from, bytes);
}

struct host_backend untimed_backend(struct untimed *untimed)
{
    return (struct host_backend){
        .self = untimed, .launch = launch, .read = read_device, .write = write_device};
}
