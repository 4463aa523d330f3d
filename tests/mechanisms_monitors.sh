#!/usr/bin/env bash
# mechanisms_monitors.sh - units that only watch: icm and balance measure what the machine counts
# by itself, a signature never loses a block and mistakes as many as its formula says, and none
# of them changes the run.  caps_top in one piece does what its parts do.
set -u
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"; rm -f "$planted"' EXIT
bad=0
say() { echo "mechanisms_monitors: $*"; bad=1; }
. tests/rebuilt.inc

run() { # JSON WORKLOAD MACHINE MECHANISMS OPTIONS...
    local json=$1 workload=$2 machine=$3 mechanisms=$4; shift 4
    timeout 300 build/warplock run -w "$workload" --size tiny -c "$machine" ${mechanisms:+-m "$mechanisms"} \
        --json "$work/$json" "$@" >"$work/out" 2>&1 || { say "$workload -m $mechanisms $*"; tail -n 3 "$work/out"; }
}
judge() { # WORDS JQ: $a and $b are what the two runs told; the expression must be true
    jq -ne --slurpfile one "$work/a" --slurpfile other "$work/b" "\$one[0] as \$a | \$other[0] as \$b | $2" >/dev/null || say "$1"
}

for workload in atax bfs kmeans histogram gaussian spmv; do
    run a $workload wang2015-fup ''
    run b $workload wang2015-fup icm,balance,signature
    judge "$workload: monitors change the run" '$a.statistics == $b.statistics'
    for index in conv fup20; do
        run b $workload wang2015-fup $index,icm,balance
        judge "$workload on $index: not what the machine counts" '
            $b.mechanisms as $m | $b.statistics.derived as $d
            | $m.icm.concentration_all == $d.concentration_all and $d.concentration_all != null
            and $m.icm.concentration_divergent == $d.concentration_divergent
            and $d.concentration_divergent != null
            and $m.icm.loads > 0 and $m.icm.overruns == 0
            and $m.balance.balance == $d.balance and $m.balance.accesses > 0'
    done
    run a $workload wang2015-fup icm,balance,signature
    for how in '--every-cycle' '--threads 2' \
        '-b icm_monitor=netlist,balance_monitor=rtl,rdu_signature=lockstep'; do
        # shellcheck disable=SC2086
        run b $workload wang2015-fup icm,balance,signature $how
        judge "$workload $how: other measurements" '$a == $b'
    done
done
# Lanes of a load are a row apart: they share sets under CONV and hardly any under FUP (3.7).
run a syrk wang2015-fup conv,icm
run b syrk wang2015-fup fup20,icm
judge 'syrk: concentration' '
    $a.mechanisms.icm.concentration_divergent > 2 * $b.mechanisms.icm.concentration_divergent'

# Blocks of a real kernel: within a quarter of the formula of 3.7.2, some 500 false hits.
for workload in hotspot transpose; do
    run a $workload tabbakh2018-ch4 signature --size small
    run b $workload tabbakh2018-ch4 signature:m=16384 --size small
    judge "$workload: signature" '
        $a.mechanisms.signature_1024 as $s | $b.mechanisms.signature_16384 as $l
        | $s.false_hits > 300 and ($s.false_rate / $s.false_rate_formula - 1 | fabs) < 0.25
        and $s.insertions_fresh <= $s.insertions and $s.insertions >= 128 * $s.emptied
        and $s.emptied > 0 and $l.lookups == $s.lookups and $l.insertions == $s.insertions'
done

# What caps_top does not tell is left out.  Both take several cycles for a load, or one.
one_cycle=:percta.one_cycle=1:dist.one_cycle=1:gen.one_cycle=1
while read -r workload parts whole; do
    run a $workload caps "caps${parts#-}"
    run b $workload caps "caps:whole=1${whole#-}"
    judge "$workload: caps_top$whole is not its parts" '
        $a.mechanisms.caps as $parts | $b.mechanisms.caps as $whole
        | $a.statistics == $b.statistics and (($parts | keys) - ($whole | keys) | length) == 5
        and ($whole | to_entries | all($parts[.key] == .value))'
    run a $workload caps "caps:whole=1${whole#-}" -b caps_top=rtl
    judge "$workload: caps_top$whole as RTL" '$a == $b'
done <<END
laplace3d - -
bfs - -
fft $one_cycle :top.one_cycle=1
END

build/warplock run -w atax --size tiny -c wang2015-fup -m icm --set ldst.replay_queue=32 >"$work/out" 2>&1
[ $? = 2 ] && grep -q 'set ldst.replay_queue=0' "$work/out" || say 'icm behind a replay queue was not refused'

# A machine that counts otherwise than the monitors, the same in every run of it.
plant() { # MECHANISM OLD NEW
    rebuilt cmodel/machine/sm/sm_l1d.c "$2" "$3" || return
    "$planted" run -w bfs --size tiny -c wang2015-fup -m "$1" >"$work/out" 2>&1
    [ $? = 1 ] && grep -q "MISMATCH.*l1d.$1: .*the machine" "$work/out" || { say "planted for $1, and not found"; tail -n 3 "$work/out"; }
}
plant icm 'inst->n_sets++' 'inst->n_sets = (uint8_t)(inst->n_sets + (set != 3))'
plant balance 's->set_accesses[set]++' 's->set_accesses[set & ~1u]++'
exit $bad
