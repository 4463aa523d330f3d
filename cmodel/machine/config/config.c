/* config.c - see config.h.  One table made from config_keys.h serves files and --set. */
#include "machine/config/config.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct config_key {
    const char *section, *name;
    size_t offset;
    uint32_t def, min, max;
    const char *words; /* of an enumeration: a|b|c; NULL: a number */
    const char *unit, *meaning;
};

#define PLACE(section, name) #section, #name, offsetof(struct gpu_config, section##_##name)
static const struct config_key KEYS[] = {
#define U(section, name, def, min, max, unit, meaning) \
    {PLACE(section, name), def, min, max, NULL, unit, meaning},
#define E(section, name, def, words, meaning) {PLACE(section, name), def, 0, 0, words, "", meaning},
#include "machine/config/config_keys.h"
#undef U
#undef E
};
_Static_assert(sizeof KEYS / sizeof KEYS[0] == CONFIG_KEYS, "both are made from one list");

static uint32_t *field(struct gpu_config *config, const struct config_key *key)
{
    return (uint32_t *)(void *)((char *)config + key->offset);
}

void config_defaults(struct gpu_config *config)
{
    for (size_t k = 0; k < CONFIG_KEYS; k++) {
        *field(config, &KEYS[k]) = KEYS[k].def;
    }
}

static const struct config_key *find_key(const char *section, const char *name)
{
    for (size_t k = 0; k < CONFIG_KEYS; k++) {
        if (!strcmp(KEYS[k].section, section) && !strcmp(KEYS[k].name, name)) {
            return &KEYS[k];
        }
    }
    return NULL;
}

/* The position of `word` in "a|b|c", or -1. */
static int word_position(const char *words, const char *word)
{
    size_t length = strlen(word);
    int position = 0;

    for (const char *at = words;; position++) {
        size_t n = strcspn(at, "|");
        if (n == length && !strncmp(at, word, n)) {
            return position;
        }
        if (!at[n]) {
            return -1;
        }
        at += n + 1;
    }
}

static int parse_number(const char *text, uint32_t *out)
{
    char *end;
    unsigned long long value;

    if (*text < '0' || *text > '9') {
        return -1;
    }
    errno = 0;
    value = strtoull(text, &end, 0);
    if (errno || *end || value > UINT32_MAX) {
        return -1;
    }
    *out = (uint32_t)value;
    return 0;
}

int config_assign(struct gpu_config *config, const char *section, const char *name,
                  const char *value, char *why, size_t n_why)
{
    const struct config_key *key = find_key(section, name);
    uint32_t number = 0;

    if (!key) {
        snprintf(why, n_why, "unknown key %.40s%s%.60s; `warplock run --keys` lists all keys",
                 section, *section ? "." : "", name);
        return -1;
    }
    if (key->words) {
        int position = word_position(key->words, value);
        if (position < 0) {
            snprintf(why, n_why, "%s.%s = %.40s: no such word; use one of %s", key->section,
                     key->name, value, key->words);
            return -1;
        }
        number = (uint32_t)position;
    } else if (parse_number(value, &number) != 0 || number < key->min || number > key->max) {
        snprintf(why, n_why, "%s.%s = %.40s: not possible; use a number from %u to %u (%s)",
                 key->section, key->name, value, key->min, key->max, key->unit);
        return -1;
    }
    *field(config, key) = number;
    return (int)(key - KEYS);
}

int config_set(struct gpu_config *config, const char *assignment, char *error, size_t n_error)
{
    const char *dot = strchr(assignment, '.'), *equals = strchr(assignment, '=');
    char section[64], name[64], why[256];

    if (!dot || !equals || equals < dot || (size_t)(equals - assignment) > sizeof name) {
        snprintf(error, n_error, "--set %.80s: not understood; write section.key=value",
                 assignment);
        return -1;
    }
    snprintf(section, sizeof section, "%.*s", (int)(dot - assignment), assignment);
    snprintf(name, sizeof name, "%.*s", (int)(equals - dot - 1), dot + 1);
    if (config_assign(config, section, name, equals + 1, why, sizeof why) < 0) {
        snprintf(error, n_error, "--set %.80s: %s", assignment, why);
        return -1;
    }
    return 0;
}

static bool power_of_two(uint32_t x)
{
    return x && !(x & (x - 1));
}

static bool hash_sets(uint32_t index, uint32_t sets)
{
    return index != INDEX_FERMI_HASH || sets == 32 || sets == 64;
}

struct rule {
    bool broken;
    const char *what;
};

