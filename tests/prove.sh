#!/usr/bin/env bash
# prove.sh - the proofs that take seconds; and a difference that a million random steps miss
# (a counter of 24 bits that no longer stops when it is full) is found by proof.
set -u
cd "$(dirname "$0")/.."
SHORT=1 tb/prove/prove.sh || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/build/verilated"
cp -r cmodel rtl tb tests "$work"
cp -r build/tools "$work/build"
cp build/warplock "$work/build"
cp build/verilated/libverilated.a "$work/build/verilated"
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
