/* gpu_spin.c - the forward-progress watch: a kernel whose warps only go round in circles.
 *
 * See docs/architecture.md, "Nothing hangs silently".  It looks every machine.spin_cycles, and a
 * kernel spins when, in the time since it looked last and then for as long again, no CTA and no
 * warp has come or gone, no barrier has opened, no warp has read the clock, and one of these holds.
 *
 * No store or atomic has changed a byte of memory, global, local or shared, and every warp that
 * executes anything has come back to a state (pc, stack, registers) that it had before in that
 * time.  What a warp does follows from its state and from what it loads, so that each will go
 * round for ever; a loop that counts has another state each time.
 *
 * Or memory has changed, but no more than few words to few values: two warps that hand something
 * to and fro.  Then warps run ahead (sm_ahead.h), from a state that they had with nothing on its
 * way: for every load, every value that its words had in that time, have in memory or in the L1D,
 * or get from a store on such a way.  If that ends, in a few states in which each warp only meets
 * the others again, and none exits, comes to a barrier or reads the clock, then no order and no
 * timing of accesses can ever end the kernel.  Where one may, as when the value that a warp waits
 * for is there now and then, or where it would take too long to say, the kernel is left alone: one
 * that makes progress is never reported.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "machine/gpu_private.h"
#include "machine/sm/sm_ahead.h"

/* Has anything happened since the last call: has memory changed, has a warp gone on? */
static struct sm_spin_news news(struct gpu *gpu)
{
    struct sm_spin_news all = {.changed = gpu->host.values.changed};

    for (uint32_t s = 0; s < gpu->n_sms; s++) {
        struct sm_spin_news one = sm_spin_news(sm_at(gpu->sm, s));

        all.changed |= one.changed;
        all.went_on |= one.went_on;
    }
    for (uint32_t b = 0; b < gpu->n_banks; b++) {
        all.changed |= gpu->bank[b].values.changed;
    }
    return all;
}

/* ---- memory that changes ---- */

/* Note from now on what words become if so much is quiet that it may be of use. */
static void clear_rounds(struct gpu *gpu, bool open)
{
    values_clear(&gpu->host.values, open);
    for (uint32_t b = 0; b < gpu->n_banks; b++) {
        values_clear(&gpu->bank[b].values, open);
    }
    for (uint32_t s = 0; s < gpu->n_sms; s++) {
        sm_round_clear(sm_at(gpu->sm, s), open);
    }
}

/* Was it noted, and was there room for all, what loads brought and stores left? */
static bool open_rounds(const struct gpu *gpu)
{
    bool open = !gpu->host.values.full;

    for (uint32_t b = 0; b < gpu->n_banks; b++) {
        open &= !gpu->bank[b].values.full;
    }
    for (uint32_t s = 0; s < gpu->n_sms; s++) {
        open &= sm_round_open(sm_at(gpu->sm, s));
    }
    return open;
}

static void peek(void *self, uint64_t address, void *to, uint64_t bytes)
{
    gpu_peek(self, address, to, bytes);
}

static bool all_ahead(struct gpu *gpu, struct ahead *ahead)
{
    for (uint32_t s = 0; s < gpu->n_sms; s++) {
        if (!sm_ahead(sm_at(gpu->sm, s), ahead)) {
            return false;
        }
    }
    return true;
}

/* Warps run ahead until nothing new comes up, or one may end. */
static bool closed(struct gpu *gpu)
{
    struct ahead *ahead = calloc(1, sizeof *ahead);
    bool good = ahead != NULL;

    if (!good) {
        return false;
    }
    ahead->peek = peek;
    ahead->self = gpu;
    ahead->steps = AHEAD_STEPS;
    values_merge(&ahead->values, &gpu->host.values);
    for (uint32_t b = 0; b < gpu->n_banks; b++) {
        values_merge(&ahead->values, &gpu->bank[b].values);
    }
    for (uint32_t s = 0; s < gpu->n_sms; s++) {
        values_merge(&ahead->values, sm_round_values(sm_at(gpu->sm, s)));
    }
    do {
        ahead->grew = false;
        good = !ahead->values.full && all_ahead(gpu, ahead);
    } while (good && ahead->grew);
    for (uint32_t s = 0; s < ahead->n_states; s++) {
        free(ahead->state[s].image);
    }
    free(ahead);
    return good;
}

/* ---- looking ---- */

void gpu_spin_start(struct gpu *gpu)
{
    gpu->spin_window = gpu->config.machine_spin_cycles;
    gpu->spin_at = gpu->facts.launch->digest ? gpu->now + gpu->spin_window : CYCLE_NEVER;
    gpu->spin_noting = false;
    for (uint32_t s = 0; s < gpu->n_sms; s++) {
        sm_spin_forget(sm_at(gpu->sm, s));
    }
    clear_rounds(gpu, false);
}

static bool everywhere(const struct gpu *gpu)
{
    for (uint32_t s = 0; s < gpu->n_sms; s++) {
        if (!sm_spin_everywhere(sm_at(gpu->sm, s))) {
            return false;
        }
    }
    return true;
}

