/* abi.h - the versions of the program, and of what a user's project is compiled against.
 *
 * It counts the changes of the structs and functions in the headers that projects include:
 * units/unit.h, units/table.h, tb/stimulus.h, mechanisms/mechanism.h, machine/plug and
 * workloads/workload.h.  A project says the version that it was made for; another one is refused, since
 * what was compiled for other structs would read what is not there.  tests/abi.sh refuses a change of
 * those headers under the same number. */
#ifndef WARPLOCK_BASE_ABI_H
#define WARPLOCK_BASE_ABI_H

#define WARPLOCK_ABI 1

/* Of the program; a package takes it from here, too. */
#define WARPLOCK_VERSION "0.9"

#endif
