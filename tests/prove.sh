#!/usr/bin/env bash
# prove.sh - the proofs that take seconds; a difference that a million random steps miss
# (a counter of 24 bits that no longer stops when it is full) is found by proof; a promise
# that does not hold is refuted by proof and by the random tester; what is promised of
# states and inputs leaves some to be proven; and a solver that lies is found out.
set -u
cd "$(dirname "$0")/.."
SHORT=1 tb/prove/prove.sh || exit 1
for record in $(tb/rows.sh prove | awk '$3 <= 60 {print $1 "@" ($2 == "-" ? "standard" : $2)}'); do
    jq -e '.certified == (.solver == "kissat")' "build/prove/${record#*/}.json" >/dev/null ||
        { echo "prove: $record is not certified"; exit 1; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/build"
cp -r cmodel rtl tb tests "$work"
cp -r build/warplock build/tools build/verilated "$work/build"
find "$work/build" -type f -exec touch {} +
cd "$work" || exit 1
sed -i 's/wire               full  = &b;/wire               full  = 1'"'"'b0;/' rtl/index/balance_monitor.v
grep -q "full  = 1'b0" rtl/index/balance_monitor.v || { echo "prove: the edit changes nothing"; exit 1; }
build/warplock check balance_monitor --param COUNT_W=24 --steps 1000000 >out 2>&1 ||
    { echo "prove: random steps did find the planted difference; plant a deeper one"; cat out; exit 1; }
tb/prove/prove.sh balance_monitor >out 2>&1
if [ $? != 1 ] || ! grep -q '^REFUTED  balance_monitor COUNT_W=24' out || ! grep -q 'state count' out; then
    echo "prove: the planted difference was not refuted"
    cat out
    exit 1
fi
echo "a difference that 1000000 random steps missed was found by proof:"
grep -A2 'REFUTED  balance_monitor COUNT_W=24' out

# A solver that says so of anything, with a proof that says as much.
rm build/prove/*.json
cp tb/prove/kissat.sh kissat.sh
cat >tb/prove/kissat.sh <<'END'
#!/bin/sh
cp "$1" "$PROOFS/lie.cnf" && printf 'a\0' >"$PROOFS/lie.drat" && echo 's UNSATISFIABLE' && exit 20
END
tb/prove/prove.sh balance_monitor >out 2>&1
if [ $? != 6 ] || grep -q '^PROVEN' out || ! grep -q 'BUILD .*COUNT_W=24: drat-trim refuses' out; then
    echo "prove: a solver that lies was believed"
    cat out
    exit 1
fi
mv kissat.sh tb/prove/kissat.sh
echo "a solver that calls everything proven was found out"

# An invariant that a step leaves: refuted, and seen in simulation.
sed -i 's/s->count < EPOCH;/s->count < EPOCH - 1;/' cmodel/units/oaws/oaws_epoch/oaws_epoch.c
grep -q 'EPOCH - 1;' cmodel/units/oaws/oaws_epoch/oaws_epoch.c || { echo "prove: the edit changes nothing"; exit 1; }
tb/prove/prove.sh oaws_epoch >out 2>&1
if [ $? != 1 ] || ! grep -q 'the invariant after a step' out; then
    echo "prove: a wrong invariant was not refuted"
    cat out
    exit 1
fi
build/warplock check oaws_epoch --param EPOCH=5 --backend c --steps 100000 >out 2>&1
if [ $? != 4 ] || ! grep -q "breaks the model's invariant" out; then
    echo "prove: the random tester did not see the wrong invariant"
    cat out
    exit 1
fi

# The end of the harness is reached under an invariant (gto_sched) and an acceptance
# (dac_victim): what is assumed does not exclude everything.
for unit in sched/gto_sched dacache/dac_victim; do
    make -s -f tb/prove/proof.mk UNIT=$unit transition || exit 1
    mapfile -t question < <(make -s -f tb/prove/proof.mk UNIT=$unit question)
    build/tools/cbmc tb/prove/harness.c "${question[@]}" -DPROVE_REACHES_END --no-standard-checks \
        --drop-unused-functions --slice-formula --unwind 66 --property main.assertion.1 >out 2>&1
    if [ $? != 10 ] || ! grep -q 'the end is reached: FAILURE' out; then
        echo "prove: $unit: no state and inputs are left"
        tail -n 5 out
        exit 1
    fi
done
echo "a wrong invariant was refuted; promises leave states and inputs to be proven"
