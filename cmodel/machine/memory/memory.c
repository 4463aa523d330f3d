/* memory.c - see memory.h.  Two levels: 14 bits choose a leaf, 14 bits a page of 4 KiB in it.
 *
 * A leaf's bytes are one mapping, which the host fills page by page as they are touched, large pages where
 * it has them: a matrix read down its columns is in another page with every access, and looking up small
 * ones took longer than the bytes.  Pages are a block further apart than they are long, or a column would
 * fall into few sets of the host's caches.
 */
#include "machine/memory/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE_SHIFT = 12, PAGE_BYTES = 1 << PAGE_SHIFT, LEAF_BITS = 14, LEAF_PAGES = 1 << LEAF_BITS };
enum { ROOT_LEAVES = 1 << 14, BLOCK = 128, MAX_BUFFERS = 65536 };
enum { SLOT_BYTES = PAGE_BYTES + BLOCK };
enum { PLACED = 0x80 };
#define LEAF_BYTES ((size_t)LEAF_PAGES * SLOT_BYTES)
#define FIRST_ADDRESS UINT64_C(0x80000000)
#define ADDRESS_LIMIT (UINT64_C(1) << 40)

struct leaf {
    uint8_t *bytes;           /* LEAF_BYTES */
    uint8_t node[LEAF_PAGES]; /* enum memory_node, PLACED added once it was set */
    uint64_t *used;           /* cycle of the last use of each page, if that is noted; else NULL */
};

struct memory {
    struct leaf *leaf[ROOT_LEAVES];
    struct memory_buffer *buffer; /* ascending by base */
    uint32_t n_buffers, max_buffers;
    uint64_t next;
    uint64_t remote_pages;
    uint8_t *no_values; /* one page that stands for all, or NULL */
    bool closed, notes_use;
};

static size_t leaf_number(uint64_t address)
{
    return (address >> (PAGE_SHIFT + LEAF_BITS)) & (ROOT_LEAVES - 1);
}

/* The leaf of a page, if there is one yet. */
static const struct leaf *leaf_at(const struct memory *memory, uint64_t address)
{
    return memory->leaf[leaf_number(address)];
}

static uint32_t page_in_leaf(uint64_t address)
{
    return (uint32_t)(address >> PAGE_SHIFT) & (LEAF_PAGES - 1);
}

static uint8_t *page_bytes(const struct leaf *leaf, uint64_t address)
{
    return leaf->bytes + (size_t)page_in_leaf(address) * SLOT_BYTES;
}

struct memory *memory_create(void)
{
    struct memory *memory = calloc(1, sizeof *memory);

    if (memory) {
        memory->next = FIRST_ADDRESS;
    }
    return memory;
}

void memory_destroy(struct memory *memory)
{
    if (!memory) {
        return;
    }
    for (size_t l = 0; l < ROOT_LEAVES; l++) {
        if (memory->leaf[l]) {
            munmap(memory->leaf[l]->bytes, LEAF_BYTES);
            free(memory->leaf[l]->used);
            free(memory->leaf[l]);
        }
    }
    free(memory->buffer);
    free(memory->no_values);
    free(memory);
}

static int reserve_buffer(struct memory *memory)
{
    if (memory->n_buffers == MAX_BUFFERS) {
        return -1;
    }
    if (memory->n_buffers == memory->max_buffers) {
        uint32_t max = memory->max_buffers ? 2 * memory->max_buffers : 16;
        struct memory_buffer *more = realloc(memory->buffer, max * sizeof *more);
        if (!more) {
            return -1;
        }
        memory->buffer = more;
        memory->max_buffers = max;
    }
    return 0;
}

uint64_t memory_alloc(struct memory *memory, const char *name, uint64_t bytes, uint64_t align_bytes)
{
    uint64_t align = align_bytes < 256 ? 256 : align_bytes;
    uint64_t base = (memory->next + align - 1) & ~(align - 1);
    struct memory_buffer *buffer;

    if (bytes == 0) {
        bytes = 1;
    }
    if (base < memory->next || base >= ADDRESS_LIMIT || bytes > ADDRESS_LIMIT - base ||
        reserve_buffer(memory) != 0) {
        return 0;
    }
    buffer = &memory->buffer[memory->n_buffers++];
    snprintf(buffer->name, sizeof buffer->name, "%s", name);
    buffer->base = base;
    buffer->bytes = bytes;
    memory->next = base + ((bytes + 255) & ~UINT64_C(255));
    return base;
}

int memory_without_values(struct memory *memory, const char *name)
{
    memory->next = 0;
    memory->no_values = calloc(1, PAGE_BYTES);
    if (!memory->no_values || memory_alloc(memory, name, ADDRESS_LIMIT, 256) != 0 ||
        memory->n_buffers != 1) {
        return -1;
    }
    return 0;
}