static int first_broken(const struct rule *rules, size_t n, char *error, size_t n_error)
{
    for (size_t r = 0; r < n; r++) {
        if (rules[r].broken) {
            snprintf(error, n_error, "configuration: %s", rules[r].what);
            return -1;
        }
    }
    return 0;
}

/* Units behind collectors keep the cycles of their results in a 64-bit mask. */
static bool too_long(const struct gpu_config *c)
{
    const uint32_t latencies[] = {c->pipe_int_latency, c->pipe_fp32_latency,   c->pipe_fp64_latency,
                                  c->pipe_sfu_latency, c->pipe_branch_latency, c->sm_const_cycles};

    for (size_t l = 0; l < sizeof latencies / sizeof latencies[0]; l++) {
        if (latencies[l] > 62) {
            return true;
        }
    }
    return false;
}

/* No instruction could get its operands. */
static bool uncollected(const struct gpu_config *c)
{
    return !(c->operands_general && c->operands_general_ports) &&
           (!(c->operands_sp && c->operands_sp_ports) ||
            !(c->operands_sfu && c->operands_sfu_ports) ||
            !(c->operands_mem && c->operands_mem_ports) || c->operands_branch_registers ||
            (c->operands_int_registers && !(c->operands_int && c->operands_int_ports)) ||
            (c->operands_dp_registers && !(c->operands_dp && c->operands_dp_ports)));
}

static bool divides_all(const struct gpu_config *c)
{
    const uint32_t shared[] = {c->operands_sp,
                               c->operands_int,
                               c->operands_dp,
                               c->operands_sfu,
                               c->operands_mem,
                               c->operands_general,
                               c->operands_sp_registers,
                               c->operands_int_registers,
                               c->operands_dp_registers,
                               c->operands_sfu_registers,
                               c->operands_mem_registers,
                               c->operands_branch_registers,
                               c->operands_banks,
                               c->operands_sp_registers ? c->pipe_fp32_units : 0,
                               c->operands_int_registers ? c->pipe_int_units : 0,
                               c->operands_dp_registers ? c->pipe_fp64_units : 0,
                               c->operands_sfu_registers ? c->pipe_sfu_units : 0,
                               c->operands_branch_registers ? c->pipe_branch_units : 0};

    for (size_t s = 0; s < sizeof shared / sizeof shared[0]; s++) {
        if (shared[s] % c->sm_schedulers) {
            return false;
        }
    }
    return true;
}

static int check_stages(const struct gpu_config *c, char *error, size_t n_error)
{
    const struct rule rules[] = {
        {!c->operands_banks && c->l1d_hit_cycles == 0,
         "l1d.hit_cycles 0 needs operand collectors; set operands.banks, or l1d.hit_cycles to 1"},
        {c->fetch_rounds && c->sm_branch_cycles > 1,
         "fetch.rounds has its own time for control transfers; set sm.branch_cycles to 1"},
        {c->operands_banks && c->ldst_replay_queue,
         "ldst.replay_queue is not built behind operand collectors; set it to 0"},
        {c->operands_banks && too_long(c),
         "a pipe's latency is above 62; behind operand collectors that is the longest"},
        {c->operands_subcores && !divides_all(c),
         "operands.subcores shares all out; make registers, collectors, banks and units multiples "
         "of sm.schedulers"},
        {c->operands_banks && (c->pipe_tensor_units || c->pipe_uniform_units),
         "pipe.tensor_units and pipe.uniform_units are not behind operand collectors; set them, or "
         "operands.banks, to 0"},
        {!c->operands_banks && c->pipe_fp16_interval,
         "pipe.fp16_interval needs operand collectors; set operands.banks, or it to 0"},
        {c->operands_banks && c->operands_general + c->operands_sp + c->operands_int +
                                      c->operands_dp + c->operands_sfu + c->operands_mem >
                                  31,
         "more than 31 operand collectors; lower operands.general or others"},
        {c->operands_banks && uncollected(c),
         "a class of instructions has no operand collector; set operands.general and its ports"},
    };

    return first_broken(rules, sizeof rules / sizeof rules[0], error, n_error);
}

