/* hier_l2.c - inclusion at an L2 bank: which lines come, stay and go (lakshminarayana2014 3.3.2,
 * 3.4.3; l2_policy, l2_tagx), and which copy-backs are stale. */
#include <stdio.h>

#include "mechanisms/graph/hier.h"

/* Does the read fill an L1D, and may that be exclusive (D-INC-6)? */
static bool fills_l1d(const struct request *request)
{
    return request->packet.type == MSG_READ && request->ticket.to == TO_MSHR &&
           !request->ticket.local;
}

/* ---- blocks that were written: a Bloom filter of two hashes ---- */

static void written_bits(uint64_t block, uint32_t bit[2])
{
    const uint64_t line = block / BLOCK_BYTES;
    bit[0] = (uint32_t)((line ^ line >> 11 ^ line >> 22) % WRITTEN_BITS);
    bit[1] = (uint32_t)((line ^ line >> 7 ^ line >> 15 ^ 0x2A5) % WRITTEN_BITS);
}

static void note_written(struct hier_l2 *l2, uint64_t block)
{
    uint32_t bit[2];
    written_bits(block, bit);
    for (unsigned h = 0; h < 2; h++) {
        l2->written[bit[h] / 64] |= UINT64_C(1) << bit[h] % 64;
    }
}

static bool was_written(const struct hier_l2 *l2, uint64_t block)
{
    uint32_t bit[2];
    written_bits(block, bit);
    return (l2->written[bit[0] / 64] >> bit[0] % 64 & l2->written[bit[1] / 64] >> bit[1] % 64 &
            1) != 0;
}

/* ---- the units ---- */

/* l2_policy about a read (of `cb_hdr`: a copy-back) in `set`. */
static void ask_policy(struct hier_l2 *l2, uint32_t set, bool cb_hdr, bool hit, bool dirty,
                       bool written)
{
    *l2->at.req_type = 0;
    *l2->at.cb_hdr = cb_hdr;
    *l2->at.set_index = l2->first_set + set;
    *l2->at.hit = hit;
    *l2->at.dirty = dirty;
    *l2->at.pending = 0;
    *l2->at.written = written;
    *l2->at.mode_follow = l2->flex != NULL && *l2->flex->mode_follow;
    pins_comb(&l2->policy);
}

enum tag_op { TAG_FILL, TAG_COPYBACK, TAG_HIT, TAG_ATOMIC };

/* l2_tagx about a line; its fields change as it says.  Whether the line goes. */
static bool tag(struct hier_l2 *l2, uint32_t set, uint32_t way, enum tag_op op, uint16_t core)
{
    struct hier_l2_line *line = &l2->line[set * l2->ways + way];
    const struct cache_line *copy = cache_line(bank_cache(l2->bank), set, way);
    const uint8_t owner = line->owner;
    *l2->tag.op = op;
    *l2->tag.op_valid = 1;
    *l2->tag.core = core;
    *l2->tag.dirty = (copy->dirty[0] | copy->dirty[1]) != 0;
    *l2->tag.owner = line->owner;
    *l2->tag.sr = line->sr;
    *l2->tag.pr = line->pr;
    *l2->tag.cb = line->cb;
    pins_comb(&l2->tagx);
    *line = (struct hier_l2_line){.owner = (uint8_t)*l2->tag.owner_next,
                                  .sr = *l2->tag.sr_next,
                                  .pr = *l2->tag.pr_next,
                                  .cb = *l2->tag.cb_next};
    l2->differences += line->cb && line->owner != (op == TAG_COPYBACK ? core : owner);
    return *l2->tag.inval;
}

/* ---- inclusion ---- */

static bool keep_on_read(void *self, const struct request *request, uint32_t set, uint32_t way)
{
    struct hier_l2 *l2 = self;
    const struct cache_line *copy = cache_line(bank_cache(l2->bank), set, way);
    const uint16_t core = request->packet.source;
    bool goes;
    ++*(l2->line[set * l2->ways + way].owner == core ? &l2->private_hits : &l2->shared_hits);
    if (l2->regions) {
        goes = tag(l2, set, way, TAG_HIT, core);
        l2->answer = (uint8_t)((*l2->tag.resp_sr ? HIER_SHARED : 0) |
                               (*l2->tag.resp_pr ? HIER_PRIVATE : 0));
    } else {
        ask_policy(l2, set, false, true, copy->dirty[0] | copy->dirty[1], false);
        goes = *l2->at.inval_on_hit;
    }
    goes &= fills_l1d(request);
    l2->given_away += goes;
    return !goes;
}