bool gpu_spins(struct gpu *gpu)
{
    struct sm_spin_news seen = news(gpu);
    bool still = !seen.changed && !seen.went_on;
    bool quiet = still || (!seen.went_on && open_rounds(gpu));

    gpu->spin_still = still;
    if (quiet && gpu->spin_noting && (still ? everywhere(gpu) : closed(gpu))) {
        return true;
    }
    clear_rounds(gpu, !seen.went_on);
    /* A circle may be longer than the time it was given. */
    gpu->spin_window = quiet && gpu->spin_noting ? 2 * gpu->spin_window
                                                 : gpu->config.machine_spin_cycles;
    gpu->spin_at = gpu->now + gpu->spin_window;
    gpu->spin_noting = quiet;
    for (uint32_t s = 0; s < gpu->n_sms; s++) {
        if (quiet) {
            sm_spin_note(sm_at(gpu->sm, s));
        } else {
            sm_spin_forget(sm_at(gpu->sm, s));
        }
    }
    return false;
}

/* ---- the report ---- */

struct report {
    struct gpu *gpu;
    char *at, *end;
    uint32_t left_out; /* warps */
};

__attribute__((format(printf, 2, 3))) static void add(struct report *r, const char *format, ...)
{
    va_list args;
    int n;

    va_start(args, format);
    n = vsnprintf(r->at, (size_t)(r->end - r->at), format, args);
    va_end(args);
    if (n > 0) {
        r->at += n < r->end - r->at ? n : r->end - r->at - 1;
    }
}

static const char *file_name(const struct isa_kernel *kernel)
{
    const char *slash = kernel->file ? strrchr(kernel->file, '/') : NULL;

    return slash ? slash + 1 : kernel->file ? kernel->file : "?";
}

/* The line's head; false when there is no room for it. */
static bool add_warps(struct report *r, const struct spin_group *group)
{
    if (r->end - r->at < 400) {
        r->left_out += group->n;
        return false;
    }
    add(r, "\n  SM %u CTA %llu warp %u", group->sm, (unsigned long long)group->cta,
        group->warp_in_cta);
    if (group->n > 1) {
        add(r, " and %u more", group->n - 1);
    }
    return true;
}

static void add_access(struct report *r, const struct spin_group *group)
{
    uint32_t bytes = group->op->bytes < 8 ? group->op->bytes : 8, hint = 0;
    const struct memory_buffer *buffer = memory_find(r->gpu->memory, group->address, &hint);
    uint64_t value = 0;

    add(r, ": line %u, %s 0x%llx", group->op->line,
        group->op->access == ISA_ACCESS_LOAD ? "load of" : "access to",
        (unsigned long long)group->address);
    if (!buffer) {
        return;
    }
    gpu_peek(r->gpu, group->address, &value, bytes);
    add(r, " (%.60s + %llu), which %s 0x%llx", buffer->name,
        (unsigned long long)(group->address - buffer->base),
        r->gpu->spin_still ? "stays" : "is, now,", (unsigned long long)value);
}

static void add_group(struct report *r, const struct spin_group *group)
{
    if (!add_warps(r, group)) {
        return;
    }
    switch (group->kind) {
    case SPIN_MEMORY: add_access(r, group); break;
    case SPIN_PLAIN:
        add(r, ": a loop without global or local memory around line %u",
            r->gpu->facts.launch->kernel->inst[group->pc].line);
        break;
    case SPIN_BARRIER: add(r, ": at a barrier"); break;
    case SPIN_STILL: add(r, ": waiting, without an instruction in all that time"); break;
    }
}

static void add_sm(struct report *r, const struct sm *sm)
{
    struct spin_group group[SM_MAX_WARPS];
    uint32_t n = sm_spin_groups(sm, group);

    for (uint32_t g = 0; g < n; g++) {
        add_group(r, &group[g]);
    }
}

void gpu_spin_report(struct gpu *gpu)
{
    struct report r = {.gpu = gpu, .at = gpu->error, .end = gpu->error + sizeof gpu->error};
    uint64_t room = (uint64_t)gpu->facts.ctas_per_sm * gpu->n_sms, started = gpu->ctas_done;

    for (uint32_t s = 0; s < gpu->n_sms; s++) {
        started += sm_ctas(sm_at(gpu->sm, s));
    }
    add(&r, "STUCK: kernel %s (%s) spins: in %u cycles %s (%llu of %llu CTAs done)",
        gpu->facts.launch->kernel->name, file_name(gpu->facts.launch->kernel),
        gpu->config.machine_spin_cycles,
        gpu->spin_still ? "no byte of memory has changed and every warp has come back to where it "
                          "was"
                        : "values go to and fro between warps, and none that they can load ends it",
        (unsigned long long)gpu->ctas_done, (unsigned long long)gpu->ctas);
    if (started < gpu->ctas) {
        add(&r,
            "\n  %llu CTAs wait for room, %llu fit the machine: those that wait for each other "
            "must all fit; launch fewer or smaller ones",
            (unsigned long long)(gpu->ctas - started), (unsigned long long)room);
    }
    for (uint32_t s = 0; s < gpu->n_sms; s++) {
        add_sm(&r, sm_at(gpu->sm, s));
    }
    if (r.left_out) {
        add(&r, "\n  and %u warps more", r.left_out);
    }
}
