#!/usr/bin/env bash
# every_workload.sh - every workload under adaptive indexing (L1D and L2), DaCache, OAWS and
# FCW-Only with all their units as C and RTL in lockstep: no difference, and the statistics
# of the C models.  every_workload.sh SHARD SHARDS: its part of the workloads.  Two SMs, so
# that each has many CTAs.
set -u
cd "$(dirname "$0")/.."
. tests/workloads.inc
shard=${1:-0} shards=${2:-1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
say() { echo "every_workload: $*"; bad=1; }

adi="adi_engine adi_idx_mux flush_ctrl cache_line_fsm"
dacache="dac_gauge dac_region dac_victim dac_stack dac_track dac_vc dac_clp dac_part age_rank"
oaws="oaws_dlc oaws_epoch oaws_pred oaws_store oaws_budget oaws_requal gto_sched"

both() { # WORKLOAD MACHINE MECHANISMS UNIT...
    local workload=$1 machine=$2 mechanisms=$3 form unit backends; shift 3
    for form in c lockstep; do
        backends=
        for unit in "$@"; do backends+="$unit=$form,"; done
        timeout 300 build/warplock run -w "$workload" --size tiny -c "$machine" --set machine.sms=2 \
            --set machine.sms_per_node=1 -m "$mechanisms" -b "${backends%,}" \
            --json "$work/$form.json" >"$work/out" 2>&1 ||
            { say "$workload -m $mechanisms on $form"; cat "$work/out"; return; }
    done
    cmp -s "$work/c.json" "$work/lockstep.json" ||
        say "$workload -m $mechanisms: other statistics in lockstep than on c"
    grep -q 'values compared, all equal' "$work/out" || say "$workload -m $mechanisms: nothing compared"
}

n=0
for workload in $(all_workloads); do
    ((n++ % shards == shard)) || continue
    together "$workload" && continue
    # shellcheck disable=SC2086
    {
        both "$workload" aci adi-small,l2-adi-small $adi
        both "$workload" wang2015-dacache dacache $dacache
        both "$workload" wang2015-oaws oaws-dyn $oaws age_rank dac_part
        both "$workload" wang2015-oaws oaws-static $oaws
        both "$workload" wang2015-oaws fcw-only age_rank dac_part gto_sched
    }
done
[ $n -gt 0 ] || say "no workload found"
exit $bad
