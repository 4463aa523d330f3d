/* workload.h - what a workload is, and the list of all of them.
 *
 * A workload is a host program written against machine/host/host.h alone, a kernel in
 * CUDA C with the PTX made from it, a seeded input generator with named sizes
 * and a check against a CPU reference.  It does not know on which machine, or
 * with which mechanism, it runs.
 *
 * Adding one: a folder <name>/ with <name>.c, <name>.cu, <name>.ptx and one
 * line in workload_list.h.
 */
#ifndef WARPLOCK_WORKLOADS_WORKLOAD_H
#define WARPLOCK_WORKLOADS_WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "machine/host/host.h"

/* One parameter of a workload's sizes. */
enum workload_kind {
    WORKLOAD_NUMBER, /* decimal, between min and max inclusive */
    WORKLOAD_POWER2, /* as NUMBER, and a power of two */
    WORKLOAD_TEXT    /* free text without comma: a file name or a generator's name */
};
struct workload_param {
    const char *key;
    enum workload_kind kind;
    uint64_t min, max;   /* of numbers */
    const char *meaning; /* one line, with the unit */
};

/* A size: every parameter of the workload has a value in `values`,
 * written "key=value,key=value". */
struct workload_size {
    const char *name; /* tiny, small, doc, … */
    const char *values;
};

/* The closed-form access pattern of one global load instruction, for every warp
 * with all 32 lanes active, at the sizes tiny, small and doc. */
#define WORKLOAD_STRIDE_VARIES INT64_MIN
struct workload_expect {
    const char *kernel;
    unsigned load;        /* ordinal of the ld.global in the kernel's PTX text, from 0 */
    unsigned nreq;        /* 128-byte lines requested: exactly, or at least if nreq_max > 0 */
    unsigned nreq_max;    /* 0: exactly nreq */
    int64_t stride_bytes; /* address of lane 1 less that of lane 0, or the above */
    const char *what;     /* the source expression */
};

enum workload_status { WORKLOAD_OK = 0, WORKLOAD_WRONG = 1, WORKLOAD_ERROR = 2 };

struct workload_result {
    uint64_t checked;  /* values compared with the CPU reference */
    uint64_t wrong;    /* of those, how many differed */
    char message[256]; /* first mismatch or the error in words; empty when all is well */
};

struct workload {
    const char *name, *title;
    const char *source;                   /* document and section it works after */
    const struct workload_param *params;  /* ends with key == NULL */
    const struct workload_size *sizes;    /* ends with name == NULL */
    const struct workload_expect *expect; /* ends with kernel == NULL; NULL: none is closed-form */
    /* CTAs work on each other's data inside a launch: all must be resident together, and the
     * machine coherent (-m no-l1 or a protocol). */
    bool together;
    /* Allocate, copy, launch, read back, check.  `size` comes from
     * workload_size_parse.  Returns enum workload_status. */
    int (*run)(struct host *host, const struct workload_size *size, uint64_t seed,
               struct workload_result *result);
};

#define WORKLOAD(name) extern const struct workload workload_##name;
#include "workload_list.h"
#undef WORKLOAD

/* All workloads by name, NULL-terminated. */
const struct workload *const *workload_list(void);
/* Those of a user's project that was loaded; none otherwise. */
const struct workload *const *workload_project_list(void);

/* The workload of that name, of the list or of the project, or NULL. */
const struct workload *workload_find(const char *name);

/* Understand `text`: a size's name, or "key=value,…" changing the size `small`,
 * or both: "doc,trip=64".  On success `*out` has every parameter and must be
 * released with workload_size_free; returns 0.  Otherwise -1 and one line in
 * `error` that says what is wrong and what would be right. */
int workload_size_parse(const struct workload *workload, const char *text,
                        struct workload_size *out, char *error, size_t n_error);
void workload_size_free(struct workload_size *size);

/* A parameter's value, for run functions: the key must be one of the
 * workload's params, and the size one made by workload_size_parse. */
uint64_t workload_number(const struct workload_size *size, const char *key);
uint32_t workload_u32(const struct workload_size *size, const char *key);
/* Copies at most n_out - 1 characters; returns 0, or -1 when cut short. */
int workload_text(const struct workload_size *size, const char *key, char *out, size_t n_out);

#endif
