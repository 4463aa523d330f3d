/* sass_copy.c - see sass_copy.h. */
#include "sass/sass_copy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sass/sass_scan_text.h"
#include "sass/sass_writer.h"

/* A dictionary is made from every so many-th line, up to so much of them. */
enum { SAMPLE_EVERY = 8, SAMPLE_BYTES = 1 << 20, MAX_SAMPLES = 1 << 16 };

struct copy {
    struct sass_writer *writer;
    struct sass_copy_range range;
    uint64_t block, line; /* looked at so far */
    bool inside;
    uint32_t next_warp;
    struct sass_copied *copied;
    /* The samples. */
    char *text;
    size_t n_text, *size;
    uint32_t n_samples;
};

/* ---- the head ---- */

static bool is_line_of(const char *from, const char *to, const char *key)
{
    return scan_word(&from, to, key);
}

/* Its lines up to the one that names the columns, which says so many blocks when it is not 0; and
 * the blank lines but one that a text has behind.  0, or -1 and the error. */
static int copy_head(struct sass_input *in, uint64_t kept, FILE *out)
{
    const char *from, *to, *at;
    uint32_t blank = 0;
    int more;

    if (kept) {
        fprintf(out, "-warplock kept blocks = %llu\n", (unsigned long long)kept);
    }
    while ((more = sass_input_line(in, &from, &to)) > 0) {
        if (!kept || !is_line_of(from, to, "-warplock kept blocks")) {
            fwrite(from, 1, (size_t)(in->line_end - from), out);
            fputc('\n', out);
        }
        if (from < to && *from == '#') {
            break;
        }
    }
    while (more > 0 && (more = sass_input_line(in, &from, &to)) > 0) {
        at = scan_blanks(from, to);
        if (at < to && !in->tracez) {
            break; /* the first block */
        }
        if (in->tracez) {
            fwrite(from, 1, (size_t)(in->line_end - from), out);
            fputc('\n', out);
        } else if (blank++ > 0) {
            fputc('\n', out);
        }
    }
    return more < 0 ? -1 : 0;
}

static char *make_head(char *path, uint64_t kept, size_t *n, char *error, size_t n_error)
{
    struct sass_input in;
    char *head = NULL;
    FILE *out = open_memstream(&head, n);
    int result = -1;

    if (!out) {
        snprintf(error, n_error, "%s:1: out of memory for the head", path);
        return NULL;
    }
    if (sass_input_open(&in, path, error, n_error) == 0) {
        result = copy_head(&in, kept, out);
    }
    sass_input_close(&in);
    if (fclose(out) != 0 || result != 0) {
        free(head);
        head = NULL;
    }
    return head;
}

/* ---- the body ---- */

static int block_begin(void *self, struct sass_input *in, struct isa_dim3 at,
                       const struct sass_cluster *cluster)
{
    struct copy *copy = self;

    (void)in;
    copy->inside = copy->block >= copy->range.first && copy->block <= copy->range.last;
    copy->block++;
    copy->next_warp = 0;
    if (copy->inside && copy->writer) {
        sass_writer_block(copy->writer, at, cluster);
        copy->copied->blocks++;
    }
    return 0;
}

static int warp_begin(void *self, struct sass_input *in, uint32_t warp, uint64_t lines)
{
    struct copy *copy = self;

    if (warp != copy->next_warp++) {
        return sass_fail(in, "warp %u where warp %u should be; only warps in order can be copied",
                         warp, copy->next_warp - 1);
    }
    if (copy->inside) {
        sass_writer_warp(copy->writer, warp, lines);
        copy->copied->lines += lines;
    }
    return 0;
}

static int copy_line(void *self, struct sass_input *in, const char *from, const char *to)
{
    struct copy *copy = self;

    (void)in;
    if (copy->inside) {
        sass_writer_line(copy->writer, from, to);
    }
    return 0;
}

static int warp_end(void *self, struct sass_input *in, uint32_t warp)
{
    struct copy *copy = self;

    (void)in;
    (void)warp;
    if (copy->inside) {
        sass_writer_warp_end(copy->writer);
    }
    return 0;
}

static int block_end(void *self, struct sass_input *in)
{
    struct copy *copy = self;

    (void)in;
    if (copy->inside) {
        sass_writer_block_end(copy->writer);
    }
    return 0;
}

static int sample_line(void *self, struct sass_input *in, const char *from, const char *to)
{
    struct copy *copy = self;
    const size_t n = (size_t)(to - from);

    (void)in;
    if (copy->inside && copy->line++ % SAMPLE_EVERY == 0 && n > 0 &&
        copy->n_text + n <= SAMPLE_BYTES && copy->n_samples < MAX_SAMPLES) {
        memcpy(copy->text + copy->n_text, from, n);
        copy->n_text += n;
        copy->size[copy->n_samples++] = n;
    }
    return 0;
}

