/* checker_report.c - findings in words, each place once.  See checker_private.h. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "machine/checker/checker_private.h"

struct checker_site {
    struct {
        uint32_t kind, pc, other;
    } key;
    UT_hash_handle hh;
};

bool checker_new(struct checker_report *report, unsigned kind, const struct checker_place *place,
                 uint32_t other, uint32_t lanes)
{
    struct checker_site *site, *found;

    report->accesses += (uint64_t)__builtin_popcount(lanes);
    site = calloc(1, sizeof *site);
    if (!site) {
        return true; /* said twice rather than not at all */
    }
    site->key.kind = kind;
    site->key.pc = place->pc;
    site->key.other = other;
    HASH_FIND(hh, report->sites, &site->key, sizeof site->key, found);
    if (found) {
        free(site);
        return false;
    }
    HASH_ADD(hh, report->sites, key, sizeof site->key, site);
    return true;
}

void checker_forget_sites(struct checker_report *report)
{
    struct checker_site *site, *next;

    HASH_ITER(hh, report->sites, site, next)
    {
        HASH_DEL(report->sites, site);
        free(site);
    }
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

void checker_line(const struct isa_kernel *kernel, uint32_t pc, char *out, size_t n_out)
{
    const struct isa_source *source = kernel->source ? &kernel->source[pc] : NULL;
    int n = snprintf(out, n_out, "%.80s:%u", base_name(kernel->file), kernel->inst[pc].line);

    if (source && source->file) {
        snprintf(out + n, n_out - (size_t)n, " (%.80s:%u)", base_name(source->file), source->line);
    }
}

struct isa_dim3 checker_thread(const struct isa_launch *launch, uint32_t thread)
{
    const struct isa_dim3 *b = &launch->block;

    return (struct isa_dim3){thread % b->x, thread / b->x % b->y, thread / b->x / b->y};
}

const char *checker_verb(const struct isa_inst *inst)
{
    return inst->access == ISA_ACCESS_LOAD    ? "load"
           : inst->access == ISA_ACCESS_STORE ? "store"
                                              : "atomic";
}

void checker_say(struct checker_report *report, unsigned kind, const struct checker_place *place,
                 const char *format, ...)
{
    const struct isa_kernel *kernel = place->launch->kernel;
    struct isa_dim3 t = checker_thread(place->launch, place->thread);
    char line[192], what[512];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    checker_line(kernel, place->pc, line, sizeof line);
    report->findings++;
    fprintf(report->out,
            "warplock: check: %s: kernel %s, %s: %s, block (%u,%u,%u), thread (%u,%u,%u)\n",
            kind == CHECKER_MEMORY ? "memory"
            : kind == CHECKER_INIT ? "init"
                                   : "race",
            kernel->name, line, what, place->cta.x, place->cta.y, place->cta.z, t.x, t.y, t.z);
}
