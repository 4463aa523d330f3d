#!/usr/bin/env bash
# coverage.sh - `warplock check` does not pass with a bin or guard that was never reached, or
# that is reached where its condition says that it cannot be; a reason closes one, few steps and
# parameters that the unit does not list are no verdict.
set -u
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/build" && cp -r cmodel rtl tb "$work" && cp build/warplock "$work/build"
cd "$work" || exit 1
bad=0
unit=cmodel/units/adi/flush_ctrl/flush_ctrl

# expect STATUS PATTERN OPTIONS...: what a check of flush_ctrl says.
expect() {
    local status=$1 pattern=$2; shift 2
    build/warplock check flush_ctrl --backend c --steps 200000 "$@" >out 2>&1
    local got=$?
    [ $got = "$status" ] && grep -qE -- "$pattern" out && return
    echo "coverage: check $* ended with $got, and $status with /$pattern/ was expected:"
    cat out
    bad=1
}
# with FILE SED STATUS PATTERN OPTIONS...: the same after an edit of a file.
with() {
    local file=$1 edit=$2; shift 2
    cp "$file" kept
    sed -i "$edit" "$file"
    cmp -s kept "$file" && { echo "coverage: '$edit' changes nothing in $file"; bad=1; }
    expect "$@"
    mv kept "$file"
    touch "$file"
}

expect 0 'guards 2/2, bins 7/7$'
with $unit.stimulus.c 's/hits\[2\] += .*;/(void)0;/' 1 '^  open: bin miss queue full was never hit; let flush_ctrl.stimulus.c draw'
with $unit.stimulus.c 's/hits\[2\] += .*;/(void)0;/' 1 '"verdict": "OPEN"' --json
with $unit.stimulus.c 's/hits\[2\] += .*;/(void)0;/' 0 '^  open, so few steps need not reach it: bin miss queue full$' --steps 1000
with $unit.stimulus.c 's/hits\[2\] += .*;/(void)0;/' 1 'bin miss queue full was never hit' --param SETS=4
with $unit.stimulus.c 's/hits\[2\] += .*;/(void)0;/' 0 '^  open, the unit does not list these parameters: bin miss queue full$' --param SETS=16,WAYS=2
with $unit.stimulus.c 's/BIN("miss queue full")/BIN_IF(WB_OVERLAP, "miss queue full")/' 1 'bin miss queue full was reached, though its condition'
with $unit.stimulus.c 's/hits\[2\] += .*;/(void)0;/; s/BIN("miss queue full")/BIN_IF(WB_OVERLAP, "miss queue full")/' 0 'bins 6/6 and 1 not applicable$'
guard='s/(void)step;/(void)step; in->dirty = 0;/'
with $unit.stimulus.c "$guard" 1 'guard wb_way was never open; let flush_ctrl.stimulus.c draw what opens it'
never='s/BIN("dirty lines without a flush")/&, GUARD_IF(SETS < 4, "wb_way")/'
with $unit.stimulus.c "$guard; $never" 1 'guards 1/1, bins 1/7 and 1 not applicable$'
with $unit.stimulus.c "$never" 1 'guard wb_way was reached, though its condition'

reason() { echo "$*" >>$unit.reasons; }
cp $unit.reasons kept.reasons
reason 'bin miss queue full because this tree draws none'
expect 1 "flush_ctrl.reasons:[0-9]+: gives a reason for .miss queue full., which was covered; take it out"
with $unit.stimulus.c 's/hits\[2\] += .*;/(void)0;/' 0 'bins 6/7$'
mv kept.reasons $unit.reasons
reason 'gate x because of nothing'
expect 2 'the kind is mutant, line, toggle, name, guard or bin'
exit $bad
