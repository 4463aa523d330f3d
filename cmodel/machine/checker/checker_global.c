/* checker_global.c - races in global memory within one grid: a word that two threads use, one of them
 * writing, with nothing between that orders them.
 *
 * Warps of one block are ordered by its barriers, all warps by what checker_sync.c knows.  A word of
 * four bytes has its last write, the last read and the last read by another warp; accesses to
 * different bytes of it do not meet.  Writes of the same value are no finding.  A strong access whose value
 * is still to come is noted and not judged, since it may be what orders it: a weak one after it is.
 * See checker_private.h.
 */
#include <stdlib.h>
#include <string.h>

#include "machine/checker/checker_private.h"

enum { LINE_BYTES = 128, WORD_BYTES = 4, WORDS = LINE_BYTES / WORD_BYTES };

struct access {
    uint64_t warp; /* of the grid */
    uint32_t clock, epoch, pc, value;
    uint8_t lane, bytes; /* a bit for each of the four */
    bool strong;
};

struct word {
    struct access write, read[2];
};

struct checker_line {
    uint64_t address;
    struct word word[WORDS];
    UT_hash_handle hh;
};

/* One access of one lane to one word, while it is looked at. */
struct now {
    const struct checker_shared *shared;
    struct checker_block *block;
    uint32_t warp;
    uint64_t address; /* of the whole access */
    bool stays;       /* no value comes back */
    struct access access;
};

void checker_lines_free(struct checker_line **lines)
{
    struct checker_line *line, *next;

    HASH_ITER(hh, *lines, line, next)
    {
        HASH_DEL(*lines, line);
        free(line);
    }
}

static struct word *word_of(struct checker_line **lines, uint64_t address)
{
    uint64_t key = address / LINE_BYTES;
    struct checker_line *line;

    HASH_FIND(hh, *lines, &key, sizeof key, line);
    if (!line) {
        line = calloc(1, sizeof *line);
        if (!line) {
            return NULL;
        }
        line->address = key;
        HASH_ADD(hh, *lines, address, sizeof key, line);
    }
    return &line->word[address % LINE_BYTES / WORD_BYTES];
}

static bool ordered(const struct now *now, const struct access *before)
{
    const struct checker_warp *warp = &now->block->warp[now->warp];
    uint64_t first = now->block->number * now->block->n_warps;

    if (before->clock == 0 || (before->bytes & now->access.bytes) == 0 ||
        (before->strong && now->access.strong)) {
        return true;
    }
    if (before->warp == now->access.warp) {
        return !now->shared->launch->lanes_apart || before->lane == now->access.lane ||
               before->epoch < warp->epoch;
    }
    if (before->warp >= first && before->warp < first + now->block->n_warps) {
        return before->clock <= warp->seen[before->warp - first];
    }
    return before->clock <= checker_clock_of(&warp->foreign, before->warp);
}

static void say(const struct now *now, const struct access *before, const char *did)
{
    const struct isa_launch *launch = now->shared->launch;
    const struct isa_inst *inst = &launch->kernel->inst[now->access.pc];
    uint64_t block = before->warp / now->block->n_warps;
    const struct isa_dim3 *g = &launch->grid;
    struct isa_dim3 t = checker_thread(
        launch, (uint32_t)(before->warp % now->block->n_warps) * ISA_LANES + before->lane);
    struct checker_place place = {.launch = launch,
                                  .pc = now->access.pc,
                                  .cta = now->block->id,
                                  .thread = now->warp * ISA_LANES + now->access.lane};
    char line[192];

    if (!checker_new(now->shared->report, CHECKER_GLOBAL, &place, before->pc, 1u)) {
        return;
    }
    checker_line(launch->kernel, before->pc, line, sizeof line);
    checker_say(now->shared->report, CHECKER_GLOBAL, &place,
                "%u-byte %s at 0x%llx of global memory, which thread (%u,%u,%u) of block "
                "(%u,%u,%u) %s at %s with nothing between that orders them",
                inst->bytes, checker_verb(inst), (unsigned long long)now->address, t.x, t.y, t.z,
                (uint32_t)(block % g->x), (uint32_t)(block / g->x % g->y),
                (uint32_t)(block / g->x / g->y), did, line);
}

/* The word against what others did to it, and the access noted; `writes`: not only a load. */
static void look(const struct now *now, struct word *word, bool writes)
{
    const struct access *other = NULL;
    bool judged = !now->access.strong || now->stays;
    bool same = writes && word->write.clock && word->write.value == now->access.value &&
                word->write.bytes == now->access.bytes && !now->access.strong;

    if (judged && !same && !ordered(now, &word->write)) {
        say(now, &word->write, "wrote");
    } else if (judged && writes) {
        other = !ordered(now, &word->read[0])   ? &word->read[0]
                : !ordered(now, &word->read[1]) ? &word->read[1]
                                                : NULL;
    }
    if (other) {
        say(now, other, "read");
    }
    if (writes) {
        word->write = now->access;
        return;
    }
    if (word->read[0].clock && word->read[0].warp != now->access.warp) {
        word->read[1] = word->read[0];
    }
    word->read[0] = now->access;
}

/* The bytes of [at, at + bytes) in the word that holds `at`. */
static uint32_t bytes_in_word(uint64_t at, uint32_t bytes)
{
    uint32_t room = WORD_BYTES - at % WORD_BYTES;

    return bytes < room ? bytes : room;
}

bool checker_global_access(struct checker_line **lines, const struct checker_shared *shared,
                           struct checker_block *block, uint32_t n, uint32_t pc,
                           const struct isa_memop *memop)
{
    const struct checker_warp *warp = &block->warp[n];
    const bool writes = memop->inst->access != ISA_ACCESS_LOAD;
    struct now now = {.shared = shared,
                      .block = block,
                      .warp = n,
                      .stays = memop->inst->access == ISA_ACCESS_STORE ||
                               memop->inst->access == ISA_ACCESS_REDUCE};

    for (uint32_t rest = memop->mask; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest), done = 0;

        now.address = memop->addr[lane];
        while (done < memop->inst->bytes) {
            uint64_t at = now.address + done;
            uint32_t bytes = bytes_in_word(at, memop->inst->bytes - done);
            struct word *word = word_of(lines, at);

            if (!word) {
                return false;
            }
            now.access = (struct access){.warp = block->number * block->n_warps + n,
                                         .clock = warp->clock,
                                         .epoch = warp->epoch,
                                         .pc = pc,
                                         .lane = (uint8_t)lane,
                                         .bytes = (uint8_t)(((1u << bytes) - 1) << at % WORD_BYTES),
                                         .strong = shared->order[pc].strong};
            if (writes) {
                memcpy(&now.access.value, memop->data[lane] + done, bytes);
            }
            look(&now, word, writes);
            done += bytes;
        }
    }
    return true;
}
