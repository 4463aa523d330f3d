/* mshr.c - see mshr.h. */
#include "machine/cache/mshr.h"

#include <stdlib.h>

int mshr_init(struct mshr_file *file, uint32_t n, uint32_t max_targets)
{
    *file = (struct mshr_file){.n = n, .max_targets = max_targets};
    file->block = calloc(n, sizeof *file->block);
    file->next = calloc(n, sizeof *file->next);
    file->entry = calloc(n, sizeof *file->entry);
    file->targets = calloc((size_t)n * max_targets, sizeof *file->targets);
    return file->block && file->next && file->entry && file->targets ? 0 : -1;
}

void mshr_free(struct mshr_file *file)
{
    free(file->block);
    free(file->next);
    free(file->entry);
    free(file->targets);
    *file = (struct mshr_file){0};
}

uint32_t mshr_allocate(struct mshr_file *file, const struct access_info *first)
{
    uint16_t *bucket = &file->bucket[mshr_bucket(first->block)];
    uint32_t word = 0, at;

    while (file->live[word] == UINT64_MAX) {
        word++;
    }
    at = word * 64 + (uint32_t)__builtin_ctzll(~file->live[word]);
    file->live[word] |= UINT64_C(1) << (at % 64);
    file->used++;
    file->block[at] = first->block;
    file->next[at] = *bucket;
    *bucket = (uint16_t)(at + 1);
    file->entry[at] = (struct mshr_entry){.first = *first,
                                          .target = &file->targets[(size_t)at * file->max_targets]};
    return at;
}

bool mshr_merge(struct mshr_file *file, uint32_t at, void *who, uint32_t lanes)
{
    struct mshr_entry *entry = &file->entry[at];

    if (entry->n_targets == file->max_targets) {
        return false;
    }
    entry->target[entry->n_targets++] = (struct mshr_target){.who = who, .lanes = lanes};
    return true;
}

void mshr_release(struct mshr_file *file, uint32_t at)
{
    uint16_t *link = &file->bucket[mshr_bucket(file->block[at])];

    while (*link != at + 1) {
        link = &file->next[*link - 1];
    }
    *link = file->next[at];
    file->live[at / 64] &= ~(UINT64_C(1) << (at % 64));
    file->used--;
}
