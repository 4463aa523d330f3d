/* earlier.c - see earlier.h. */
#include "experiments/earlier.h"

#include <math.h>
#include <string.h>

#include "experiments/json_values.h"
#include "experiments/results.h"

int earlier_open(struct earlier *earlier, const char *path, char *error, size_t n_error)
{
    if (json_file_open(&earlier->file, path, error, n_error) != 0) {
        return -1;
    }
    if (!json_is_array(json_object_get(earlier->file.root, "experiments"))) {
        snprintf(error, n_error, "%s:1: no 'experiments'; `warplock scoreboard --json` writes them",
                 path);
        json_file_close(&earlier->file);
        return -1;
    }
    return 0;
}

void earlier_close(struct earlier *earlier)
{
    json_file_close(&earlier->file);
}

const json_t *earlier_of(const struct earlier *earlier, const struct experiment *e)
{
    const json_t *one;
    size_t i;
    json_array_foreach(json_object_get(earlier->file.root, "experiments"), i, one)
    {
        if (strcmp(text_of(one, "name"), e->name) == 0 &&
            strcmp(text_of(one, "digest"), e->digest) == 0) {
            return one;
        }
    }
    return NULL;
}

/* Is it of the same figure, whatever the document says of it? */
static bool same_figure(const json_t *one, const struct experiment *e, const struct claim *claim)
{
    char setting[512];
    claim_setting(e, claim, setting, sizeof setting);
    return strcmp(text_of(one, "metric"), e->metrics[claim->metric].name) == 0 &&
           strcmp(text_of(one, "scheme"), e->schemes[claim->scheme].name) == 0 &&
           strcmp(text_of(one, "over"),
                  claim_is_ratio(e, claim) ? e->schemes[claim_base(e, claim)].name : "") == 0 &&
           strcmp(text_of(one, "workload"),
                  claim->workload < e->n_workloads ? e->workloads[claim->workload] : "") == 0 &&
           strcmp(text_of(one, "setting"), setting) == 0;
}

double earlier_value(const json_t *of, const struct experiment *e, const struct claim *claim)
{
    const json_t *one;
    size_t i;
    json_array_foreach(json_object_get(of, "claims"), i, one)
    {
        if (same_figure(one, e, claim) && json_is_number(json_object_get(one, "here"))) {
            return json_number_value(json_object_get(one, "here"));
        }
    }
    return NAN;
}

json_t *earlier_not_so(const json_t *of, const struct cause *cause)
{
    const json_t *one;
    size_t i;
    json_array_foreach(json_object_get(of, "causes"), i, one)
    {
        json_t *not_so = json_object_get(one, "not_so");
        if (strcmp(text_of(one, "text"), cause->text) == 0 && json_is_array(not_so)) {
            return json_incref(not_so);
        }
    }
    return json_array();
}
