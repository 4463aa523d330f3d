#!/usr/bin/env bash
# planted_machine.sh - bugs of the machine and of the mechanisms around their units: no unit is compared
# with anything there, so a test of their events must notice.  Each is planted into a copy of one source,
# and a test named beside it must fail.
set -u
cd "$(dirname "$0")/.."
work=$(mktemp -d)
. tests/rebuilt.inc
trap 'rm -rf "$work" "$planted"' EXIT
bad=0 found=0
say() { echo "planted_machine: $*"; bad=1; }

# plant PROGRAM TEST SOURCE OLD NEW: TEST of PROGRAM fails.
plant() {
    local program=$1 test=$2; shift 2
    rebuilt_test "$program" "$@" || return
    timeout 120 "$planted" >"$work/out" 2>&1
    if [ $? != 0 ] && grep -q "^\[  FAILED  \] $test$" "$work/out"; then
        found=$((found + 1))
    else
        say "$program $test does not see '$3' in $1: $(tail -n 3 "$work/out")"
    fi
}
l1d=cmodel/machine/sm/sm_l1d.c
plant test_gpu_l1d dirty_line_survives_eviction $l1d '    l1d_write_down(sm, set, way);
}' '    if (!dirty) l1d_write_down(sm, set, way);
}'
plant test_gpu_l1d dirty_line_survives_eviction $l1d 'sm->stats.l1d_evictions++;' 'sm->stats.l1d_evictions += 2;'
plant test_gpu_l1d random_programs cmodel/machine/l2/l2_account.c 'if (access->kind == ACCESS_STORE) {' \
    'if (access->kind == ACCESS_STORE && result != RESULT_MISS) {'
plant test_gpu_dram_rules many_banks cmodel/machine/memory/dram.c 'end + 2 > c->dram_tWL ? end + 2 - c->dram_tWL : 0' '0'
plant test_component_dram turnarounds cmodel/machine/memory/dram_commands.c \
    'tick + c->dram_tCL + burst + 2 - c->dram_tWL' '0'
plant test_component_noc round_robin cmodel/machine/noc/network.c 'later ? later : want' 'want'
# D-DAC-11 and D-DAC-12 of wang2015, its 3.16, and 3.7.4 of aci-iacm-blpp at both levels.
dacache=cmodel/mechanisms/dacache/dacache.c
plant test_glue_dacache only_oldest_warp_is_sampled $dacache 'coherent && ranks_of(&d->ranks, slot) == 0' 'coherent'
plant test_glue_dacache training_compares_like_with_like $dacache 'access->priority * scale' 'access->priority'
plant test_glue_oaws coherent_load_counts_one cmodel/mechanisms/oaws/oaws.c \
    '*o->budget_at.issue_pred = o->issuing.prediction;' '*o->budget_at.issue_pred = n <= 2 ? 0 : o->issuing.prediction;'
adi=cmodel/mechanisms/adi/adi.c
plant test_glue_adi l1d_accesses $adi 'adi_site_access(self, access->block, result == RESULT_MISS || result == RESULT_BYPASS' \
    'adi_site_access(self, access->block, result != RESULT_HIT'
plant test_glue_adi l2_accesses $adi '                    result == RESULT_MISS || result == RESULT_BYPASS' '                    result != RESULT_HIT'
echo "$found bugs found, each by its test"
exit $bad
