#!/usr/bin/env bash
# mechanisms_caps_lockstep.sh - every workload under CAPS with all four units in lockstep, and
# the variants that change a unit: no mismatch, statistics those of the C models.
set -u
cd "$(dirname "$0")/.."
. tests/workloads.inc
. tests/backends.inc
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
machine=caps
say() { echo "mechanisms_caps_lockstep: $*"; bad=1; }
units=$(units_under caps)

workloads=$(all_workloads)
[ "$(wc -w <<<"$workloads")" -ge 50 ] || say "workloads are missing"
# shellcheck disable=SC2086
{
    for workload in $workloads; do
        together "$workload" || lockstep caps "$workload" $units
    done
    for mechanism in caps:wake=0 caps:pas.lead_clear=1 caps:drop=1 caps:dist.gen_all=0:gen.gen_all=0 \
        caps:dist.self_pf=1 caps:dist.dist_flush_with_leadcta=1 \
        caps:percta.addr_line=1:dist.addr_line=1; do
        lockstep $mechanism laplace3d $units
    done
}
exit $bad
