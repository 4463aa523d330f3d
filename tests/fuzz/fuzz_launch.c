/* fuzz_launch.c - libFuzzer: no text makes the launch file reader misbehave. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "machine/host/launch_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct launch_file file;
    char error[256] = "", *text = malloc(size + 1);

    if (text) {
        memcpy(text, data, size);
        text[size] = '\0';
        if (launch_file_parse(&file, "fuzz.ini", text, error, sizeof error) != 0 &&
            strncmp(error, "fuzz.ini:", 9) != 0) {
            abort(); /* every error names file and line */
        }
        launch_file_release(&file);
    }
    free(text);
    return 0;
}
