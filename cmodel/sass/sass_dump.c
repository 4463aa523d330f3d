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
    bool container, failed;
};

static FILE *create_list(const struct sass_dump *dump)
{
    char *path;
    FILE *file;

    if (asprintf(&path, "%s/kernelslist.g", dump->directory) < 0) {
        return NULL;
    }
    file = fopen(path, "wx");
    free(path);
    return file;
}

struct sass_dump *sass_dump_open(const char *directory, bool container, char *error, size_t n_error)
{
    struct sass_dump *dump = calloc(1, sizeof *dump);

    if (dump) {
        dump->directory = strdup(directory);
        dump->container = container;
    }
    if (!dump || !dump->directory) {
        snprintf(error, n_error, "out of memory for the dump");
        free(dump);
        return NULL;
    }
    if (mkdir(directory, 0777) == 0 || errno == EEXIST) {
        dump->list = create_list(dump);
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

static struct sass_writer *open_kernel(const struct isa_launch *launch, const char *path,
                                       char *error, size_t n_error)
{
    struct sass_writer_options options = {0};
    struct sass_writer *writer = NULL;
    char *head = NULL;
    FILE *text = open_memstream(&head, &options.n_head);

    if (text) {
        sass_dump_head(launch, text);
    }
    if (!text || fclose(text) != 0) {
        snprintf(error, n_error, "out of memory for dumping kernel %s", launch->kernel->name);
    } else {
        options.head = head;
        writer = sass_writer_open(path, &options, error, n_error);
    }
    free(head);
    return writer;
}

/* Run it, written down on its way. */
static int launch_and_write(struct sass_dump *dump, const struct isa_launch *launch,
                            struct sass_writer *writer, char *error, size_t n_error)
{
    struct isa_launch between;
    struct sass_dump_launch *dumped = sass_dump_launch_begin(launch, writer, &between, error,
                                                             n_error);
    char why[512];
    int status = -1;

    if (dumped) {
        status = dump->inner.launch(dump->inner.self, &between, error, n_error);
        dump->failed |= sass_dump_launch_end(dumped) != 0 && status == 0;
    }
    dump->failed |= sass_writer_close(writer, status == 0, why, sizeof why) != 0;
    return status;
}

static int dump_launch(void *self, const struct isa_launch *launch, char *error, size_t n_error)
{
    struct sass_dump *dump = self;
    struct sass_writer *writer;
    char name[32], *path;
    int status = -1;

    snprintf(name, sizeof name, "kernel-%u.%s", dump->kernels + 1,
             dump->container ? "tracez" : "traceg");
    if (asprintf(&path, "%s/%s", dump->directory, name) < 0) {
        snprintf(error, n_error, "out of memory for the dump");
        return -1;
    }
    writer = open_kernel(launch, path, error, n_error);
    if (writer) {
        status = launch_and_write(dump, launch, writer, error, n_error);
    }
    free(path);
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
