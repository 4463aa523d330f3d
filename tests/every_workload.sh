#!/usr/bin/env bash
# every_workload.sh - every workload under adaptive indexing (L1D and L2), DaCache, OAWS and
# FCW-Only with all their units as C and RTL in lockstep: no difference, and the statistics
# of the C models.  every_workload.sh SHARD SHARDS: its part of the workloads.  Two SMs, so
# that each has many CTAs.
set -u
cd "$(dirname "$0")/.."
. tests/workloads.inc
. tests/backends.inc
shard=${1:-0} shards=${2:-1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
options=(--set machine.sms=2 --set machine.sms_per_node=1)
say() { echo "every_workload: $*"; bad=1; }

adi="adi_engine adi_idx_mux flush_ctrl cache_line_fsm"
dacache="dac_gauge dac_region dac_victim dac_stack dac_track dac_vc dac_clp dac_part age_rank"
oaws="oaws_dlc oaws_epoch oaws_pred oaws_store oaws_budget oaws_requal gto_sched"

n=0
for workload in $(all_workloads); do
    ((n++ % shards == shard)) || continue
    together "$workload" && continue
    # shellcheck disable=SC2086
    {
        machine=aci lockstep adi-small,l2-adi-small "$workload" $adi
        machine=wang2015-dacache lockstep dacache "$workload" $dacache
        machine=wang2015-oaws lockstep oaws-dyn "$workload" $oaws age_rank dac_part
        machine=wang2015-oaws lockstep oaws-static "$workload" $oaws
        machine=wang2015-oaws lockstep fcw-only "$workload" age_rank dac_part gto_sched
    }
done
[ $n -gt 0 ] || say "no workload found"
exit $bad
