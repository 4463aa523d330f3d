/* sass_dump.c - see sass_dump.h. */
#include "sass/sass_dump.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sass/sass_dump_launch.h"

struct sass_dump {
    char *directory;
    FILE *list;
    uint32_t kernels;
    struct host_backend inner;
    bool failed;
};

/* A file of the directory, opened for writing; NULL with errno. */
static FILE *create(const struct sass_dump *dump, const char *name, const char *mode)
{
    char *path;
    FILE *file;

    if (asprintf(&path, "%s/%s", dump->directory, name) < 0) {
        return NULL;
    }
    file = fopen(path, mode);
    free(path);
    return file;
}

struct sass_dump *sass_dump_open(const char *directory, char *error, size_t n_error)
{
    struct sass_dump *dump = calloc(1, sizeof *dump);

    if (dump) {
        dump->directory = strdup(directory);
    }
    if (!dump || !dump->directory) {
        snprintf(error, n_error, "out of memory for the dump");
        free(dump);
        return NULL;
    }
    if (mkdir(directory, 0777) == 0 || errno == EEXIST) {
        dump->list = create(dump, "kernelslist.g", "wx");
    }
    if (!dump->list) {
        snprintf(error, n_error, "%s/kernelslist.g:1: %s; name a new directory", directory,
                 strerror(errno));
        free(dump->directory);
        free(dump);
        return NULL;
    }
    return dump;
}

static int dump_launch(void *self, const struct isa_launch *launch, char *error, size_t n_error)
{
    struct sass_dump *dump = self;
    struct sass_dump_launch *dumped;
    struct isa_launch between;
    char name[32];
    FILE *file;
    int status = -1;

    snprintf(name, sizeof name, "kernel-%u.traceg", dump->kernels + 1);
    file = create(dump, name, "w");
    if (!file) {
        snprintf(error, n_error, "%s/%s:1: %s; make room", dump->directory, name, strerror(errno));
        return -1;
    }
    dumped = sass_dump_launch_begin(launch, file, &between, error, n_error);
    if (dumped) {
        status = dump->inner.launch(dump->inner.self, &between, error, n_error);
        if (sass_dump_launch_end(dumped) != 0 && status == 0) {
            dump->failed = true;
        }
    }
    dump->failed |= (ferror(file) | fclose(file)) != 0;
    if (status == 0) {
        dump->kernels++;
        fprintf(dump->list, "%s\n", name);
    }
    return status;
}

static void dump_write(void *self, uint64_t address, const void *from, uint64_t bytes)
{
    struct sass_dump *dump = self;

    fprintf(dump->list, "MemcpyHtoD,0x%016llx,%llu\n", (unsigned long long)address,
            (unsigned long long)bytes);
    dump->inner.write(dump->inner.self, address, from, bytes);
}

static void dump_read(void *self, uint64_t address, void *to, uint64_t bytes)
{
    struct sass_dump *dump = self;

    dump->inner.read(dump->inner.self, address, to, bytes);
}

struct host_backend sass_dump_backend(struct sass_dump *dump, const struct host_backend *inner)
{
    dump->inner = *inner;
    return (struct host_backend){
        .self = dump, .launch = dump_launch, .read = dump_read, .write = dump_write};
}

int sass_dump_close(struct sass_dump *dump, char *error, size_t n_error)
{
    bool failed = dump->failed | (ferror(dump->list) != 0);

    failed |= fclose(dump->list) != 0;
    if (failed) {
        snprintf(error, n_error,
                 "%s/kernelslist.g:1: the trace could not be written whole; make "
                 "room on the disk or in memory",
                 dump->directory);
    }
    free(dump->directory);
    free(dump);
    return failed ? -1 : 0;
}
