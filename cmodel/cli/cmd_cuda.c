/* cmd_cuda.c - `warplock cuda`: start a CUDA program with our runtime library in the place of
 * NVIDIA's.
 *
 * The program must load the library when it starts; whether it does is written in it, and looked up
 * first, so that one linked otherwise is refused with the option that helps.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/tree.h"
#include "base/verdict.h"
#include "cli/commands.h"
#include "cli/cuda_options.h"
#include "cli/machine.h"
#include "machine/config/config.h"
#include "machine/gpu.h"

/* What an executable says about itself. */
struct executable {
    bool is_elf, has_kernels, has_rpath;
    char runtime[64]; /* the runtime library it needs; empty: none */
};

struct image {
    const uint8_t *bytes;
    size_t n;
};

static const void *at(const struct image *image, uint64_t offset, uint64_t bytes)
{
    return offset <= image->n && bytes <= image->n - offset ? image->bytes + offset : NULL;
}

static const char *text_at(const struct image *image, uint64_t offset)
{
    const char *text = at(image, offset, 1);

    return text && memchr(text, '\0', image->n - offset) ? text : "";
}

static void read_dynamic(const struct image *image, const Elf64_Shdr *section,
                         const Elf64_Shdr *strings, struct executable *out)
{
    const Elf64_Dyn *entry = at(image, section->sh_offset, section->sh_size);

    for (uint64_t e = 0; entry && e < section->sh_size / sizeof *entry; e++) {
        const char *text = text_at(image, strings->sh_offset + entry[e].d_un.d_val);

        if (entry[e].d_tag == DT_NEEDED && !strncmp(text, "libcudart.so", 12)) {
            snprintf(out->runtime, sizeof out->runtime, "%s", text);
        }
        out->has_rpath |= entry[e].d_tag == DT_RPATH;
    }
}

static void read_sections(const struct image *image, struct executable *out)
{
    const Elf64_Ehdr *header = at(image, 0, sizeof *header);
    const Elf64_Shdr *section;

    if (!header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
        header->e_ident[EI_CLASS] != ELFCLASS64) {
        return;
    }
    out->is_elf = true;
    section = at(image, header->e_shoff, (uint64_t)header->e_shnum * sizeof *section);
    for (unsigned s = 0; section && header->e_shstrndx < header->e_shnum && s < header->e_shnum;
         s++) {
        const char *name = text_at(image,
                                   section[header->e_shstrndx].sh_offset + section[s].sh_name);

        out->has_kernels |= !strcmp(name, ".nvFatBinSegment");
        if (section[s].sh_type == SHT_DYNAMIC && section[s].sh_link < header->e_shnum) {
            read_dynamic(image, &section[s], &section[section[s].sh_link], out);
        }
    }
}

static struct executable look_at(const char *path)
{
    struct executable out = {0};
    struct image image = {0};
    struct stat status;
    int file = open(path, O_RDONLY | O_CLOEXEC);

    if (file >= 0 && fstat(file, &status) == 0 && status.st_size > 0) {
        image.n = (size_t)status.st_size;
        image.bytes = mmap(NULL, image.n, PROT_READ, MAP_PRIVATE, file, 0);
        if (image.bytes != MAP_FAILED) {
            read_sections(&image, &out);
            munmap((void *)(uintptr_t)image.bytes, image.n);
        }
    }
    if (file >= 0) {
        close(file);
    }
    return out;
}

/* The program's path, found as a shell would. */
static bool find_program(const char *name, char *out, size_t n_out)
{
    const char *path = strchr(name, '/') ? NULL : getenv("PATH");

    if (!path) {
        snprintf(out, n_out, "%s", name);
        return access(out, X_OK) == 0;
    }
    while (*path) {
        size_t n = strcspn(path, ":");

        snprintf(out, n_out, "%.*s/%s", (int)n, path, name);
        if (access(out, X_OK) == 0) {
            return true;
        }
        path += n + (path[n] == ':');
    }
    return false;
}

static void put_in_front(const char *variable, const char *text, char separator)
{
    const char *old = getenv(variable);
    char value[2 * PATH_MAX];

    snprintf(value, sizeof value, "%s%c%.*s", text, separator, PATH_MAX, old ? old : "");
    setenv(variable, old && *old ? value : text, 1);
}

/* The loader finds our library first; one that looks elsewhere before gets it loaded already. */
static bool arrange(const struct executable *program)
{
    char root[PATH_MAX], folder[PATH_MAX + 32], library[PATH_MAX + 128];

    tree_root(root, sizeof root);
    snprintf(folder, sizeof folder, "%s/build/cuda", root);
    snprintf(library, sizeof library, "%s/%s", folder,
             program->runtime[0] ? program->runtime : "libcudart.so.13");
    if (access(library, R_OK) != 0) {
        fprintf(stderr,
                "warplock: the program wants %s, and there is %s/libcudart.so.13, .12 and .11.0; "
                "rebuild the program, or `make cuda`\n",
                program->runtime, folder);
        return false;
    }
    put_in_front("LD_LIBRARY_PATH", folder, ':');
    if (program->has_rpath) {
        put_in_front("LD_PRELOAD", library, ':');
    }
    return true;
}

static int start(struct cuda_options *o, char **argv)
{
    char path[PATH_MAX];
    struct executable program;

    if (!find_program(o->program[0], path, sizeof path)) {
        fprintf(stderr, "warplock: %s: no such program, or not executable; check the path\n",
                o->program[0]);
        return VERDICT_USAGE;
    }
    program = look_at(path);
    if (program.is_elf && program.has_kernels && !program.runtime[0]) {
        fprintf(stderr,
                "warplock: %s has CUDA's runtime inside (-cudart static, nvcc's standard); link it "
                "with nvcc -cudart shared\n",
                path);
        return VERDICT_USAGE;
    }
    if (!arrange(&program) || !cuda_options_to_environment(o, argv)) {
        return VERDICT_USAGE;
    }
    execv(path, o->program);
    fprintf(stderr, "warplock: %s cannot be started: %s\n", path, strerror(errno));
    return VERDICT_USAGE;
}

int cmd_cuda(int argc, char **argv)
{
    struct cuda_options o;
    struct gpu_config config;
    char error[512];

    cuda_options_parse(&o, argc, argv);
    if (o.run.counters) {
        gpu_stats_describe(stdout);
        return VERDICT_PASS;
    }
    if (!cuda_options_check(&o)) {
        return VERDICT_USAGE;
    }
    if (cli_read_config(cuda_options_config(&o), o.run.set, o.run.n_sets, &config, error,
                        sizeof error) != 0) {
        fprintf(stderr, "warplock: %s\n", error);
        return VERDICT_USAGE;
    }
    if (o.run.keys) {
        config_print(&config, stdout);
        return VERDICT_PASS;
    }
    if (!o.program) {
        fprintf(stderr, "warplock: give the program: warplock cuda [OPTION...] -- ./program\n");
        return VERDICT_USAGE;
    }
    return start(&o, argv);
}
