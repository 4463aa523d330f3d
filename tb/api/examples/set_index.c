/* set_index.c - the unit fup20 as the set index of a small cache model, C and RTL in lockstep.
 *   cc set_index.c $(pkg-config --cflags --libs warplock-units) */
#include <stdio.h>
#include <warplock-units.h>

enum { SETS = 32, LINE_BYTES = 128 };

int main(void)
{
    char error[1024];
    struct wl_library *library = wl_open(NULL, error, sizeof error);
    struct wl_unit *index = library != NULL ? wl_unit_open(library, "fup20", "SETS=32", "lockstep",
                                                           error, sizeof error)
                                            : NULL;
    if (index == NULL) {
        fprintf(stderr, "%s\n", error);
        return 1;
    }
    const int address = wl_input(index, "addr"), set = wl_output(index, "set_index");
    unsigned lines[SETS] = {0}, used = 0;
    for (unsigned row = 0; row < SETS; row++) { /* a column of a matrix with rows of 4 KB */
        wl_set(index, address, UINT64_C(4096) * row);
        wl_settle(index);
        used += lines[wl_get(index, set)]++ == 0;
        wl_step(index);
    }
    printf("%u lines in %u sets\n", (unsigned)SETS, used);
    const char *difference = wl_difference(index);
    if (difference != NULL) {
        fputs(difference, stderr);
    }
    wl_unit_close(index);
    wl_close(library);
    return difference != NULL;
}
