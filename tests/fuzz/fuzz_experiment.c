/* fuzz_experiment.c - libFuzzer: no text makes the reader of experiments misbehave; an error names
 * file and line; what is accepted fills in every text of every setting that it is asked for. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
            experiment_row(e, w);
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
    static const char path[] = "/dev/shm/warplock-fuzz-experiment";
    char error[2048] = "";
    char name[80];
    snprintf(name, sizeof name, "%s-%ld.json", path, (long)getpid());
    FILE *file = fopen(name, "wb");
    if (file == NULL) {
        return 0;
    }
    fwrite(data, 1, size, file);
    fclose(file);
    struct experiment *experiment = experiment_read(name, error, sizeof error);
    if (experiment != NULL) {
        fill_in(experiment);
        experiment_free(experiment);
    } else if (strncmp(error, name, strlen(name)) != 0 || error[strlen(name)] != ':') {
        fprintf(stderr, "%s\n", error);
        abort(); /* every error names file and line */
    }
    unlink(name);
    return 0;
}
