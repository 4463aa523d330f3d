/* coherence_check.c - the protocol checker as a mechanism: `-m PROTOCOL,check-coherence`.
 * A violation names cycle, place, block and values, and the run ends with status 1
 * (tabbakh2018-coherence 3.5.3, 3.6.10 "Invariants to assert"). */
#include "mechanisms/coherence/coherence_check.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void check_violated(struct check_part *part, uint64_t cycle, const char *where, uint64_t block,
                    const char *format, ...)
{
    va_list arguments;
    if (part->violation[0] != '\0') {
        return;
    }
    part->violated_cycle = cycle;
    const int used = snprintf(part->violation, sizeof part->violation,
                              "cycle %" PRIu64 ", %s, block 0x%" PRIx64 ": ", cycle, where, block);
    va_start(arguments, format);
    vsnprintf(part->violation + used, sizeof part->violation - (size_t)used, format, arguments);
    va_end(arguments);
}

const struct history_block *check_record(const struct check *check, uint64_t block)
{
    const struct check_l2 *l2 = &check->l2[machine_bank_of(check->machine, block)];
    return history_find(l2->history, block);
}

/* ---- the L1D's socket ---- */

static enum coherence_probe load(void *self, const struct access_info *access,
                                 struct cache_line *line)
{
    struct check_l1 *l1 = self;
    const struct cache *l1d = core_l1d(l1->core);
    const size_t at = (size_t)(line - l1d->line);
    const enum coherence_probe probe = l1->inner.load(l1->inner.self, access, line);
    if (probe == COHERENCE_HIT) {
        l1->part.checked++;
        l1->part.check->rules->delivered(l1, access->warp_slot, l1d->tag[at], line,
                                         l1d->data + at * BLOCK_BYTES);
    }
    return probe;
}

static bool covers(void *self, uint32_t warp_slot, uint32_t position, const struct reply *msg,
                   struct cache_line *line)
{
    struct check_l1 *l1 = self;
    const bool covered = l1->inner.covers(l1->inner.self, warp_slot, position, msg, line);
    if (covered) {
        l1->part.checked++;
        l1->part.check->rules->delivered(l1, warp_slot, msg->packet.block, NULL, reply_data(msg));
    }
    return covered;
}

static bool may_send(void *self, const struct access_info *access, struct cache_line *line)
{
    struct check_l1 *l1 = self;
    return l1->inner.may_send(l1->inner.self, access, line);
}

static bool store_hit(void *self, uint32_t warp_slot, struct cache_line *line)
{
    struct check_l1 *l1 = self;
    return l1->inner.store_hit(l1->inner.self, warp_slot, line);
}

static void send(void *self, struct request *msg, struct cache_line *line)
{
    struct check_l1 *l1 = self;
    l1->inner.send(l1->inner.self, msg, line);
}

static enum coherence_reply reply(void *self, struct reply *msg, struct cache_line *line)
{
    struct check_l1 *l1 = self;
    const struct check_rules *rules = l1->part.check->rules;
    if (msg->packet.type != MSG_READ_REPLY && rules->acked != NULL) {
        rules->acked(l1, msg);
    }
    return l1->inner.reply(l1->inner.self, msg, line);
}

static bool may_ask(void *self, uint32_t warp_slot, struct cache_line *line)
{
    struct check_l1 *l1 = self;
    return l1->inner.may_ask(l1->inner.self, warp_slot, line);
}

static void barrier(void *self, uint64_t warps)
{
    struct check_l1 *l1 = self;
    l1->inner.barrier(l1->inner.self, warps);
}

static bool fence(void *self, uint32_t warp_slot, uint64_t cycle)
{
    struct check_l1 *l1 = self;
    const bool complete = l1->inner.fence(l1->inner.self, warp_slot, cycle);
    if (complete && l1->part.check->rules->fenced != NULL) {
        l1->part.check->rules->fenced(l1, warp_slot);
    }
    return complete;
}

static void l1_kernel_start(void *self)
{
    struct check_l1 *l1 = self;
    memset(l1->warp_time, 0, core_config(l1->core)->sm_warps * sizeof *l1->warp_time);
    if (l1->inner.kernel_start != NULL) {
        l1->inner.kernel_start(l1->inner.self);
    }
}

