#!/usr/bin/env bash
# tracez.sh - today's traces, from a writer of its own (tests/traces/tracez.py): both forms hold
# what was written and run alike, every damaged container is refused with file and byte in little
# time and memory, unknown opcodes are listed and can be added, streams run at once, cuts and
# differences are what they should be.
set -u
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
w=build/warplock
fail() { echo "tracez: $*"; bad=1; }
t=$work/t
tests/traces/tracez.py "$t" || exit 1

# What is in them, by the writer's own count; each form from the other, byte by byte.
for name in ada hopper ampere turing; do
    for form in tracez traceg; do
        $w trace info "$t/$name.$form" --json "$work/info" >"$work/out" 2>&1 || { fail "$name.$form:"; cat "$work/out"; }
        for key in blocks warp_instructions replay_marks accesses access_bytes; do
            got=$(jq ".$key" "$work/info") want=$(jq ".$name.$key" "$t/counts.json")
            [ "$got" = "$want" ] || fail "$name.$form: $key is $got, not $want"
        done
    done
    $w trace convert "$t/$name.tracez" "$work/$name.traceg" >/dev/null && cmp "$work/$name.traceg" "$t/$name.traceg" || fail "$name: another text"
    $w trace convert "$t/$name.traceg" "$work/$name.tracez" >/dev/null && $w trace diff "$work/$name.tracez" "$t/$name.tracez" >"$work/out" || fail "$name: another container"
    $w trace convert "$work/$name.tracez" "$work/again.traceg" >/dev/null && cmp "$work/again.traceg" "$t/$name.traceg" || fail "$name: not the same after both ways"
    rm -f "$work/again.traceg"
done

# They run: from both forms the same, on any number of threads, with and without sleep.
run() { # JSON, list lines..., -- options
    local json=$1 list=$t/list.g; shift
    : >"$list"
    while [ "$1" != -- ]; do echo "$1" >>"$list"; shift; done; shift
    timeout 60 $w run --trace "$list" "$@" --json "$json" >"$work/out" 2>&1 || { fail "run $*:"; tail -3 "$work/out"; return 1; }
}
mkdir "$t/kernels"
for name in ada hopper ampere turing; do
    for form in tracez traceg; do cp "$t/$name.$form" "$t/kernel-$name.$form"; done
    run "$work/z" "kernel-$name.tracez" -- -c fermi15
    run "$work/again" "kernel-$name.tracez" -- -c fermi15 --threads 2 && cmp "$work/z" "$work/again" || fail "$name: --threads 2 differs"
    run "$work/again" "kernel-$name.tracez" -- -c fermi15 --every-cycle && cmp "$work/z" "$work/again" || fail "$name: --every-cycle differs"
    run "$work/g" "kernel-$name.traceg" -- -c fermi15 || continue
    if [ $name = hopper ]; then # whose clusters are of blocks that are not neighbours in the text
        grep -q 'note .*without its clusters' "$work/out" || fail "hopper.traceg: its clusters are not missed"
    else
        cmp "$work/z" "$work/g" || fail "$name: the forms differ"
    fi
done
run "$work/z" kernel-hopper.tracez -- -c fermi15
$w run --trace "$t/hopper.tracez" -c fermi15 --json "$work/again" >/dev/null 2>&1 && cmp "$work/z" "$work/again" || fail "hopper.tracez without a list differs"
[ "$(jq .statistics.sm_total.barriers "$work/z")" = 0 ] && ! grep -q 'without its clusters' "$work/out" || fail "hopper.tracez: no clusters"
run "$work/z" kernel-hopper.tracez -- -c fermi15 --set machine.sms=2 || fail "hopper on two SMs"
timeout 20 $w run --trace "$t/list.g" -c qv100-trace >"$work/out" 2>&1
[ $? = 2 ] && grep -q 'operand collectors do not serve' "$work/out" || fail "operand collectors serve copies"

# Kernels of different streams at once take less time than in turn, and the same instructions.
run "$work/z" kernel-ada.tracez kernel-ampere.tracez -- -c fermi15; grep -q '^streams  *2 kernels' "$work/out" || fail "no streams at once"
run "$work/g" kernel-ada.tracez kernel-ampere.tracez -- -c fermi15 --streams=in-turn
of() { jq ".statistics.sm_total.$2" "$work/$1"; }
cycles() { jq .statistics.cycles "$work/$1"; }
[ "$(of z warp_instructions)" = "$(of g warp_instructions)" ] ||
    fail "streams: $(of z warp_instructions) instructions at once, $(of g warp_instructions) in turn"
