/* checker.c - see checker.h. */
#include "machine/checker/checker.h"

#include <stdlib.h>
#include <string.h>

#include "machine/checker/checker_private.h"

bool checker_parse(const char *text, unsigned *what)
{
    static const char *const words[CHECKER_KINDS] = {"memory", "race", "init", "race-global"};

    *what = 0;
    for (const char *at = text;; at++) {
        size_t n = strcspn(at, ",");
        unsigned kind = 0;

        for (unsigned k = 0; k < CHECKER_KINDS; k++) {
            kind |= strlen(words[k]) == n && !strncmp(at, words[k], n) ? 1u << k : 0;
        }
        if (!kind) {
            return false;
        }
        *what |= kind;
        at += n;
        if (!*at) {
            return true;
        }
    }
}

struct checker *checker_open(const struct memory *memory, const struct host_backend *inner,
                             unsigned what, FILE *out)
{
    struct checker *check = calloc(1, sizeof *check);

    if (check) {
        check->memory = memory;
        check->inner = *inner;
        check->what = what;
        check->report.out = out;
    }
    return check;
}

static int launch(void *self, const struct isa_launch *launch, char *error, size_t n_error)
{
    return checker_launch(self, launch, error, n_error);
}

static void read_bytes(void *self, uint64_t address, void *to, uint64_t bytes)
{
    const struct checker *check = self;

    check->inner.read(check->inner.self, address, to, bytes);
}

static void write_bytes(void *self, uint64_t address, const void *from, uint64_t bytes)
{
    struct checker *check = self;

    checker_define(&check->undefined, address, bytes);
    check->inner.write(check->inner.self, address, from, bytes);
}

/* Without memory for it the bytes count as written: nothing is reported that is not so. */
static void undefine(void *self, uint64_t address, uint64_t bytes)
{
    struct checker *check = self;

    if (check->what & CHECKER_INIT) {
        checker_undefine(&check->undefined, address, bytes);
    }
    if (check->inner.undefine) {
        check->inner.undefine(check->inner.self, address, bytes);
    }
}

struct host_backend checker_backend(struct checker *check)
{
    return (struct host_backend){.self = check,
                                 .launch = launch,
                                 .read = read_bytes,
                                 .write = write_bytes,
                                 .undefine = undefine};
}

uint64_t checker_close(struct checker *check)
{
    uint64_t findings;

    if (!check) {
        return 0;
    }
    findings = check->report.findings;
    if (findings) {
        fprintf(check->report.out, "warplock: check: %llu finding%s in %llu accesses\n",
                (unsigned long long)findings, findings == 1 ? "" : "s",
                (unsigned long long)check->report.accesses);
    }
    checker_ranges_free(&check->undefined);
    free(check);
    return findings;
}