/* ---- the bank's socket ---- */

static const char *bank_name(const struct check_l2 *l2, char *out, size_t n)
{
    snprintf(out, n, "L2 bank %u", bank_id(l2->bank));
    return out;
}

static uint64_t admit(void *self, const struct request *msg, struct cache_line *line,
                      uint64_t cycle)
{
    struct check_l2 *l2 = self;
    return l2->inner.admit(l2->inner.self, msg, line, cycle);
}

/* The record knows the version that is in the bank now; bytes that changed without a store
 * are a violation of their own. */
static bool know_version(struct check_l2 *l2, struct history_block *record, const struct reply *msg,
                         uint64_t hash, uint64_t cycle)
{
    char where[24];
    const bool wrote = msg->packet.type != MSG_READ_REPLY;
    l2->part.checked++;
    if (!wrote && record->n > 0 && history_at(record, UINT64_MAX) != hash) {
        check_violated(&l2->part, cycle, bank_name(l2, where, sizeof where), record->block,
                       "the bytes changed without a store");
    }
    if (!wrote && record->n > 0) {
        return true;
    }
    return history_add(record, 0, hash);
}

static void performed(void *self, const struct request *request, struct reply *msg,
                      struct cache_line *line, uint64_t cycle)
{
    struct check_l2 *l2 = self;
    l2->inner.performed(l2->inner.self, request, msg, line, cycle);
    const struct cache *cache = bank_cache(l2->bank);
    const size_t at = (size_t)(line - cache->line);
    const uint64_t hash = history_hash(cache->data + at * BLOCK_BYTES);
    struct history_block *record = history_of(l2->history, msg->packet.block);
    char where[24];
    if (record == NULL || !know_version(l2, record, msg, hash, cycle)) {
        check_violated(&l2->part, cycle, bank_name(l2, where, sizeof where), msg->packet.block,
                       "out of memory for the checker's record; use a smaller size");
        return;
    }
    l2->part.check->rules->answered(l2, msg, line, record, cycle);
}

static void fill(void *self, uint64_t block, struct cache_line *line)
{
    struct check_l2 *l2 = self;
    l2->inner.fill(l2->inner.self, block, line);
}

static bool may_evict(void *self, const struct cache_line *line, uint64_t cycle)
{
    struct check_l2 *l2 = self;
    return l2->inner.may_evict(l2->inner.self, line, cycle);
}

static void evict(void *self, uint64_t block, struct cache_line *line)
{
    struct check_l2 *l2 = self;
    const struct history_block *record = history_find(l2->history, block);
    if (record != NULL && l2->part.check->rules->evicted != NULL) {
        l2->part.check->rules->evicted(l2, record);
    }
    if (l2->inner.evict != NULL) {
        l2->inner.evict(l2->inner.self, block, line);
    }
}

static void bank_kernel_start(void *self)
{
    struct check_l2 *l2 = self;
    history_clear(l2->history);
    if (l2->inner.kernel_start != NULL) {
        l2->inner.kernel_start(l2->inner.self);
    }
}

/* ---- report ---- */

static const struct check_part *earlier(const struct check_part *first,
                                        const struct check_part *part)
{
    const bool takes = part->violation[0] != '\0' &&
                       (first == NULL || part->violated_cycle < first->violated_cycle);
    return takes ? part : first;
}

static const char *difference(void *self)
{
    const struct check *check = self;
    const struct check_part *first = NULL;
    for (uint32_t i = 0; i < machine_cores(check->machine); i++) {
        first = earlier(first, &check->l1[i].part);
    }
    for (uint32_t i = 0; i < machine_banks(check->machine); i++) {
        first = earlier(first, &check->l2[i].part);
    }
    return first != NULL ? first->violation : NULL;
}

static void statistics(void *self, json_t *into)
{
    const struct check *check = self;
    uint64_t loads = 0, answers = 0;
    for (uint32_t i = 0; i < machine_cores(check->machine); i++) {
        loads += check->l1[i].part.checked;
    }
    for (uint32_t i = 0; i < machine_banks(check->machine); i++) {
        answers += check->l2[i].part.checked;
    }
    put_count(into, "loads_checked", loads);
    put_count(into, "answers_checked", answers);
    put_count(into, "violated", difference(self) != NULL);
}

