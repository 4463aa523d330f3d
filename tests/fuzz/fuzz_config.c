/* fuzz_config.c - libFuzzer: no text makes the configuration reader misbehave, whatever it rests
 * on, and what it accepts passes every range check again through --set. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "machine/config/config_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct gpu_config config;
    char error[256] = "", *text = malloc(size + 1);

    if (!text) {
        return 0;
    }
    memcpy(text, data, size);
    text[size] = '\0';
    config_defaults(&config);
    if (config_read_text(&config, "fuzz.ini", text, "cmodel/machine/configs", error,
                         sizeof error) == 0) {
        config_check(&config, error, sizeof error);
    } else if (strncmp(error, "fuzz.ini:", 9) != 0) {
        abort(); /* every error names file and line */
    }
    config_set(&config, text, error, sizeof error);
    free(text);
    return 0;
}