/* Index of the last buffer with base <= address, or n_buffers when there is none. */
static uint32_t last_below(const struct memory *memory, uint64_t address)
{
    uint32_t low = 0, high = memory->n_buffers;

    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (memory->buffer[middle].base <= address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low ? low - 1 : memory->n_buffers;
}

int memory_place(struct memory *memory, const char *name, uint64_t base, uint64_t bytes)
{
    uint32_t at = last_below(memory, base);
    struct memory_buffer *buffer;

    if (base >= ADDRESS_LIMIT || bytes == 0 || bytes > ADDRESS_LIMIT - base ||
        reserve_buffer(memory) != 0) {
        return -1;
    }
    at = at >= memory->n_buffers ? 0 : at + 1;
    if ((at > 0 && base - memory->buffer[at - 1].base < memory->buffer[at - 1].bytes) ||
        (at < memory->n_buffers && memory->buffer[at].base - base < bytes)) {
        return -1;
    }
    buffer = &memory->buffer[at];
    memmove(buffer + 1, buffer, (memory->n_buffers++ - at) * sizeof *buffer);
    snprintf(buffer->name, sizeof buffer->name, "%s", name);
    buffer->base = base;
    buffer->bytes = bytes;
    return 0;
}

/* Bytes become zero, and those of whole pages of the host are given back to it. */
static void forget(uint8_t *from, uint8_t *to)
{
    const uintptr_t host = (uintptr_t)sysconf(_SC_PAGESIZE);
    const uintptr_t first = ((uintptr_t)from + host - 1) / host * host;
    const uintptr_t last = (uintptr_t)to / host * host;

    if (first >= last || madvise((void *)first, last - first, MADV_DONTNEED) != 0) {
        memset(from, 0, (size_t)(to - from));
        return;
    }
    memset(from, 0, first - (uintptr_t)from);
    memset((void *)last, 0, (uintptr_t)to - last);
}

void memory_remove(struct memory *memory, uint64_t base)
{
    uint32_t at = last_below(memory, base);
    uint64_t page, end, stop;

    if (at >= memory->n_buffers || memory->buffer[at].base != base) {
        return;
    }
    end = base + memory->buffer[at].bytes;
    memmove(&memory->buffer[at], &memory->buffer[at + 1],
            (--memory->n_buffers - at) * sizeof *memory->buffer);
    end &= ~(uint64_t)(PAGE_BYTES - 1);
    for (page = (base + PAGE_BYTES - 1) & ~(uint64_t)(PAGE_BYTES - 1); page < end; page = stop) {
        const struct leaf *leaf = leaf_at(memory, page);

        stop = (page | (PAGE_BYTES * (uint64_t)LEAF_PAGES - 1)) + 1;
        stop = stop < end ? stop : end;
        if (leaf) {
            forget(page_bytes(leaf, page), page_bytes(leaf, stop - PAGE_BYTES) + PAGE_BYTES);
        }
    }
}

static bool inside(const struct memory_buffer *buffer, uint64_t address)
{
    return address - buffer->base < buffer->bytes;
}

const struct memory_buffer *memory_find(const struct memory *memory, uint64_t address,
                                        uint32_t *hint)
{
    uint32_t at = *hint;

    if (at < memory->n_buffers && inside(&memory->buffer[at], address)) {
        return &memory->buffer[at];
    }
    at = last_below(memory, address);
    if (at >= memory->n_buffers || !inside(&memory->buffer[at], address)) {
        return NULL;
    }
    *hint = at;
    return &memory->buffer[at];
}

const struct memory_buffer *memory_buffer_at(const struct memory *memory, uint32_t i)
{
    return i < memory->n_buffers ? &memory->buffer[i] : NULL;
}

const struct memory_buffer *memory_nearest(const struct memory *memory, uint64_t address)
{
    uint32_t at = last_below(memory, address);
    const struct memory_buffer *below, *above;

    if (!memory->n_buffers) {
        return NULL;
    }
    if (at >= memory->n_buffers) {
        return &memory->buffer[0];
    }
    below = &memory->buffer[at];
    above = at + 1 < memory->n_buffers ? below + 1 : NULL;
    if (above && above->base - address < address - (below->base + below->bytes - 1)) {
        return above;
    }
    return below;
}

static struct leaf *new_leaf(void)
{
    struct leaf *leaf = calloc(1, sizeof *leaf);

    if (!leaf) {
        return NULL;
    }
    leaf->bytes = mmap(NULL, LEAF_BYTES, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (leaf->bytes == MAP_FAILED) {
        free(leaf);
        return NULL;
    }
    madvise(leaf->bytes, LEAF_BYTES, MADV_HUGEPAGE);
    return leaf;
}

static struct leaf *leaf_of(struct memory *memory, uint64_t address)
{
    struct leaf **leaf = &memory->leaf[leaf_number(address)];

    if (!*leaf) {
        *leaf = new_leaf();
    }
    return *leaf;
}

uint8_t *memory_block(struct memory *memory, uint64_t block)
{
    struct leaf *leaf;

    if (memory->no_values) {
        return memory->no_values + (block & (PAGE_BYTES - 1) & ~(uint64_t)(BLOCK - 1));
    }
    leaf = leaf_of(memory, block);
    if (!leaf) {
        return NULL;
    }
    return page_bytes(leaf, block) + (block & (PAGE_BYTES - 1) & ~(uint64_t)(BLOCK - 1));
}

/* Bytes from `address` to the end of its page, at most `bytes`. */
static uint64_t piece(uint64_t address, uint64_t bytes)
{
    uint64_t room = PAGE_BYTES - (address & (PAGE_BYTES - 1));

    return bytes < room ? bytes : room;
}

void memory_read(struct memory *memory, uint64_t address, void *to, uint64_t bytes)
{
    for (uint8_t *out = to; bytes;) {
        uint64_t n = piece(address, bytes);
        const uint8_t *from = memory_block(memory, address);

        if (from) {
            memcpy(out, from + (address & (BLOCK - 1)), n);
        }
        out += n;
        address += n;
        bytes -= n;
    }
}

void memory_write(struct memory *memory, uint64_t address, const void *from, uint64_t bytes)
{
    for (const uint8_t *in = from; bytes;) {
        uint64_t n = piece(address, bytes);
        uint8_t *to = memory_block(memory, address);

        if (to) {
            memcpy(to + (address & (BLOCK - 1)), in, n);
        }
        in += n;
        address += n;
        bytes -= n;
    }
}

enum memory_node memory_node_of(const struct memory *memory, uint64_t address)
{
    const struct leaf *leaf = leaf_at(memory, address);

    return leaf ? (enum memory_node)(leaf->node[page_in_leaf(address)] & ~PLACED) : MEMORY_NODE_GPU;
}

/* What stands for the page becomes `what`: a node with PLACED, or 0. */
static void set_entry(struct memory *memory, struct leaf *leaf, uint64_t address, uint8_t what)
{
    uint8_t *at = &leaf->node[page_in_leaf(address)];

    memory->remote_pages += what == (PLACED | MEMORY_NODE_HOST);
    memory->remote_pages -= *at == (PLACED | MEMORY_NODE_HOST);
    *at = what;
}

void memory_set_node(struct memory *memory, uint64_t address, enum memory_node node)
{
    struct leaf *leaf = leaf_of(memory, address);

    if (leaf && memory->notes_use && !leaf->used) {
        leaf->used = calloc(LEAF_PAGES, sizeof *leaf->used);
        leaf = leaf->used ? leaf : NULL;
    }
    if (leaf) {
        set_entry(memory, leaf, address, (uint8_t)(PLACED | node));
    }
}

void memory_forget_node(struct memory *memory, uint64_t address)
{
    if (leaf_at(memory, address)) {
        set_entry(memory, leaf_of(memory, address), address, 0);
    }
}

bool memory_is_placed(const struct memory *memory, uint64_t address)
{
    const struct leaf *leaf = leaf_at(memory, address);

    return leaf && (leaf->node[page_in_leaf(address)] & PLACED);
}

bool memory_has_remote(const struct memory *memory)
{
    return memory->remote_pages != 0;
}

void memory_close(struct memory *memory, bool closed)
{
    memory->closed = closed;
}

bool memory_is_closed(const struct memory *memory)
{
    return memory->closed;
}

bool memory_is_open(const struct memory *memory, uint64_t address)
{
    return !memory->closed && memory_is_placed(memory, address);
}

void memory_note_use(struct memory *memory)
{
    memory->notes_use = true;
}

/* Threads that come together write the same cycle. */
void memory_use(const struct memory *memory, uint64_t address, uint64_t cycle)
{
    const struct leaf *leaf = leaf_at(memory, address);

    if (leaf && leaf->used) {
        __atomic_store_n(&leaf->used[page_in_leaf(address)], cycle, __ATOMIC_RELAXED);
    }
}

uint64_t memory_last_use(const struct memory *memory, uint64_t address)
{
    const struct leaf *leaf = leaf_at(memory, address);

    return leaf && leaf->used ? leaf->used[page_in_leaf(address)] : 0;
}
