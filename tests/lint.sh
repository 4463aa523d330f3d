#!/usr/bin/env bash
# lint.sh - a unit has all its rooms, a room has its unit, and the style rules hold.
set -u
cd "$(dirname "$0")/.."
bad=0
say() { echo "lint: $*"; bad=1; }

units=$(sed 's/#.*//' cmodel/units/units.list | awk 'NF {print $1}')
for unit in $units; do
    name=${unit##*/}
    for room in "rtl/$unit.v" "cmodel/units/$unit.ports.h" "cmodel/units/$unit.c" "tb/stimulus/$name.c" "tests/vectors/$name.vec" "waves/$name.gtkw"; do
        [ -f "$room" ] || say "unit $name has no $room"
    done
    grep -q "^$name " waves/scenarios.list || say "unit $name has no line in waves/scenarios.list; waves/waves.sh draft $name makes one, and a layout"
done
# A module that another of its folder instantiates is a part, not a unit.
is_part() { grep -lE "^ *$(basename "$1" .v) +(#\(|[a-z])" "${1%/*}"/*.v | grep -qvx "$1"; }
has_unit() { grep -qx ".*/$1" <<<"$units"; }
for room in rtl/*/*.v; do
    [ "${room%/*}" = rtl/common ] && continue
    name=$(basename "$room" .v)
    has_unit "$name" || is_part "$room" || say "$room is neither a unit of cmodel/units/units.list nor instantiated by one"
done
for room in cmodel/units/*/*.ports.h tb/stimulus/*.c tests/vectors/*.vec waves/*.gtkw waves/*.seq; do
    name=$(basename "$room"); name=${name%.ports.h}; name=${name%.c}; name=${name%.vec}; name=${name%.gtkw}; name=${name%.seq}
    has_unit "$name" || say "$room has no line in cmodel/units/units.list"
done
twice=$(sed 's|.*/||' <<<"$units" | sort | uniq -d)
[ -z "$twice" ] || say "two units are named $twice"

for file in rtl/*/*.v; do
    grep -q '^`default_nettype none' "$file" || say "$file does not open with \`default_nettype none"
    [ "$(grep -c '^module ' "$file")" = 1 ] || say "$file must have exactly one module"
    grep -q "^module $(basename "$file" .v)\b" "$file" || say "$file: module and file name differ"
done
make -s hot-warnings || say "cmodel/gpu or cmodel/ptx has warnings"
# Layering: an include may only point down.
grep -nE '#include "(gpu|ptx|mechanisms|workloads|cli|tb)/' cmodel/units -r && say "cmodel/units looks up"
grep -nE '#include "(ptx|sass|mechanisms|workloads|cli|tb)/' cmodel/gpu -r && say "cmodel/gpu looks up"
grep -nE '#include "(mechanisms|cli|tb)/' cmodel/ptx cmodel/sass cmodel/workloads -r && say "cmodel/ptx, sass or workloads look up"
awk 'FNR == 1 && !/^\/\*|^\/\/|^#/ {print "lint: " FILENAME " does not open with a comment"; bad = 1} END {exit bad}' \
    $(find cmodel tb tests \( -name '*.c' -o -name '*.h' -o -name '*.cpp' -o -name '*.sh' \) | sort) || bad=1
exit $bad
