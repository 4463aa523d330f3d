/* sass_survey.c - see sass_survey.h. */
#include "sass/sass_survey.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int survey_kernel(char path[SASS_PATH], struct sass_pages *pages,
                         const struct sass_scan_options *options, const struct sass_survey *survey,
                         char *error, size_t n_error)
{
    struct sass_kernel *kernel = calloc(1, sizeof *kernel);
    struct sass_input in;
    int result = -1;

    if (!kernel) {
        snprintf(error, n_error, "%s:1: out of memory for the kernel", path);
        return -1;
    }
    kernel->path = path;
    if (sass_input_open(&in, path, error, n_error) == 0) {
        result = sass_kernel_scan(kernel, &in, pages, options);
    }
    sass_input_close(&in);
    if (result == 0 && survey->kernel) {
        result = survey->kernel(survey->self, kernel);
    }
    sass_kernel_free(kernel);
    free(kernel);
    return result;
}

static int survey_list(struct sass_input *list, struct sass_pages *pages,
                       const struct sass_scan_options *options, const struct sass_survey *survey,
                       char *error, size_t n_error)
{
    struct sass_list_line line;
    char path[SASS_PATH];
    int more;

    while ((more = sass_list_next(list, &line)) > 0) {
        int result = 0;

        if (line.command == SASS_COMMAND_COPY && survey->copy) {
            result = survey->copy(survey->self, line.address, line.bytes);
        } else if (line.command == SASS_COMMAND_KERNEL) {
            result = sass_list_join(list, &line, path);
            if (result == 0) {
                result = survey_kernel(path, pages, options, survey, error, n_error);
            }
        }
        if (result != 0) {
            return -1;
        }
    }
    return more;
}

int sass_survey(const char *path, const struct sass_scan_options *options,
                const struct sass_survey *survey, char *error, size_t n_error)
{
    struct sass_pages own = {0}, *pages = survey->pages ? survey->pages : &own;
    struct sass_input list;
    char name[SASS_PATH];
    int result = -1;

    error[0] = '\0';
    if (strlen(path) >= sizeof name) {
        snprintf(error, n_error, "%.40s...:1: the path is longer than %d bytes; use a shorter one",
                 path, SASS_PATH);
        return -1;
    }
    strcpy(name, path);
    if (sass_is_kernel_path(path)) {
        result = survey_kernel(name, pages, options, survey, error, n_error);
    } else {
        if (sass_input_open(&list, name, error, n_error) == 0) {
            result = survey_list(&list, pages, options, survey, error, n_error);
        }
        sass_input_close(&list);
    }
    sass_pages_free(&own);
    return result;
}
