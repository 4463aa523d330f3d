/* fuzz_experiment.c - libFuzzer: no text makes the reader of experiments misbehave; an error names
 * file and line; what is accepted fills in every text of every setting that it is asked for. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/experiment.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void fill_in(const struct experiment *e)
{
    const size_t settings = e->parameters.n_settings;
    for (size_t s = 0; s < settings; s += settings / 16 + 1) {
        char text[1024];
        json_decref(parameters_json(&e->parameters, s));
        parameters_describe(&e->parameters, s, text, sizeof text);
        parameters_fill(&e->parameters, s, e->machine, text, sizeof text);
        for (size_t w = 0; w < e->n_workloads; w++) {
            parameters_fill(&e->parameters, s, e->workloads[w], text, sizeof text);
            char name[ROW_NAME];
            experiment_row_name(e, s, w, name);
        }
    }
    for (size_t c = 0; c < e->n_claims; c++) {
        if (e->claims[c].setting >= settings) {
            abort();
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char name[] = "experiments/wang2015/fuzz.json"; /* what it includes is there */
    char error[2048] = "", *text = malloc(size + 1);
    if (text == NULL) {
        return 0;
    }
    memcpy(text, data, size);
    text[size] = '\0';
    struct experiment *experiment = experiment_read_text(name, text, error, sizeof error);
    free(text);
    if (experiment != NULL) {
        fill_in(experiment);
        experiment_free(experiment);
    } else if (strncmp(error, name, strlen(name)) != 0 || error[strlen(name)] != ':') {
        fprintf(stderr, "%s\n", error);
        abort(); /* every error names file and line */
    }
    return 0;
}