static bool insert_on_fill(void *self, const struct request *request, uint32_t set)
{
    struct hier_l2 *l2 = self;
    if (!fills_l1d(request)) {
        return true;
    }
    if (l2->regions) {
        const bool joins = mshr_find(bank_mshrs(l2->bank), request->packet.block) >= 0;
        return !(request->proto[2] & HIER_PASSES) && !(l2->first_says && joins);
    }
    ask_policy(l2, set, false, false, false, false);
    return *l2->at.insert_on_fill;
}

static enum copy_back_answer insert_copy_back(void *self, const struct request *request,
                                              uint32_t set)
{
    struct hier_l2 *l2 = self;
    const bool written = was_written(l2, request->packet.block);
    const bool refreshes = written && l2->refreshes;
    ask_policy(l2, set, true, false, false, written && !refreshes);
    l2->stale += *l2->at.stale_dropped;
    if (!*l2->at.accept_cb) {
        return COPY_BACK_DROP;
    }
    l2->refreshed += refreshes;
    return refreshes ? COPY_BACK_REFRESH : COPY_BACK_TAKE;
}

/* The answer leaves with its bits. */
static void performed(void *self, const struct request *request, struct reply *reply,
                      struct cache_line *line, uint64_t cycle)
{
    struct hier_l2 *l2 = self;
    (void)line, (void)cycle;
    reply->proto[0] = 0;
    if (fills_l1d(request) && l2->regions) {
        reply->proto[0] = l2->answer | (request->proto[2] & HIER_EXCLUSIVE);
    } else if (fills_l1d(request)) {
        ask_policy(l2, bank_set_of(l2->bank, request->packet.block), false, true, false, false);
        reply->proto[0] = *l2->at.exclusive ? HIER_EXCLUSIVE : 0;
    }
    l2->answer = 0;
}

/* ---- the policy around, and who watches ---- */

static void touch(void *self, uint32_t set, uint32_t way, const struct access_info *access)
{
    struct hier_l2 *l2 = self;
    l2->inner.touch(l2->inner.self, set, way, access);
    if (l2->regions && (access->kind == ACCESS_ATOMIC || access->kind == ACCESS_STORE)) {
        (void)tag(l2, set, way, TAG_ATOMIC, access->sm);
    }
}

static int victim(void *self, uint32_t set, uint32_t invalid, uint32_t replaceable,
                  const struct access_info *access)
{
    const struct hier_l2 *l2 = self;
    return l2->inner.victim(l2->inner.self, set, invalid, replaceable, access);
}

static void insert(void *self, uint32_t set, uint32_t way, const struct access_info *access)
{
    struct hier_l2 *l2 = self;
    const bool copied_back = access->kind == ACCESS_COPYBACK;
    l2->inner.insert(l2->inner.self, set, way, access);
    l2->inserts++;
    l2->cb_inserts += copied_back;
    if (l2->regions) {
        (void)tag(l2, set, way, copied_back ? TAG_COPYBACK : TAG_FILL, access->sm);
    } else {
        l2->line[set * l2->ways + way].owner = (uint8_t)access->sm;
    }
}

static void invalidate(void *self, uint32_t set, uint32_t way)
{
    struct hier_l2 *l2 = self;
    if (l2->inner.invalidate != NULL) {
        l2->inner.invalidate(l2->inner.self, set, way);
    }
}

static void kernel_start(void *self)
{
    struct hier_l2 *l2 = self;
    if (l2->inner.kernel_start != NULL) {
        l2->inner.kernel_start(l2->inner.self);
    }
    memset(l2->written, 0, sizeof l2->written);
}

static void acc_result(void *self, uint32_t bank, const struct access_info *access, uint32_t set,
                       enum access_result result)
{
    struct hier_l2 *l2 = self;
    (void)bank;
    if (access->kind == ACCESS_STORE || access->kind == ACCESS_ATOMIC) {
        note_written(l2, access->block);
    } else if (l2->flex != NULL && access->kind == ACCESS_LOAD &&
               (result == RESULT_MISS || result == RESULT_BYPASS)) {
        flex_miss(l2->flex, l2->number, l2->first_set + set);
    }
}

/* ---- attaching ---- */

