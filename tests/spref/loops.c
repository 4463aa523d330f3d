/* loops.c - runs the kernels of fuzz.py, each on a machine of its own without and with a mechanism, all in
 * one process (lakshminarayana2014-graph 3.8).
 *
 *   loops WORDS FILE     what the buffers hold at first; the PTX of the kernel at work is written to FILE
 *
 * On standard input, for each kernel: a line `NUMBER MECHANISM BYTES`, then so many bytes of PTX, whose
 * kernel `k` takes the buffers ro0, ro1, rw, out.  On standard output, a line each: the number; the status
 * of both runs; 1 when their results are the same; loads of the first that the second has not, loads of
 * the second that the first has not, lanes of moves with other bytes than memory's; what `spref` counted,
 * as in COUNTED; the second run's error, if any. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/machine.h"
#include "cli/run_units.h"
#include "machine/host/host_machine.h"
#include "ptx/ptx_loader.h"
#include "reads.h"
#include "tb/backend.h"

/* Behind each buffer there is none. */
enum { ALIGN_BYTES = 1 << 16 };
enum { WORDS = 4096, CTAS = 2, THREADS = 48, BUFFERS = 4, RW = 2, OUT = 3 };
static const char *const COUNTED[] = {"moves", "heads", "tails", "poisoned", "regrouped", "hinted"};

struct loops {
    struct gpu_config config;
    struct library *library;
    const char *file;
    uint32_t words[WORDS];
};

struct ended {
    int status;
    char error[512];
    uint32_t rw[WORDS], out[WORDS];
    struct reads reads;
    json_int_t counted[sizeof COUNTED / sizeof *COUNTED];
};

/* ---- one run ---- */

static void launch(const struct loops *loops, struct host *host, struct ended *ended)
{
    static const char *const names[BUFFERS] = {"ro0", "ro1", "rw", "out"};
    const struct isa_dim3 grid = {CTAS, 1, 1}, block = {THREADS, 1, 1};
    gpu_ptr at[BUFFERS];
    struct host_arg args[BUFFERS];
    for (size_t b = 0; b < BUFFERS; b++) {
        at[b] = host_alloc(host, names[b], sizeof loops->words, ALIGN_BYTES);
        args[b] = host_arg_u64(at[b]);
        if (b != OUT) {
            host_write(host, at[b], loops->words, sizeof loops->words);
        }
    }
    host_launch(host, loops->file, "k", grid, block, 0, args, BUFFERS);
    host_read(host, ended->rw, at[RW], sizeof ended->rw);
    host_read(host, ended->out, at[OUT], sizeof ended->out);
}

static void count(const struct run_units *units, struct ended *ended)
{
    json_t *all = run_units_json(units);
    for (size_t i = 0; i < sizeof COUNTED / sizeof *COUNTED; i++) {
        ended->counted[i] = json_integer_value(
            json_object_get(json_object_get(all, "spref"), COUNTED[i]));
    }
    json_decref(all);
}

static void run(struct loops *loops, const char *mechanism, struct ended *ended)
{
    const struct gpu_options options = {.threads = 1, .max_cycles = 5000000};
    const struct run_units_options units_options = {.names = mechanism, .library = loops->library};
    struct memory *memory = memory_create();
    *ended = (struct ended){.status = -1, .error = "out of memory"};
    struct gpu *gpu = memory == NULL ? NULL
                                     : gpu_create(&loops->config, &options, memory, ended->error,
                                                  sizeof ended->error);
    struct run_units *units = gpu == NULL ? NULL
                                          : run_units_open(gpu, &units_options, ended->error,
                                                           sizeof ended->error);
    if (units != NULL) {
        const struct host_backend backend = host_timed(gpu);
        const struct host_loader loader = ptx_loader(&gpu->n_sms);
        struct host *host = host_create(gpu->memory, &backend, &loader, "");
        reads_watch(&ended->reads, gpu);
        if (host != NULL) {
            launch(loops, host, ended);
            ended->status = host_error(host) == NULL ? 0
                            : host_status(host)      ? host_status(host)
                                                     : -1;
            snprintf(ended->error, sizeof ended->error, "%s",
                     host_error(host) ? host_error(host) : "");
            count(units, ended);
        }
        host_destroy(host);
    }
    run_units_detach(units);
    gpu_destroy(gpu);
    memory_destroy(memory);
}

