#!/usr/bin/env bash
# gtsc_protocol.sh - G-TSC units under random messages (build/protocol/gtsc_random): right with
# every safe choice of the document; each unsafe one, and each fault planted around the units,
# is found.
set -u
cd "$(dirname "$0")/.."
tester=build/protocol/gtsc_random
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
say() { echo "gtsc_protocol: $*"; bad=1; }

# expect VERDICT ACCESSES OPTIONS: the run must end in this verdict.
expect() {
    local verdict=$1 accesses=$2
    shift 2
    $tester --accesses "$accesses" "$@" >"$work/out" 2>&1
    grep -q "^$verdict " "$work/out" || say "$* is not $verdict: $(cat "$work/out")"
}

for set in sc=0 sc=1 ts_bits=8,lease=10,l1_lines=8,blocks=12 ts_bits=5,lease=2,words=4 idle=1; do
    for l1 in WR_POLICY=1 WR_POLICY=2 ST_UNDER_LOCK=1 UPDATE_VISIBILITY=2 FORWARD_ALL=1 SELF_INC=4 PIN=1; do
        expect PASS 150000 --set $set --l1 $l1
    done
done
expect PASS 150000 --l2 LEASE_INCL=1
expect PASS 150000 --l2 MEMTS_GLOBAL=1
expect PASS 150000 --reset-mode 1
expect PASS 150000 --set ts_bits=16,lease=10
expect PASS 150000 --l1 WR_POLICY=0 --set words=1
expect PASS 2000 --backend lockstep
# D-G9: a line replaced while its renewal is in flight; pinned, it never is.
expect PASS 150000
grep -q ' [1-9][0-9]* lines replaced' "$work/out" || say "no renewal lost its line"
expect PASS 150000 --l1 PIN=1
grep -q ' 0 lines replaced' "$work/out" || say "a pinned line was replaced: $(cat "$work/out")"
expect PASS 2000 --backend lockstep --l1 PIN=1

# False sharing without a check at the L2 (D-G12), an ack that stamps any copy (D-G17).
expect ASSERT 150000 --l1 WR_POLICY=0 --shrink --record "$work/record"
grep -q 'load of another version' "$work/out" || say "no wrong value was found"
for unit in sm0 sm1 sm2 bank0 bank1; do
    build/warplock replay "$work/record/$unit.seq" >"$work/replay" 2>&1 \
        && [ -s "$work/record/$unit.fst" ] || say "$unit does not replay: $(cat "$work/replay")"
done
expect ASSERT 150000 --l1 WR_POLICY=0,STAMP_ANY=1 --set words=1
expect ASSERT 150000 --l1 WR_POLICY=2,STAMP_ANY=1

# Faults around the units; a tag too narrow for the age of messages.
expect ASSERT 150000 --plant no-mem-ts
expect ASSERT 150000 --plant old-data
expect ASSERT 150000 --plant only-d-g15
expect PASS 150000 --plant only-d-g15 --set sc=1
expect STUCK 150000 --plant no-probe --set idle=1
expect ASSERT 3000000 --plant reorder --l1 FORWARD_ALL=1 \
    --set blocks=2,l1_lines=2,outstanding=4,warps=8,stores=10
expect ASSERT 150000 --set ts_bits=4,lease=1,epoch_bits=2

# A polled flag (D-G13): never seen by plain loads, seen with SELF_INC and by volatile loads.
expect STUCK 1000000 --set spin=1,volatiles=0
expect PASS 1000000 --set spin=1,volatiles=0 --l1 SELF_INC=4
expect PASS 1000000 --set spin=1,volatiles=0,ts_bits=4 --l1 SELF_INC=256
expect PASS 1000000 --set spin=1,volatiles=1

# Bad input.
refuse() {
    $tester "$@" >"$work/out" 2>&1
    [ $? = 2 ] || say "$* is not refused with status 2"
}
refuse --l1 NO=1
refuse --set lease=31
refuse --set sms=9
refuse --plant nothing
refuse --backend nothing
exit $bad
