/* fuzz_trace.c - libFuzzer: no bytes make the trace front end misbehave.
 *
 * The bytes are read as a command list and as a kernel's trace, compressed or not.  A trace
 * that passes is run.  Every error names file and line.
 *
 * Seeds: tests/traces, plain and compressed.
 */
#include "fuzz_kernel.h"

#include "sass/sass_run.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_LIST_LINES = 256 };

static void read_list(const uint8_t *data, size_t size)
{
    char error[256];
    struct sass_input in;
    struct sass_list_line line;
    int more = sass_input_memory(&in, "fuzz.traceg", data, size, error, sizeof error) + 1;

    /* A few bytes may unpack to millions of lines that a list ignores. */
    for (uint32_t n = 0; n < MAX_LIST_LINES && more > 0; n++) {
        more = sass_list_next(&in, &line);
    }
    if (error[0]) {
        must_name_place("fuzz.traceg", error);
    }
    sass_input_close(&in);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_list(data, size);
    read_kernel("fuzz.traceg", data, size);
    return 0;
}
