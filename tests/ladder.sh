#!/usr/bin/env bash
# ladder.sh - the upper levels of verification see what they are there for: mutants
# that weak tests miss, points that are not reached, reasons that are wrong, a netlist that is
# another machine, a difference under fuzzing; and the report shows what was found.
set -u
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
say() { echo "ladder: $*"; bad=1; }
expect() { # STATUS PATTERN COMMAND...
    local status=$1 pattern=$2; shift 2
    "$@" >"$work/out" 2>&1
    local code=$?
    [ $code = "$status" ] && grep -qE "$pattern" "$work/out" && return
    say "'$*' ended with $code and not $status with /$pattern/"; tail -n 15 "$work/out"
}

mkdir -p "$work/tree/build/tools" "$work/tree/build/verilated" "$work/tree/build/obj"
cp -r Makefile cmodel rtl synth tb tests "$work/tree"
cp -p build/warplock build/ladder build/verilator.mk "$work/tree/build"
cp -rp build/tools build/verilated "$work/tree/build"
cp -p build/libwarplock.a "$work/tree/build"
find "$work/tree/build" -type f -exec touch {} +
cd "$work/tree" || exit 1
mutate() { build/ladder mutate flush_ctrl --count 12 --steps 20000 --proof 5 "$@"; }

# The real tests are strong enough; the corpus and the netlist agree.  With more steps, what lived in
# few is run again, and nothing that was killed.
journal=build/mutate/flush_ctrl.json.journal
expect 1 '^WEAK .*flush_ctrl ' mutate --steps 2 --proof 0
cp "$journal" "$work/few"
expect 0 '^PASS .*flush_ctrl .*100.0 %' mutate
lived=$(awk '$2 == 3 {print $1}' "$work/few" | sort)
again=$(tail -n "+$(($(wc -l <"$work/few") + 1))" "$journal" | awk '$1 != "effort" {print $1}' | sort -u)
[ -n "$lived" ] && [ "$lived" = "$again" ] || say "of mutants, '$lived' lived and '$again' are run again"
# Of its standard parameters, by hand: 10 blocks and branches; 19 bits of ports and 16 of set_q,
# set_d, others, any and last_out; 2 outputs under a guard and 7 bins of the stimulus.  With
# WB_OVERLAP = 0 last_out is 0, others[0] has its reason: 53 of 54 points are 98.1 %.
expect 1 'lines 10/10, toggles 33/35, names 0/0, guards 2/2, bins 7/7; 1 open, 1 more with reason' \
    build/ladder coverage flush_ctrl --standard --steps 20000
grep -q 'open: toggle flush_ctrl.v last_out$' "$work/out" || say "last_out is not listed as never changing"
expect 0 '[1-9][0-9]* executions in 0 s.*no difference' tb/ladder/fuzz.sh flush_ctrl 0
make -s -f tb/ladder/gates.mk UNIT=adi/flush_ctrl gates
grep -q '"proven"' build/gates/flush_ctrl@-.json || say "the netlist of flush_ctrl is not proven"
expect 0 '^flush_ctrl +- +- +98.1%. +- +[0-9.]+( k)? +1/1 [0-9]+s +100.0% \(0\) +-$' build/ladder report
grep -q '"text": "1/1 ' build/equiv/report.json && grep -q '<td class="good">100.0% (0)' build/equiv/report.html ||
    say "the report is not there as JSON and HTML"

# What has run stands, until the unit's file says something else of it.
rung() { make SHORT=1 build/equiv/short/mutate/adi/flush_ctrl 2>&1 | grep -c MUTATE; }
[ "$(rung) $(rung)" = '1 0' ] || say "a level that has run does not stand"
find cmodel rtl tb -type f -exec touch {} +
[ "$(rung)" = 0 ] || say "a level runs again because of times alone"
echo 'mutate SETS=8' >>cmodel/units/adi/flush_ctrl/flush_ctrl.unit
[ "$(rung) $(rung)" = '1 0' ] || say "a level does not run again at its new point"

# A star says that no result is of the standard parameters.
mkdir -p build/prove
made_of=$(tb/ladder/inputs.sh prove flush_ctrl | awk '{print $3}')
proof() {
    jq -n --arg point "$1" --arg inputs "$made_of" '{unit: "flush_ctrl", $point, result: "proven", seconds: 3, $inputs}' >"build/prove/flush_ctrl@$1.json"
}
proof SETS=4
expect 0 ' 1/1 3s\*$' build/ladder report flush_ctrl
proof standard
expect 0 ' 2/2 6s$' build/ladder report flush_ctrl

expect 2 'no parameter FOO' build/ladder mutate flush_ctrl --param FOO=1
expect 2 'not .abc.' build/ladder mutate flush_ctrl --count abc

# A reason for what was killed or covered is refused.
echo 'mutant flush_ctrl.v inv* because of nothing' >cmodel/units/adi/flush_ctrl/flush_ctrl.reasons
expect 2 'flush_ctrl.reasons:1: gives a reason for .flush_ctrl.v inv.*, which was killed' mutate
echo 'toggle flush_ctrl.v set_q[2] because of nothing' >cmodel/units/adi/flush_ctrl/flush_ctrl.reasons
expect 2 'flush_ctrl.reasons:1: gives a reason for .*set_q\[2\]., which was covered' \
    build/ladder coverage flush_ctrl --standard --steps 20000
rm cmodel/units/adi/flush_ctrl/flush_ctrl.reasons

# Tests that never flush: mutants live and are listed, points stay open; a reason closes one.
printf 'unit flush_ctrl\ntest nothing\nrst\nstep\n' >cmodel/units/adi/flush_ctrl/flush_ctrl.vec
sed -i 's/    (void)step;/    (void)step; in->flush_req = 0;/' cmodel/units/adi/flush_ctrl/flush_ctrl.stimulus.c
expect 1 '^WEAK .*flush_ctrl ' mutate
grep -qE '^  lives [0-9]+  rtl/adi/flush_ctrl.v:[0-9]+' "$work/out" || say "no survivor is listed with its line"
expect 1 '^OPEN .*flush_ctrl ' build/ladder coverage flush_ctrl --standard --steps 20000
grep -q 'open: toggle flush_ctrl.v set_q\[4:0\]' "$work/out" || say "set_q is not listed as never changing"
echo 'toggle flush_ctrl.v set_q[4:0] because nothing flushes here' >cmodel/units/adi/flush_ctrl/flush_ctrl.reasons
expect 1 ', 5 more with reason' build/ladder coverage flush_ctrl --standard --steps 20000

# Another machine: as netlist, and as C model under mutation and fuzzing.
netlist=$(echo build/units/flush_ctrl/SETS-32*OVERLAP-0/netlist.v)
sed -i '0,/ & /s// | /' "$netlist" && touch "$netlist"
make -s -f tb/ladder/gates.mk UNIT=adi/flush_ctrl gates
grep -q '"different"' build/gates/flush_ctrl@-.json || { say "another netlist is taken for the same"; cat build/gates/*; }
sed -i 's/flush_busy = /flush_busy = !/' cmodel/units/adi/flush_ctrl/flush_ctrl.c
grep -q 'flush_busy = !' cmodel/units/adi/flush_ctrl/flush_ctrl.c || say "the edit of the model changes nothing"
expect 1 'differs from its C model already' mutate
expect 1 'MISMATCH flush_ctrl: build/warplock replay build/fail/flush_ctrl-fuzz.seq' tb/ladder/fuzz.sh flush_ctrl 0
expect 1 'MISMATCH flush_ctrl .*' build/warplock replay build/fail/flush_ctrl-fuzz.seq
exit $bad
