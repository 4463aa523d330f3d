/* workload.c - the list of workloads and the search in it. */
#include "workloads/workload.h"

#include <string.h>

static const struct workload *const list[] = {
#define WORKLOAD(name) &workload_##name,
#include "workload_list.h"
#undef WORKLOAD
    NULL,
};

const struct workload *const *workload_list(void)
{
    return list;
}

const struct workload *workload_find(const char *name)
{
    for (size_t i = 0; list[i]; i++) {
        if (strcmp(list[i]->name, name) == 0) {
            return list[i];
        }
    }
    return NULL;
}
