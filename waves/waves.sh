#!/usr/bin/env bash
# waves.sh - the units' `wave` rows (cmodel/units/unit_file.md) as waveforms.
#
#   record UNIT   play it, C and RTL side by side, into build/waves/UNIT.fst
#   draft [UNIT]  write UNIT.gtkw from the unit's table, and a row into UNIT.unit where
#                 there is none; without UNIT, for every unit that has no layout yet
#   show [UNIT]   record and open GTKWave, a unit without a layout with that of its table; without a display, or without UNIT (then for all),
#                 make pictures: build/waves/UNIT.png
set -eu -o pipefail
cd "$(dirname "$0")/.."
. waves/files.inc
mkdir -p build/waves

fail() { echo "waves: $*" >&2; exit 2; }
units() { tb/rows.sh units "$@" | sed 's|.*/||'; }
row_of() { tb/rows.sh wave "$1"; }
# room UNIT: its folder and name, to which the endings go.
room() { echo "cmodel/units/$(tb/rows.sh units "$1")/$1"; }
source_of() { if [ -f "$(room "$1").seq" ]; then echo "$(room "$1").seq"; else echo "$(room "$1").vec"; fi; }

# play UNIT OPTIONS...
play() {
    local unit=$1 test; shift
    read -r _ test _ <<<"$(row_of "$unit")"
    [ -n "$test" ] || fail "$unit has no wave row; \`waves/waves.sh draft $unit\` makes one"
    build/warplock replay "$(source_of "$unit")" --test "$test" --backend lockstep --wave "build/waves/$unit.fst" "$@" >build/waves/"$unit".log ||
        { cat build/waves/"$unit".log >&2; fail "the scenario of $unit does not play"; }
}

draft() {
    local unit=$1 marks
    if [ -z "$(row_of "$unit")" ]; then
        echo "wave $(awk '$1 == "test" {print $2; exit}' "$(source_of "$unit")") 1 its first test" >>"$(room "$unit").unit"
    fi
    read -r _ _ marks _ <<<"$(row_of "$unit")"
    play "$unit" --layout "$(room "$unit").gtkw" --mark "$marks"
    echo "drafted    $(room "$unit").gtkw"
}

show() {
    local unit=$1 layout marks; layout=$(room "$1").gtkw
    if [ -f "$layout" ]; then
        play "$unit"
    else
        layout=build/waves/$unit.gtkw
        read -r _ _ marks _ <<<"$(row_of "$unit")"
        play "$unit" --layout "$layout" --mark "$marks"
    fi
    if [ -n "${DISPLAY:-}" ] && [ -z "${ALL:-}" ]; then
        fault=$(wave_fault "build/waves/$unit.fst" "$layout")
        [ -z "$fault" ] || fail "$fault"
        exec gtkwave "build/waves/$unit.fst" "$layout"
    fi
    waves/shot.sh "build/waves/$unit.fst" "$layout" "build/waves/$unit.png" || exit
    [ -n "${ALL:-}" ] || echo "build/waves/$unit.png"
}

unit=${2:-}
[ -z "$unit" ] || unit=$(units "$unit") || exit
case ${1:-} in
record) [ -n "$unit" ] || fail "record which unit?"; play "$unit" ;;
draft)
    for one in ${unit:-$(units)}; do
        [ -n "$unit" ] || [ ! -f "$(room "$one").gtkw" ] || continue
        draft "$one"
    done ;;
show)
    [ -z "$unit" ] || { show "$unit"; exit; }
    ALL=1 n=0 of=$(units | wc -l)
    for one in $(units); do
        n=$((n + 1)); echo "[$n/$of] build/waves/$one.png"
        show "$one"
    done ;;
*) fail "record UNIT, draft [UNIT] or show [UNIT]" ;;
esac
