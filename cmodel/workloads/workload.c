/* workload.c - the list of workloads and the search in it. */
#include "workloads/workload.h"

#include <dlfcn.h>
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

const struct workload *const *workload_project_list(void)
{
    static const struct workload *const none[] = {NULL};
    const void *more = dlsym(RTLD_DEFAULT, "project_workloads");
    return more != NULL ? more : none;
}

static const struct workload *find_in(const struct workload *const *workloads, const char *name)
{
    while (*workloads != NULL && strcmp((*workloads)->name, name) != 0) {
        workloads++;
    }
    return *workloads;
}

const struct workload *workload_find(const char *name)
{
    const struct workload *found = find_in(list, name);
    return found != NULL ? found : find_in(workload_project_list(), name);
}