static int open_policy(struct mechanism_context *context, struct hier_l2 *l2)
{
    const struct pin_name ports[] = {{&l2->at.req_type, "req_type"},
                                     {&l2->at.cb_hdr, "cb_hdr"},
                                     {&l2->at.set_index, "set_index"},
                                     {&l2->at.hit, "hit"},
                                     {&l2->at.dirty, "dirty"},
                                     {&l2->at.pending, "pending"},
                                     {&l2->at.written, "written"},
                                     {&l2->at.mode_follow, "mode_follow"},
                                     {&l2->at.exclusive, "exclusive"},
                                     {&l2->at.insert_on_fill, "insert_on_fill"},
                                     {&l2->at.inval_on_hit, "inval_on_hit"},
                                     {&l2->at.accept_cb, "accept_cb"},
                                     {&l2->at.stale_dropped, "stale_dropped"}};
    const uint32_t sets = machine_banks(context->machine) * bank_cache(l2->bank)->sets;
    const int64_t policy = l2->regions ? 0 : mechanism_value(context, "policy");
    char where[48], overrides[48];
    snprintf(where, sizeof where, "bank%u.policy", l2->number);
    snprintf(overrides, sizeof overrides, "POLICY=%d,SETS=%u", (int)policy, sets);
    return pins_open(context, &l2->policy, "l2_policy", overrides, where) != 0
               ? -1
               : pins_all(context, &l2->policy, PINS(ports));
}

static int open_tag(struct mechanism_context *context, struct hier_l2 *l2)
{
    const struct pin_name ports[] = {{&l2->tag.op, "op"},
                                     {&l2->tag.op_valid, "op_valid"},
                                     {&l2->tag.core, "core"},
                                     {&l2->tag.dirty, "dirty"},
                                     {&l2->tag.owner, "owner"},
                                     {&l2->tag.sr, "sr"},
                                     {&l2->tag.pr, "pr"},
                                     {&l2->tag.cb, "cb"},
                                     {&l2->tag.owner_next, "owner_next"},
                                     {&l2->tag.sr_next, "sr_next"},
                                     {&l2->tag.pr_next, "pr_next"},
                                     {&l2->tag.cb_next, "cb_next"},
                                     {&l2->tag.resp_sr, "resp_sr"},
                                     {&l2->tag.resp_pr, "resp_pr"},
                                     {&l2->tag.inval, "inval"}};
    const uint32_t sms = machine_cores(context->machine);
    char where[48], overrides[16];
    snprintf(where, sizeof where, "bank%u.tagx", l2->number);
    snprintf(overrides, sizeof overrides, "CORE_W=%d", sms < 3 ? 1 : 32 - __builtin_clz(sms - 1));
    return pins_open(context, &l2->tagx, "l2_tagx", overrides, where) != 0
               ? -1
               : pins_all(context, &l2->tagx, PINS(ports));
}

int hier_l2_attach(struct mechanism_context *context, struct bank *bank, struct hier_l2 *l2)
{
    const struct policy_socket policy = {.self = l2,
                                         .touch = touch,
                                         .victim = victim,
                                         .insert = insert,
                                         .invalidate = invalidate,
                                         .kernel_start = kernel_start};
    const struct inclusion_l2_socket inclusion = {.self = l2,
                                                  .keep_on_read = keep_on_read,
                                                  .insert_on_fill = insert_on_fill,
                                                  .insert_copy_back = insert_copy_back};
    const struct coherence_l2_socket answers = {.self = l2, .performed = performed};
    const struct observer observer = {.self = l2, .acc_result = acc_result};
    const struct cache *cache = bank_cache(bank);
    l2->bank = bank;
    l2->refreshes = mechanism_value(context, "stale") == STALE_REFRESHED;
    l2->number = bank_id(bank);
    l2->ways = cache->ways;
    l2->first_set = l2->number * cache->sets;
    l2->line = mechanism_keep(context, (size_t)cache->sets * cache->ways * sizeof *l2->line);
    if (l2->line == NULL || open_policy(context, l2) != 0 ||
        (l2->regions && open_tag(context, l2) != 0) ||
        plug_bank_policy(bank, &context->plug, &policy, &l2->inner) != 0 ||
        plug_bank_inclusion(bank, &context->plug, &inclusion) != 0 ||
        plug_bank_observer(bank, &context->plug, &observer) != 0) {
        return -1;
    }
    return plug_bank_coherence(bank, &context->plug, &answers);
}

bool hier_l2_fits(const struct gpu_config *config)
{
    const uint32_t sets = config->l2_partitions * config->l2_banks * config->l2_sets;
    return !config->l2_sectors && config->machine_sms <= 64 && sets % 32 == 0 && sets <= 4096;
}