/* ---- the pair ---- */

static void report(uint64_t number, struct ended *plain, struct ended *other)
{
    const bool same = memcmp(plain->rw, other->rw, sizeof plain->rw) == 0 &&
                      memcmp(plain->out, other->out, sizeof plain->out) == 0;
    const size_t missing = reads_missing(&plain->reads, &other->reads);
    printf("%" PRIu64 " %d %d %d %zu %zu %" PRIu64, number, plain->status, other->status, same,
           missing, other->reads.n + missing - plain->reads.n, other->reads.wrong);
    for (size_t i = 0; i < sizeof COUNTED / sizeof *COUNTED; i++) {
        printf(" %lld", (long long)other->counted[i]);
    }
    printf(" %.*s\n", (int)strcspn(other->error, "\n"), other->error);
    fflush(stdout);
}

static bool write_kernel(const struct loops *loops, size_t bytes)
{
    char *text = malloc(bytes);
    FILE *out = fopen(loops->file, "w");
    const bool good = text != NULL && out != NULL && fread(text, 1, bytes, stdin) == bytes &&
                      fwrite(text, 1, bytes, out) == bytes;
    free(text);
    return out != NULL && fclose(out) == 0 && good;
}

/* All kernels of standard input; the exit status. */
static int serve(struct loops *loops, struct ended *plain, struct ended *other)
{
    uint64_t number;
    char mechanism[128];
    size_t bytes;
    while (scanf("%" SCNu64 " %127s %zu", &number, mechanism, &bytes) == 3) {
        if (getchar() != '\n' || !write_kernel(loops, bytes)) {
            fprintf(stderr,
                    "loops: kernel %" PRIu64 ": its text is not whole, or %s cannot be written\n",
                    number, loops->file);
            return 2;
        }
        run(loops, NULL, plain);
        run(loops, mechanism, other);
        const bool whole = !plain->reads.out_of_memory && !other->reads.out_of_memory;
        report(number, plain, other);
        reads_free(&plain->reads);
        reads_free(&other->reads);
        if (!whole) {
            fprintf(stderr, "loops: out of memory for what kernel %" PRIu64 " reads\n", number);
            return 2;
        }
    }
    return 0;
}

static bool read_words(struct loops *loops, const char *file, char *error, size_t n_error)
{
    FILE *in = fopen(file, "rb");
    const size_t n = in != NULL ? fread(loops->words, sizeof *loops->words, WORDS, in) : 0;
    if (in != NULL) {
        fclose(in);
    }
    snprintf(error, n_error, "%s: %zu words of %d; give a file of so many", file, n, WORDS);
    return n == WORDS;
}

int main(int argc, char **argv)
{
    static const char *const one_sm[] = {"machine.sms=1"};
    struct loops *loops = calloc(1, sizeof *loops);
    struct ended *ended = calloc(2, sizeof *ended);
    char error[512] = "give a file of words and a name for PTX, and memory";
    int status = 2;
    if (loops != NULL && ended != NULL && argc == 3 &&
        (loops->library = library_new(NULL)) != NULL &&
        read_words(loops, argv[1], error, sizeof error) &&
        cli_read_config("lakshminarayana2014", one_sm, 1, &loops->config, error, sizeof error) ==
            0) {
        loops->file = argv[2];
        status = serve(loops, &ended[0], &ended[1]);
    } else {
        fprintf(stderr, "loops: %s\n", error);
    }
    if (loops != NULL && loops->library != NULL) {
        library_free(loops->library);
    }
    free(loops);
    free(ended);
    return status;
}
