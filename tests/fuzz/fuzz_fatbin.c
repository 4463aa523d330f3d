/* fuzz_fatbin.c - libFuzzer entry: any bytes as a container of device code; every entry is walked,
 * every text unpacked, every payload read as machine code.
 */
#include <stdlib.h>

#include "cuda/cubin.h"
#include "cuda/fatbin.h"

static void ignore(void *context, const char *name, uint32_t registers)
{
    (void)context;
    (void)name;
    (void)registers;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fatbin_entry entry;
    bool above, foreign;
    char error[256];
    size_t at = 0;

    while (fatbin_next(data, size, &at, &entry, error, sizeof(error)) == 1) {
        size_t n;

        if (entry.bytes < 1 << 20) {
            free(fatbin_text(&entry, &n, error, sizeof(error)));
        }
        cubin_registers(entry.payload, (size_t)entry.payload_bytes, ignore, NULL);
    }
    cubin_registers(data, size, ignore, NULL);
    fatbin_choose(data, size, FATBIN_PTX, 75, &entry, &above, &foreign, error, sizeof(error));
    return 0;
}