static int check_sm(const struct gpu_config *c, char *error, size_t n_error)
{
    const struct rule rules[] = {
        {c->sm_warps % c->sm_schedulers != 0,
         "sm.warps is not a multiple of sm.schedulers; every scheduler has as many slots"},
        {c->machine_sms % c->machine_sms_per_node != 0,
         "machine.sms is not a multiple of machine.sms_per_node; make every node full"},
        {!hash_sets(c->l1d_index, c->l1d_sets),
         "l1d.index fermi-hash is defined for 32 or 64 sets; change l1d.sets or the index"},
        {!c->l1d_sector_bytes && (c->l1d_ways > 32 || c->l1d_mshrs > 256),
         "more than 32 l1d.ways or 256 l1d.mshrs are built by sectors; set l1d.sector_bytes"},
        {c->l1d_sector_bytes &&
             (!c->l2_sectors || !c->operands_banks || c->l1d_allocate != ALLOCATE_ON_MISS ||
              c->l1d_global_write != WRITE_THROUGH_ALLOCATE ||
              c->l1d_local_write != LOCAL_AS_GLOBAL),
         "l1d.sector_bytes is built for l2.sectors, operand collectors, l1d.allocate on-miss, "
         "l1d.global_write through-allocate and l1d.local_write as-global; set them, or it to 0"},
        {c->l1d_sector_bytes && c->l1d_at_launch != AT_LAUNCH_EMPTIED,
         "an L1D by sectors is emptied; set l1d.at_launch=emptied, or l1d.sector_bytes to 0"},
        {c->l1d_sector_bytes &&
             (!power_of_two(c->l1d_sector_bytes) || c->l1d_sector_bytes < SECTOR_BYTES),
         "l1d.sector_bytes is no sector's size; use 0, 32, 64 or 128"},
        {c->l1d_banks > 1 && (!c->l1d_sector_bytes || !power_of_two(c->l1d_banks)),
         "l1d.banks is a power of two, and 1 without sectors; use 1, 2 or 4, and l1d.sector_bytes"},
        {c->l1d_carveout && (!c->l1d_sector_bytes || c->sm_shared_bytes < 65536 ||
                             c->sm_shared_bytes >= c->l1d_sets * c->l1d_ways * BLOCK_BYTES),
         "l1d.carveout needs sectors, and sm.shared_bytes from 65536 to below the L1D; set it to no"},
        {c->l1d_global_write == WRITE_THROUGH_ALLOCATE && c->l1d_miss_queue < 2,
         "l1d.global_write through-allocate sends two messages; set l1d.miss_queue to 2 or more"},
        {c->icnt_topology == TOPOLOGY_MESH && c->icnt_mesh_width &&
             c->icnt_mesh_width * 16 <
                 c->machine_sms / c->machine_sms_per_node + c->l2_partitions + 1,
         "icnt.mesh_width is too small for 16 rows; use 0 for a square mesh"},
    };

    return first_broken(rules, sizeof rules / sizeof rules[0], error, n_error);
}

