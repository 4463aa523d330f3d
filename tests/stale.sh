#!/usr/bin/env bash
# stale.sh - a result of the ladder goes stale when something that it was made of changes, and by
# nothing else: in a copy of the tree, with a result of every level for every unit.
set -u
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/build" && cp -r cmodel rtl tb "$work" && cp build/ladder "$work/build"
cd "$work" || exit 1
bad=0

declare -A folder=([check]=check [coverage]=coverage [system]=system [fuzz]=fuzz/unit [gates]=gates
                   [mutate]=mutate [prove]=prove)
results() { # all of them, made now
    rm -rf build/{check,coverage,system,fuzz,gates,mutate,prove}
    (cd build && mkdir -p "${folder[@]}")
    while read -r level unit hash; do
        echo "{\"unit\": \"$unit\", \"inputs\": \"$hash\"}" >"build/${folder[$level]}/$unit.json"
    done < <(tb/ladder/inputs.sh)
}
# The stale cells: UNIT COLUMN, a line each, by the report.
stale() {
    build/ladder report >out 2>&1 || { cat out; return; }
    jq -r 'to_entries[] | .key as $unit | .value | to_entries[] | select(.value.stale) | "\($unit) \(.key)"' \
        build/equiv/report.json | sort
}
# expected WORDS "UNIT..." "COLUMN..." [more pairs]: exactly these cells are stale.
expected() {
    local words=$1 unit column; shift
    while [ $# -gt 0 ]; do
        for unit in $1; do for column in $2; do echo "$unit $column"; done; done
        shift 2
    done | sed 's/ L\(.\)/ L\1 /' | sort -u >want
    stale >got
    diff want got >differs || { echo "stale: $words: < is wanted, > is"; head -n 20 differs; bad=1; }
}
every='L1vectors L2random L2cover L3runs L4fuzz L5gates L6mutants L7proof'
units=$(tb/rows.sh units | sed 's|.*/||')

results
expected 'nothing has changed'
find cmodel rtl tb -type f -exec touch {} +
expected 'only times have changed'

echo '/* another */' >>cmodel/units/caps/caps_walk.h
expected 'a header that two models share' \
    'caps_prefetch_gen caps_top' 'L1vectors L2random L2cover L3runs L4fuzz L6mutants L7proof' \
    'caps_percta caps_dist pas_sched' L3runs # they run together with those
results

echo '// another' >>rtl/common/mod_prime.v
expected 'a submodule of three units' 'pmod pdisp fup28' "$every"
results

echo '// another' >>cmodel/machine/l2/l2.c
expected 'a file of the machine' "$units" L3runs
results

echo '// another' >>tb/lockstep.c
expected 'the harness' "$units" 'L1vectors L2random L2cover L3runs L4fuzz L6mutants'
results

sed -i 's/^prove - 60/prove - 61/' cmodel/units/index/fup20/fup20.unit
expected 'a row of a unit' fup20 L7proof
sed -i 's/^wave.*/# &/' cmodel/units/index/conv/conv.unit
expected 'a row of no level' fup20 L7proof
results

echo x >>cmodel/units/index/fup20/fup20.corpus.tar.xz
expected 'a corpus' fup20 L4fuzz
rm build/prove/conv.json
echo '{"unit": "conv"}' >build/prove/conv.json
expected 'a result that does not say what it was made of' fup20 L4fuzz conv L7proof
exit $bad
