/* fuzz_tracez.c - libFuzzer: no container makes its reader misbehave.
 *
 * The bytes are read as a .tracez; one that passes is run.  Every error names file and byte.
 *
 * Seeds: the files of tests/traces/tracez.py, sound and damaged.
 */
#include "fuzz_kernel.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_kernel("fuzz.tracez", data, size);
    return 0;
}
