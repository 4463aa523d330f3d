/* sass_writer.c - see sass_writer.h.  The text, and what both forms have in common. */
#include "sass/sass_writer_private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool sass_writer_is_container(const char *path)
{
    size_t n = strlen(path);

    return n > 7 && strcmp(path + n - 7, ".tracez") == 0;
}

struct sass_writer *sass_writer_open(const char *path, const struct sass_writer_options *options,
                                     char *error, size_t n_error)
{
    struct sass_writer *writer = calloc(1, sizeof *writer);

    if (!writer) {
        snprintf(error, n_error, "%s:1: out of memory for writing it", path);
        return NULL;
    }
    writer->path = path;
    writer->clusters = options->clusters;
    writer->file = fopen(path, "wx");
    if (writer->file && sass_writer_is_container(path)) {
        writer->container = tracez_writer_new(writer, options);
    } else if (writer->file) {
        writer->failed = fwrite(options->head, 1, options->n_head, writer->file) != options->n_head;
    }
    if (!writer->file || (sass_writer_is_container(path) && !writer->container)) {
        snprintf(error, n_error, "%s:1: %s; name a new file in a folder with room", path,
                 strerror(errno));
        if (writer->file) {
            fclose(writer->file);
            unlink(path);
        }
        free(writer);
        return NULL;
    }
    return writer;
}

int sass_writer_close(struct sass_writer *writer, bool whole, char *error, size_t n_error)
{
    bool failed;

    if (writer->container && whole && !writer->failed) {
        tracez_writer_finish(writer);
    }
    failed = writer->failed | (ferror(writer->file) != 0);
    failed |= fclose(writer->file) != 0;
    if (failed || !whole) {
        unlink(writer->path);
    }
    if (failed && whole) {
        snprintf(error, n_error,
                 "%s:1: it could not be written whole; make room on the disk or in "
                 "memory",
                 writer->path);
    }
    tracez_writer_free(writer->container);
    free(writer);
    return failed ? -1 : 0;
}

void sass_writer_block(struct sass_writer *writer, struct isa_dim3 at, const struct sass_cluster *c)
{
    writer->warps = 0;
    if (writer->container) {
        tracez_writer_block(writer, at, c);
        return;
    }
    fprintf(writer->file, "\n#BEGIN_TB\n\nthread block = %u,%u,%u\n", at.x, at.y, at.z);
    if (writer->clusters) {
        fprintf(writer->file, "cluster id = %u,%u,%u\ncluster cta = %u,%u,%u\ncluster rank = %u\n",
                c->id.x, c->id.y, c->id.z, c->cta.x, c->cta.y, c->cta.z, c->rank);
    }
}

void sass_writer_warp(struct sass_writer *writer, uint32_t warp, uint64_t lines)
{
    writer->warps++;
    if (writer->container) {
        tracez_writer_warp(writer);
        return;
    }
    fprintf(writer->file, "\nwarp = %u\ninsts = %llu\n", warp, (unsigned long long)lines);
}

void sass_writer_line(struct sass_writer *writer, const char *from, const char *to)
{
    if (writer->container) {
        tracez_writer_line(writer, from, to);
        return;
    }
    fwrite(from, 1, (size_t)(to - from), writer->file);
    putc('\n', writer->file);
}

void sass_writer_warp_end(struct sass_writer *writer)
{
    if (writer->container) {
        tracez_writer_warp_end(writer);
    }
}

void sass_writer_block_end(struct sass_writer *writer)
{
    if (writer->container) {
        tracez_writer_block_end(writer);
        return;
    }
    fprintf(writer->file, "\n#END_TB\n");
}
