#!/usr/bin/env bash
# litmus.sh - a short run of the litmus suite on every protocol: nothing forbidden, the weak
# outcomes that a model allows are really seen, the checks themselves notice, and the result
# does not depend on how the machine is stepped.
set -u
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
w=build/warplock
say() { echo "litmus: $*"; bad=1; }

# Protocols that the checker understands are checked as well.
for protocol in no-l1 no-l1-sc l1-noncoherent tc-strong,check-coherence tc-weak,check-coherence \
                gtsc-sc,check-coherence gtsc-rc,check-coherence gtsc-rc:ts_bits=5,check-coherence; do
    $w litmus --seeds 25 -m $protocol >"$work/out" 2>&1 || { say "$protocol: status $?"; cat "$work/out"; }
done

# seen PROTOCOL TEST SEEDS VARIANT...: the weak outcome comes out.
seen() {
    local protocol=$1 test=$2 seeds=$3 variant; shift 3
    $w litmus --seeds "$seeds" -m "$protocol" --test "$test" >"$work/out" 2>&1 || say "$protocol $test: status $?"
    for variant in "$@"; do
        grep -q "$variant .*allowed, seen" "$work/out" || say "$protocol $test, $variant: weak outcome not seen in $seeds seeds"
    done
}
for test in MP SB LB 2+2W R; do
    seen no-l1 $test 400 "no fence, SMs, lines"
    seen tc-weak $test 400 "no fence, SMs, lines"
    seen gtsc-rc $test 400 "no fence, SMs, lines"
done
for test in MP SB R IRIW; do
    seen l1-noncoherent $test 400 " fenced, SMs, lines"
done
seen tc-weak IRIW 400 " fenced, SMs, lines" # not write-atomic [D-T7]

# A machine held to more than it promises fails.
fails() {
    $w litmus --seeds 300 "$@" >"$work/out" 2>&1
    [ $? = 1 ] && grep -q FORBIDDEN "$work/out" || say "litmus $* did not fail"
}
fails -m no-l1 --model sc --test MP
fails -m tc-weak --model rc --test IRIW
fails -m l1-noncoherent --model rc-weak --test MP

$w litmus -m gtsc-rc --seeds 20 --test IRIW --json "$work/a.json" >/dev/null
$w litmus -m gtsc-rc --seeds 20 --test IRIW --json "$work/b.json" >/dev/null
$w litmus -m gtsc-rc --seeds 20 --test IRIW --json "$work/c.json" --threads 2 >/dev/null
cmp -s "$work/a.json" "$work/b.json" && cmp -s "$work/a.json" "$work/c.json" || say "not the same every time"

refuse() { # PATTERN OPTIONS...
    local pattern=$1; shift
    $w litmus "$@" >"$work/out" 2>&1
    [ $? = 2 ] && grep -qE "$pattern" "$work/out" || { say "$* was not refused as /$pattern/"; cat "$work/out"; }
}
refuse 'no coherence protocol' -m fup20
refuse 'no such test' --test nothing
refuse 'up to 4 threads' --timing 0,5w
refuse 'give sc, rc, rc-weak or none' --model tso
refuse 'both replace the coherence protocol' -m tc-weak,gtsc-rc
refuse 'no protocol to check' -m no-l1,check-coherence
exit $bad