/* ---- plugging in ---- */

static int wrap_l1(struct mechanism_context *context, struct check_l1 *l1)
{
    const struct coherence_l1_socket *inner = plugged_coherence(l1->core);
    const struct coherence_l1_socket socket = {
        .self = l1,
        .load = load,
        .covers = covers,
        .send = send,
        .reply = reply,
        .may_send = inner->may_send != NULL ? may_send : NULL,
        .store_hit = inner->store_hit != NULL ? store_hit : NULL,
        .may_ask = inner->may_ask != NULL ? may_ask : NULL,
        .barrier = inner->barrier != NULL ? barrier : NULL,
        .fence = inner->fence != NULL ? fence : NULL,
        .kernel_start = l1_kernel_start};
    return plug_around_coherence(l1->core, &context->plug, &socket, &l1->inner);
}

static void wrap_l2(struct check_l2 *l2)
{
    const struct coherence_l2_socket *inner = plugged_bank_coherence(l2->bank);
    const struct coherence_l2_socket socket = {.self = l2,
                                               .performed = performed,
                                               .evict = evict,
                                               .admit = inner->admit != NULL ? admit : NULL,
                                               .fill = inner->fill != NULL ? fill : NULL,
                                               .may_evict = inner->may_evict != NULL ? may_evict
                                                                                     : NULL,
                                               .kernel_start = bank_kernel_start};
    plug_around_bank_coherence(l2->bank, &socket, &l2->inner);
}

static void destroy(void *self)
{
    const struct check *check = self;
    for (uint32_t b = 0; b < machine_banks(check->machine); b++) {
        history_free(check->l2[b].history);
    }
}

static int watch_core(struct mechanism_context *context, struct check *check, uint32_t number)
{
    struct check_l1 *l1 = &check->l1[number];
    l1->part.check = check;
    l1->core = machine_core(check->machine, number);
    l1->warp_time = mechanism_keep(context,
                                   core_config(l1->core)->sm_warps * sizeof *l1->warp_time);
    return l1->warp_time != NULL ? wrap_l1(context, l1) : -1;
}

static int watch_bank(struct mechanism_context *context, struct check *check, uint32_t number)
{
    struct check_l2 *l2 = &check->l2[number];
    l2->part.check = check;
    l2->bank = machine_bank(check->machine, number);
    l2->history = history_new();
    if (l2->history == NULL) {
        return mechanism_fail(context, "out of memory");
    }
    wrap_l2(l2);
    return 0;
}

static int watch(struct mechanism_context *context, struct check *check)
{
    struct machine *machine = check->machine = context->machine;
    check->l1 = mechanism_keep(context, machine_cores(machine) * sizeof *check->l1);
    check->l2 = mechanism_keep(context, machine_banks(machine) * sizeof *check->l2);
    if (check->l1 == NULL || check->l2 == NULL || mechanism_at_end(context, destroy, check) != 0) {
        return -1;
    }
    for (uint32_t s = 0; s < machine_cores(machine); s++) {
        if (watch_core(context, check, s) != 0) {
            return -1;
        }
    }
    for (uint32_t b = 0; b < machine_banks(machine); b++) {
        if (watch_bank(context, check, b) != 0) {
            return -1;
        }
    }
    machine_needs_values(machine, "check-coherence");
    return 0;
}

static int attach(struct mechanism_context *context)
{
    struct check *check = mechanism_keep(context, sizeof *check);
    if (check == NULL) {
        return -1;
    }
    check->leases = mechanism_offered(context, COHERENCE_LEASES);
    if (check->leases == NULL) {
        return mechanism_fail(context, "check-coherence: no protocol to check; name one before it: "
                                       "-m tc-weak,check-coherence");
    }
    check->rules = check->leases->logical ? &check_logical : &check_physical;
    const struct mechanism_report report = {check, "check-coherence", statistics, difference};
    return watch(context, check) != 0 ? -1 : mechanism_reports(context, &report);
}

const struct mechanism mechanism_check_coherence = {
    .name = "check-coherence",
    .title = "checks the coherence protocol named before it: leases, values, order",
    .document = "tabbakh2018-coherence",
    .section = "3.5.3, 3.6.10",
    .attach = attach};