[ "$(cycles z)" -lt "$(cycles g)" ] || fail "streams: $(cycles z) cycles at once, $(cycles g) in turn"
run "$work/z" kernel-ada.tracez MemcpyHtoD,0x0,4 kernel-ampere.tracez -- -c fermi15
cmp -s <(jq .statistics "$work/z") <(jq .statistics "$work/g") || fail "streams: a copy does not wait"

# A part of a trace; a difference.
echo kernel-ada.tracez >"$t/list.g"; echo kernel-ampere.traceg >>"$t/list.g"
$w trace cut "$t/list.g" "$work/cut" --kernels 1:1 --blocks 1:2 >/dev/null &&
    run_out=$($w trace info "$work/cut/kernelslist.g" --json -  2>/dev/null) || fail "cut"
[ "$(jq .blocks <<<"$run_out")$(jq .warp_instructions <<<"$run_out")" = 252 ] || fail "cut: $(jq .blocks <<<"$run_out") blocks"
$w trace convert "$work/cut/kernel-ada.tracez" "$work/cut.traceg" >/dev/null &&
    head -c 26 "$work/cut.traceg" | grep -q 'kept blocks = 2' || fail "a cut text does not say so"
sed '0,/^#END_TB/d' "$work/cut.traceg" | cat <(sed '/^#BEGIN_TB/,$d' "$work/cut.traceg") - >"$work/short.traceg"
$w trace check "$work/short.traceg" >"$work/out" 2>&1
[ $? = 2 ] && grep -q 'after 1 of 2 blocks' "$work/out" || fail "a cut text cut short is taken"
sed '0,/LDG.E 1 R2/s//LDG.E 1 R3/' "$t/ada.traceg" >"$work/other.traceg"
$w trace diff "$t/ada.tracez" "$work/other.traceg" >"$work/out"
[ $? = 1 ] && grep -q '^first: .*block 0,0,0, warp 0, line 4' "$work/out" && grep -q ' 1 warps, 1 lines' "$work/out" ||
    { fail "diff:"; cat "$work/out"; }

# Unknown opcodes.
sed 's/QMMA/FROB/' "$t/ada.traceg" >"$t/kernel-frob.traceg"; echo kernel-frob.traceg >"$t/list.g"
$w run --trace "$t/list.g" >"$work/out" 2>&1
[ $? = 2 ] && grep -q 'kernel-frob.traceg:37: opcode FROB.16832.F32 cannot be run' "$work/out" || fail "an unknown opcode is run"
$w run --trace "$t/list.g" --unknown-opcodes=list >"$work/out" 2>&1
[ $? = 2 ] && grep -q 'FROB.16832.F32 .* 6 times, first in .*kernel-frob.traceg:37' "$work/out" || fail "list: $(cat "$work/out")"
$w run --trace "$t/list.g" --unknown-opcodes=alu >"$work/out" 2>&1 && grep -q ' 6 opcodes taken for ALU' "$work/out" ||
    fail "not taken for ALU"
echo 'FROB,TENSOR,89 90' >"$work/mine.csv"
run "$work/g" kernel-frob.traceg -- --opcodes "$work/mine.csv" && run "$work/z" kernel-ada.traceg -- &&
    cmp -s <(jq .statistics.sm_total "$work/z") <(jq .statistics.sm_total "$work/g") || fail "an added opcode is not like its class"
echo 'FROB,TENSR,89' >"$work/mine.csv"
$w trace info "$t/list.g" --opcodes "$work/mine.csv" >"$work/out" 2>&1
[ $? = 2 ] && grep -q "mine.csv:1: 'TENSR' is no class" "$work/out" || fail "a wrong table is taken"

# Damage: refused with file and byte, within 64 MiB.
while read -r n what; do
    (ulimit -v 300000; timeout 5 $w trace check "$t/bad/$n.tracez") >"$work/out" 2>&1
    [ $? = 2 ] && grep -qE "^warplock: [^ ]*/bad/$n.tracez:0x[0-9a-f]+: " "$work/out" && [ "$(wc -l <"$work/out")" = 1 ] ||
        fail "damage $n ($what): $(tail -1 "$work/out")"
done <"$t/bad/list"
exit $bad
