/* cubin.c - see cubin.h. */
#include "cuda/cubin.h"

#include <elf.h>
#include <stdbool.h>
#include <string.h>

enum {
    INFO_SECTION = 0x70000000, /* SHT_LOPROC: .nv.info and its kind */
    RECORD_BYTES = 4,
    FORMAT_SIZED = 4, /* the record's third and fourth byte are the size of what follows */
    ATTRIBUTE_REGISTERS = 0x2f,
    MOST_REGISTERS = 255
};

struct file {
    const uint8_t *bytes;
    size_t n;
    Elf64_Ehdr header;
};

static bool inside(const struct file *f, uint64_t at, uint64_t bytes)
{
    return at <= f->n && bytes <= f->n - at;
}

static bool section(const struct file *f, uint32_t index, Elf64_Shdr *out)
{
    uint64_t at = f->header.e_shoff + (uint64_t)index * sizeof *out;

    if (index >= f->header.e_shnum || !inside(f, at, sizeof *out)) {
        return false;
    }
    memcpy(out, f->bytes + at, sizeof *out);
    return out->sh_type == SHT_NOBITS || inside(f, out->sh_offset, out->sh_size);
}

/* The text at `at` of a table of strings; NULL when it does not end there. */
static const char *string_at(const struct file *f, const Elf64_Shdr *table, uint64_t at)
{
    const char *text = (const char *)f->bytes + table->sh_offset;

    return at < table->sh_size && memchr(text + at, '\0', (size_t)(table->sh_size - at)) ? text + at
                                                                                         : NULL;
}

static const char *symbol_name(const struct file *f, const Elf64_Shdr *symbols, uint32_t index)
{
    Elf64_Sym symbol;
    Elf64_Shdr strings;

    if (index >= symbols->sh_size / sizeof symbol || !section(f, symbols->sh_link, &strings) ||
        strings.sh_type != SHT_STRTAB) {
        return NULL;
    }
    memcpy(&symbol, f->bytes + symbols->sh_offset + index * sizeof symbol, sizeof symbol);
    return string_at(f, &strings, symbol.st_name);
}

/* Records: format, attribute, and two bytes of value or size. */
static size_t read_records(const struct file *f, const Elf64_Shdr *info, const Elf64_Shdr *symbols,
                           cubin_each_fn *each, void *context)
{
    const uint8_t *at = f->bytes + info->sh_offset, *end = at + info->sh_size;
    size_t found = 0;

    while (end - at >= RECORD_BYTES) {
        size_t size = at[0] == FORMAT_SIZED ? (size_t)(at[2] | at[3] << 8) : 0;
        const char *name;
        uint32_t words[2];

        if (size > (size_t)(end - at - RECORD_BYTES)) {
            break;
        }
        if (at[0] == FORMAT_SIZED && at[1] == ATTRIBUTE_REGISTERS && size == sizeof words) {
            memcpy(words, at + RECORD_BYTES, sizeof words);
            name = symbol_name(f, symbols, words[0]);
            if (name && words[1] >= 1 && words[1] <= MOST_REGISTERS) {
                each(context, name, words[1]);
                found++;
            }
        }
        at += RECORD_BYTES + size;
    }
    return found;
}

size_t cubin_registers(const uint8_t *elf, size_t n, cubin_each_fn *each, void *context)
{
    struct file f = {.bytes = elf, .n = n};
    Elf64_Shdr info, symbols, names;
    size_t found = 0;

    if (n < sizeof f.header || memcmp(elf, ELFMAG, SELFMAG) != 0 || elf[EI_CLASS] != ELFCLASS64) {
        return 0;
    }
    memcpy(&f.header, elf, sizeof f.header);
    if (!section(&f, f.header.e_shstrndx, &names) || names.sh_type != SHT_STRTAB) {
        return 0;
    }
    for (uint32_t i = 0; i < f.header.e_shnum; i++) {
        const char *name;

        if (!section(&f, i, &info) || info.sh_type != INFO_SECTION ||
            !section(&f, info.sh_link, &symbols) || symbols.sh_type != SHT_SYMTAB) {
            continue;
        }
        name = string_at(&f, &names, info.sh_name);
        if (name && strcmp(name, ".nv.info") == 0) {
            found += read_records(&f, &info, &symbols, each, context);
        }
    }
    return found;
}
