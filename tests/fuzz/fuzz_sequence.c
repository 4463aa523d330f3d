/* fuzz_sequence.c - libFuzzer over the vector and replay reader (tb/sequence.h):
 * any text is read or refused with one line, and what is read is written and read
 * again to the same steps. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tb/sequence.h"

/* A unit with every kind of port and field. */
static const struct unit_param params[] = {{"P", 3, 3, 1, 8, false, ""}};
static const struct unit_port in[] = {
    {"a", 7, 1, false, 0, false, false, "ALWAYS", UNIT_DRAW_ANY, 0, ""},
    {"lanes", 40, 4, true, 1, false, false, "ALWAYS", UNIT_DRAW_ANY, 0, ""}};
static const struct unit_port out[] = {
    {"y", 64, 1, false, 0, false, false, "ALWAYS", UNIT_DRAW_ANY, 0, ""}};
static const struct unit_field state[] = {{"q", 2, 3, 0, 1, true, "ALWAYS", "q_q", ""}};
static const struct unit_enum enums[] = {{"q", "IDLE", 0}, {"q", "BUSY", 1}};
static const struct unit_desc desc = {
    "u", UNIT_SEQUENTIAL, "", "", params, 1, NULL, 0, in, 2, 5, out, 1, 1,
    state, 1, 3, NULL, 0, enums, 2};

static void same_again(const struct sequence *first)
{
    char path[64], error[512];
    snprintf(path, sizeof path, "/tmp/fuzz-sequence-%d-again", (int)getpid());
    FILE *file = fopen(path, "w");
    sequence_write(file, first, &desc);
    fclose(file);
    struct sequence_file again;
    struct sequence second;
    if (!sequence_file_open(&again, path, error, sizeof error) ||
        !sequence_parse(&second, &again, 0, &desc, error, sizeof error) ||
        second.n_steps != first->n_steps ||
        (second.state == NULL) != (first->state == NULL) ||
        (first->state != NULL && memcmp(second.state, first->state, desc.state_bytes) != 0) ||
        (first->n_inputs > 0 && memcmp(second.inputs, first->inputs,
                                       first->n_inputs * sizeof *first->inputs) != 0)) {
        fprintf(stderr, "written and read again differs: %s\n", error);
        abort();
    }
    sequence_free(&second);
    sequence_file_close(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[64], error[512];
    snprintf(path, sizeof path, "/tmp/fuzz-sequence-%d", (int)getpid());
    FILE *to = fopen(path, "wb");
    fwrite(data, 1, size, to);
    fclose(to);
    struct sequence_file file;
    if (!sequence_file_open(&file, path, error, sizeof error)) {
        return 0;
    }
    for (size_t i = 0; i < file.n_tests; i++) {
        struct sequence sequence;
        if (sequence_parse(&sequence, &file, i, &desc, error, sizeof error)) {
            same_again(&sequence);
            sequence_free(&sequence);
        }
    }
    sequence_file_close(&file);
    return 0;
}
