#!/usr/bin/env bash
# launch.sh - launch files: several launches in order on the same buffers, structures by bytes, names of
# any length and as in C++; what is wrong is said in one line with file and line.
set -u
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
say() { echo "launch: $*"; head -n 3 "$work/out"; bad=1; }
run() { build/warplock run --ptx tests/launch/kernels.ptx --launch "$work/l.ini" >"$work/out" 2>&1; }
refused() { # PATTERN: status 2, one line
    run
    [ $? = 2 ] && [ "$(grep -c '^warplock:' "$work/out")" = 1 ] && grep -q "^warplock: $work/l.ini:$1" "$work/out" || say "no line l.ini:$1"
}

# 7, then + (-1) + 1000 * (-2) + 1000000 * 3 from struct {char; short; int}; one of the words + 1.
long=$(grep -o '_Z110[a-zA-Z_0-9]*' tests/launch/kernels.ptx)
cat >"$work/l.ini" <<INI
[launch]
kernel = fill<int>(int*, int)
block = 4
[args]
to = buffer b
value = s32 7
[launch structure]
kernel = add
block = 4
[args structure]
pair = bytes ff 00 feff 03000000
to = buffer b
[launch long]
kernel = $long ; more than inih's line
[args long]
to = buffer b
[buffer b]
bytes = 16
dump = $work/dump
INI
run || say "several launches fail"
[ "$(od -An -td4 "$work/dump" | tr -s ' ')" = ' 2998007 2998006 2998006 2998006' ] || say "the buffer holds $(od -An -td4 "$work/dump")"
# The order is that of the file: filled last, nothing of the others stays.
{ sed -n '7,$p' "$work/l.ini"; sed -n '1,6p' "$work/l.ini" | sed 's/fill<int>.*/void fill<short>(short *,short)/; s/s32 7/s16 -5/'; } >"$work/other.ini"
mv "$work/other.ini" "$work/l.ini"
run || say "the other order fails"
[ "$(od -An -td4 "$work/dump" | tr -s ' ')" = ' -5 -5 -5 -5' ] || say "the buffer holds $(od -An -td4 "$work/dump")"

printf '[launch]\nkernel = add\n[launch b]\nkernel = fill\n' >"$work/l.ini"
sed -i 's/^kernel = add/kernel = _Z3add4pairPi\n[args]\np = bytes 0000000000000000\nto = buffer b\n[buffer b]\nbytes = 4/' "$work/l.ini"
refused '9: fill is _Z4fillIiEvPT_S0_ and _Z4fillIsEvPT_S0_; write the parameters'
printf '[launch]\nkernel = none\n' >"$work/l.ini"
refused '2: no kernel none in the module; it has _Z4fillIiEvPT_S0_ and others'
printf '[launch]\nkernel = fill<int>\n[args]\nto = u64 0\nvalue = f64 1\n' >"$work/l.ini"
refused '2: kernel _Z4fillIiEvPT_S0_: parameter 2 (value) has 4 bytes, its argument 8'
printf '[launch]\nkernel = fill<int>\n[args]\nto = u64 0\nvalue = s8 200\n' >"$work/l.ini"
refused '5: argument: write TYPE NUMBER'
# A load without lanes ends, also behind operand collectors.
printf '[launch]\nkernel = no_lanes\nblock = 4\n[args]\nto = buffer b\n[buffer b]\nbytes = 16\ndump = %s\n' "$work/dump" >"$work/l.ini"
for machine in gtx480-trace cuda75; do
    build/warplock run -c $machine --ptx tests/launch/kernels.ptx --launch "$work/l.ini" >"$work/out" 2>&1 || say "a load without lanes on $machine"
    [ "$(od -An -td4 "$work/dump" | tr -s ' ')" = ' 7 7 7 7' ] || say "the buffer holds $(od -An -td4 "$work/dump") on $machine"
done
[ $bad = 0 ] && echo "launch: all launch files do as they say"
exit $bad
