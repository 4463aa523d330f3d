/* checker.h - looks at every access that a kernel makes: memory out of bounds or misaligned, shared
 * memory that two threads use with nothing between that orders them, global memory that two threads of a
 * grid use so, bytes that are read and were never written.
 *
 * A backend between a host and the one that runs its launches; without it nothing is done.  Each
 * place in a kernel that does wrong is said once, in one line; its accesses are counted.  Illegal
 * lanes are left out and the run goes on; a load of theirs leaves the register as it is.
 *
 * After the PTX ISA manual, "Memory Consistency Model".  It knows launches through isa/isa.h and no
 * front end.  Warps of one launch must step on one thread.
 */
#ifndef WARPLOCK_MACHINE_CHECKER_H
#define WARPLOCK_MACHINE_CHECKER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "machine/host/host_machine.h"

enum {
    CHECKER_MEMORY = 1,
    CHECKER_RACE = 2,
    CHECKER_INIT = 4,
    CHECKER_GLOBAL = 8,
    CHECKER_KINDS = 4
};

struct checker;

/* "memory,race,init,race-global", any of them, to a mask; false when a word is none of these. */
bool checker_parse(const char *text, unsigned *what);

/* Looks at what `inner` runs.  Memory must outlive it; lines go to `out`.  NULL when out of memory. */
struct checker *checker_open(const struct memory *memory, const struct host_backend *inner,
                             unsigned what, FILE *out);
struct host_backend checker_backend(struct checker *check);
/* One line with the count, when there was a finding, and release.  Returns the count. */
uint64_t checker_close(struct checker *check);

#endif