static int check_memory(const struct gpu_config *c, char *error, size_t n_error)
{
    const struct rule rules[] = {
        {!power_of_two(c->l2_interleave_bytes) || !power_of_two(c->dram_interleave_bytes),
         "an interleave is not a power of two; use 128, 256, ... bytes"},
        {!power_of_two(c->dram_row_bytes) || c->dram_row_bytes < c->dram_interleave_bytes,
         "dram.row_bytes cannot hold whole interleave pieces; use a power of two not below it"},
        {!hash_sets(c->l2_index, c->l2_sets),
         "l2.index fermi-hash is defined for 32 or 64 sets; change l2.sets or the index"},
        {c->l2_index == INDEX_POLYNOMIAL && c->l2_sets != 32,
         "l2.index polynomial is defined for 32 sets; change l2.sets or the index"},
        {c->l2_slices == SLICES_POLYNOMIAL && c->l2_partitions * c->l2_banks != 64,
         "l2.slices polynomial is defined for 64 banks; change l2.partitions, l2.banks or it"},
        {c->dram_banks % c->dram_bank_groups != 0,
         "dram.banks is not a multiple of dram.bank_groups; use a divisor"},
        {c->dram_tRC < c->dram_tRAS + c->dram_tRP,
         "dram.tRC is below tRAS + tRP; a bank cannot be reopened sooner"},
        {c->dram_bank_bits &&
             (!power_of_two(c->dram_rows) ||
              UINT64_C(1) << __builtin_popcount(c->dram_bank_bits) > c->dram_banks),
         "dram.rows is not a power of two, or dram.bank_bits has more bits than dram.banks"},
        {c->dram_scheduler == DRAM_SCHEDULER_BANKS &&
             (!c->l2_sectors || c->dram_channels != c->l2_partitions || c->dram_tREFI ||
              c->dram_tFAW || c->dram_interleave_bytes != c->l2_interleave_bytes),
         "dram.scheduler banks is built for l2.sectors, a channel for each partition with the same "
         "interleave, and neither tREFI nor tFAW"},
        {c->dram_scheduler == DRAM_SCHEDULER_BANKS &&
             (c->dram_tRCD < c->dram_tWL + 1 || c->dram_tCL < c->dram_tWL),
         "dram.scheduler banks needs tRCD above tWL, and tCL not below it"},
        {c->l2_sectors && c->ldst_past_l1d != PAST_SECTORS,
         "l2.sectors takes atomics of one sector; set ldst.past_l1d to sectors"},
        {c->l2_sectors && (c->l2_write != L2_WRITE_BACK || c->l2_input_queue < SECTORS),
         "l2.sectors is built for l2.write=back, with an l2.input_queue of 4 or more"},
        {c->icnt_inject_flits && (c->icnt_topology == TOPOLOGY_MESH || c->machine_sms_per_node > 1),
         "icnt.inject_flits is built for a crossbar with a port for each SM"},
        {(c->icnt_jitter || c->icnt_slow_cycles || c->icnt_topology == TOPOLOGY_MESH) &&
             c->icnt_speedup > 1,
         "icnt.speedup is built for a crossbar without jitter or slow path; set it to 1"},
        {c->dram_tREFI && c->dram_tREFI <= c->dram_tRFC + c->dram_tRC,
         "dram.tREFI leaves no time between refreshes; make it larger than tRFC + tRC"},
        {c->dram_tCCDL < c->dram_tCCD, "dram.tCCDL is below tCCD; make it at least equal"},
        {c->dram_tCCD < c->dram_burst_cycles,
         "dram.tCCD is below dram.burst_cycles; bursts would overlap on the bus"},
        {c->icnt_slow_cycles &&
             (c->icnt_slow_sm >= c->machine_sms || c->icnt_slow_partition >= c->l2_partitions),
         "icnt.slow_sm or icnt.slow_partition is none of the machine's"},
        {c->l2_partitions * c->l2_banks > 64 ||
             (c->icnt_switch == SWITCH_FLITS && c->l2_partitions * c->l2_banks > 60),
         "more than 60 L2 banks, or 64 with icnt.switch packets; lower l2.partitions or l2.banks"},
        {c->host_ports > 1 && c->l2_partitions * c->l2_banks + c->host_ports > 61,
         "more than 61 L2 banks and ports of host memory; lower host.ports or l2.banks"},
        {c->icnt_switch == SWITCH_FLITS && c->machine_sms > 64,
         "more than 64 SMs need icnt.switch packets; set it, or lower machine.sms"},
        {c->icnt_switch == SWITCH_PACKETS &&
             (c->icnt_topology == TOPOLOGY_MESH || c->machine_sms_per_node > 1 ||
              c->icnt_inject_flits || c->icnt_speedup > 1 || c->icnt_jitter || c->icnt_slow_cycles),
         "icnt.switch packets is built for a crossbar with a port for each SM, without "
         "inject_flits, speedup, jitter or slow path; set it to flits"},
    };

    return first_broken(rules, sizeof rules / sizeof rules[0], error, n_error);
}

int config_check(const struct gpu_config *config, char *error, size_t n_error)
{
    if (check_sm(config, error, n_error) != 0 || check_stages(config, error, n_error) != 0) {
        return -1;
    }
    return check_memory(config, error, n_error);
}

void config_key_name(size_t key, char *out, size_t n_out)
{
    snprintf(out, n_out, "%s.%s", KEYS[key].section, KEYS[key].name);
}

void config_key_value(const struct gpu_config *config, size_t key, char *out, size_t n_out)
{
    const char *word = KEYS[key].words;
    uint32_t value;

    memcpy(&value, (const char *)config + KEYS[key].offset, sizeof value);
    if (!word) {
        snprintf(out, n_out, "%u", value);
        return;
    }
    for (; value > 0; value--) {
        word += strcspn(word, "|") + 1;
    }
    snprintf(out, n_out, "%.*s", (int)strcspn(word, "|"), word);
}

void config_print(const struct gpu_config *config, FILE *out)
{
    for (size_t k = 0; k < CONFIG_KEYS; k++) {
        const struct config_key *key = &KEYS[k];
        char value[32];

        config_key_value(config, k, value, sizeof value);
        if (key->words) {
            fprintf(out, "%s.%s = %s  {%s}  %s\n", key->section, key->name, value, key->words,
                    key->meaning);
        } else {
            fprintf(out, "%s.%s = %s %s  [%u..%u]  %s\n", key->section, key->name, value, key->unit,
                    key->min, key->max, key->meaning);
        }
    }
}