/* Every block of the file to the sink, or until the samples are enough. */
static int read_all(char *path, struct copy *copy, const struct sass_sink *sink, bool sampling,
                    char *error, size_t n_error)
{
    struct sass_header *head = malloc(sizeof *head);
    struct sass_reader reader = {.header = head};
    struct sass_input in;
    int more = -1;

    copy->block = copy->line = 0;
    if (sass_input_open(&in, path, error, n_error) == 0 && head) {
        more = sass_header_read(&in, head);
        if (more == 0 && in.tracez) {
            more = sass_tracez_check(in.tracez, &in, head->grid, head->warps);
        }
        more = more == 0 ? 1 : -1;
    }
    reader.in = &in;
    while (more > 0 && copy->block <= copy->range.last &&
           !(sampling && copy->n_text > SAMPLE_BYTES / 2)) {
        more = sass_read_block(&reader, sink);
    }
    copy->copied->bytes_in = in.bytes_total;
    sass_reader_free(&reader);
    sass_input_close(&in);
    free(head);
    return more < 0 ? -1 : 0;
}

static int train(char *path, struct copy *copy, struct sass_writer_options *options,
                 void **dictionary, char *error, size_t n_error)
{
    const struct sass_sink sink = {.self = copy, .block_begin = block_begin, .line = sample_line};
    int result;

    copy->text = malloc(SAMPLE_BYTES);
    copy->size = malloc(MAX_SAMPLES * sizeof *copy->size);
    if (!copy->text || !copy->size) {
        snprintf(error, n_error, "%s:1: out of memory for the dictionary", path);
        return -1;
    }
    result = read_all(path, copy, &sink, true, error, n_error);
    if (result == 0) {
        options->n_dictionary = sass_writer_train(copy->text, copy->size, copy->n_samples,
                                                  dictionary);
        options->dictionary = *dictionary;
    }
    return result;
}

static int write_body(char *from, const char *to, struct copy *copy,
                      const struct sass_writer_options *options, char *error, size_t n_error)
{
    const struct sass_sink sink = {.self = copy,
                                   .block_begin = block_begin,
                                   .warp_begin = warp_begin,
                                   .line = copy_line,
                                   .warp_end = warp_end,
                                   .block_end = block_end};
    char why[512];
    struct stat about;
    int result;

    copy->writer = sass_writer_open(to, options, error, n_error);
    if (!copy->writer) {
        return -1;
    }
    result = read_all(from, copy, &sink, false, error, n_error);
    if (sass_writer_close(copy->writer, result == 0, why, sizeof why) != 0 && result == 0) {
        snprintf(error, n_error, "%s", why);
        return -1;
    }
    if (stat(to, &about) == 0) {
        copy->copied->bytes_out = (uint64_t)about.st_size;
    }
    return result;
}

/* A part must have whole clusters, which follow each other. */
static int check_range(const struct sass_kernel *kernel, struct sass_copy_range *range, char *error,
                       size_t n_error)
{
    const uint32_t blocks = kernel->cluster.blocks;

    range->last = range->last < kernel->blocks ? range->last : kernel->blocks - 1;
    if (range->first > range->last) {
        snprintf(error, n_error, "%s:1: it has %llu blocks, 0 to %llu; none of them is wanted",
                 kernel->path, (unsigned long long)kernel->blocks,
                 (unsigned long long)kernel->blocks - 1);
        return -1;
    }
    if (blocks > 1 && range->last - range->first + 1 < kernel->blocks &&
        (!kernel->cluster.consecutive || range->first % blocks || (range->last + 1) % blocks)) {
        snprintf(error, n_error,
                 "%s:1: blocks are in clusters of %u, %s; a cut takes whole ones: first and last+1 "
                 "multiples of that",
                 kernel->path, blocks,
                 kernel->cluster.consecutive ? "one after the other"
                                             : "not one after the other, and cannot be cut");
        return -1;
    }
    return 0;
}

static int scan(char *from, const struct sass_scan_options *options, struct sass_kernel *kernel,
                char *error, size_t n_error)
{
    struct sass_pages pages = {0};
    struct sass_input in;
    int result = -1;

    kernel->path = from;
    if (sass_input_open(&in, from, error, n_error) == 0) {
        result = sass_kernel_scan(kernel, &in, &pages, options);
    }
    sass_input_close(&in);
    sass_pages_free(&pages);
    return result;
}

int sass_copy(char from[SASS_PATH], const char *to, const struct sass_scan_options *options,
              struct sass_copy_range range, struct sass_copied *copied, char *error, size_t n_error)
{
    struct sass_kernel *kernel = calloc(1, sizeof *kernel);
    struct copy copy = {.copied = copied};
    struct sass_writer_options how = {0};
    char *head = NULL;
    void *dictionary = NULL;
    uint64_t kept;
    int result = -1;

    *copied = (struct sass_copied){0};
    error[0] = '\0';
    if (!kernel) {
        snprintf(error, n_error, "%s:1: out of memory for the kernel", from);
    } else if (scan(from, options, kernel, error, n_error) == 0 &&
               check_range(kernel, &range, error, n_error) == 0) {
        kept = range.last - range.first + 1;
        copy.range = range;
        how.clusters = kernel->header.modern;
        head = make_head(from, kept < kernel->blocks ? kept : 0, &how.n_head, error, n_error);
        how.head = head;
        result = head ? 0 : -1;
    }
    if (result == 0 && sass_writer_is_container(to)) {
        result = train(from, &copy, &how, &dictionary, error, n_error);
    }
    if (result == 0) {
        result = write_body(from, to, &copy, &how, error, n_error);
    }
    if (kernel) {
        sass_kernel_free(kernel);
    }
    free(kernel);
    free(head);
    free(dictionary);
    free(copy.text);
    free(copy.size);
    return result;
}
