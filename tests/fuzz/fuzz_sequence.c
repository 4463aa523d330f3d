/* fuzz_sequence.c - libFuzzer over the vector and replay reader (tb/sequence.h):
 * any text is read or refused with one line, and what is read is written and read
 * again to the same steps. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    "u", UNIT_SEQUENTIAL, "", "", params, 1, NULL,  0, in, 2, 5, out, 1,
    1,   state,           1,  3,  NULL,   0, enums, 2};

static void same_again(const struct sequence *first)
{
    char *text = NULL, error[512] = "";
    size_t n_text = 0;
    FILE *to = open_memstream(&text, &n_text);
    if (to == NULL) {
        return;
    }
    sequence_write(to, first, &desc);
    fclose(to);
    struct sequence_file again;
    struct sequence second;
    if (!sequence_text_open(&again, "again", text, error, sizeof error) ||
        !sequence_parse(&second, &again, 0, &desc, error, sizeof error) ||
        second.n_steps != first->n_steps || (second.state == NULL) != (first->state == NULL) ||
        (first->state != NULL && memcmp(second.state, first->state, desc.state_bytes) != 0) ||
        (first->n_inputs > 0 &&
         memcmp(second.inputs, first->inputs, first->n_inputs * sizeof *first->inputs) != 0)) {
        fprintf(stderr, "written and read again differs: %s\n", error);
        abort();
    }
    sequence_free(&second);
    sequence_file_close(&again);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char error[512], *text = malloc(size + 1);
    struct sequence_file file;
    if (text == NULL) {
        return 0;
    }
    memcpy(text, data, size);
    text[size] = '\0';
    if (sequence_text_open(&file, "fuzz.vec", text, error, sizeof error)) {
        for (size_t i = 0; i < file.n_tests; i++) {
            struct sequence sequence;
            if (sequence_parse(&sequence, &file, i, &desc, error, sizeof error)) {
                same_again(&sequence);
                sequence_free(&sequence);
            }
        }
        sequence_file_close(&file);
    }
    free(text);
    return 0;
}
