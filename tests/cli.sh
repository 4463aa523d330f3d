#!/usr/bin/env bash
# cli.sh - the command's answers to wrong use: one line that names what and where, exit 2.
set -u
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0

# expect STATUS PATTERN COMMAND...: exit status, and a line of output that matches.
expect() {
    local status=$1 pattern=$2 got; shift 2
    "$@" >"$work/out" 2>&1
    got=$?
    if [ "$got" != "$status" ] || ! grep -qE -- "$pattern" "$work/out"; then
        echo "cli: $* gave $got, expected $status and /$pattern/:"; cat "$work/out"; bad=1
    fi
}
one_line() { [ "$(wc -l <"$work/out")" = 1 ] || { echo "cli: more than one line:"; cat "$work/out"; bad=1; }; }
w=build/warplock

expect 2 'no command .frob' $w frob; one_line
expect 2 "no unit named 'nope'" $w check nope; one_line
expect 2 'SETS=48 is no power of two' $w check fup20 --param SETS=48; one_line
expect 2 'SETS=8192 is outside' $w check fup20 --param SETS=8192; one_line
expect 2 'no parameter WAYS' $w check fup20 --param WAYS=4; one_line
expect 2 'not a number' $w check fup20 --param SETS=many; one_line
expect 2 'ADDR_W must cover' $w check fup20 --param ADDR_W=16,SETS=4096; one_line
expect 2 "no backend 'vhdl'" $w check fup20 --backend vhdl; one_line
expect 2 '--steps -3' $w check fup20 --steps -3
expect 2 'No such file' $w replay "$work/absent.vec"; one_line
expect 2 'cannot be written' $w check fup20 --steps 10 --wave "$work/no/such/folder/x.fst"
expect 0 'Usage' $w check --help
expect 0 'PASS' $w check fup20 --steps 1000
expect 0 '"verdict": "PASS"' $w check fup20 --steps 1000 --json

trace() { cp -r tests/traces/modes "$work/t" && sed -i "$1" "$work/t/kernel-1.traceg" && list=$work/t/kernelslist.g; }
expect 2 'give one of -w WORKLOAD' $w run -w vecadd --trace x; one_line
expect 2 'absent/kernelslist.g:1: No such file' $w run --trace "$work/absent/kernelslist.g"; one_line
expect 2 'goes with -w or --ptx' $w run --trace x --dump-trace y; one_line
expect 2 'kernelslist.g:1: File exists' $w run -w vecadd --size tiny --dump-trace tests/traces/modes; one_line
expect 2 'check-coherence compares the values of loads, and a trace has none' $w run --trace tests/traces/modes/kernelslist.g -c tabbakh2018-ch3 -m gtsc-rc,check-coherence
trace '24s/IMAD/FROB/'; expect 2 'kernel-1.traceg:24: opcode FROB.WIDE cannot be run' $w run --trace "$list"; one_line
expect 0 '25 warp instructions, 1 opcodes taken for ALU' $w run --trace "$list" --unknown-opcodes-as-alu; rm -r "$work/t"
trace '40,$d';          expect 2 'kernel-1.traceg:39: the file ends where' $w run --trace "$list"; one_line; rm -r "$work/t"
trace 's/^/\x1f\x8b/';  expect 2 'kernel-1.traceg:1: the compressed data are damaged' $w run --trace "$list"; one_line; rm -r "$work/t"
# A dump says what it cannot express: barriers of a part of a block.
printf '.version 6.0\n.target sm_35\n.address_size 64\n.visible .entry k()\n{\n bar.sync 1, 32;\n ret;\n}\n' >"$work/k.ptx"
printf '[launch]\nkernel = k\ngrid = 1\nblock = 32\n' >"$work/k.ini"
expect 0 'cycles' $w run --ptx "$work/k.ptx" --launch "$work/k.ini"
expect 2 'k.ptx:6: .*a trace has barriers of whole blocks only' $w run --ptx "$work/k.ptx" --launch "$work/k.ini" --dump-trace "$work/d"

# What a configuration comes to, and from where; what it may rest on.
ini() { printf "$1" >"$work/$2"; }
expect 0 '^l1d.index  *= fermi-hash  *cmodel/machine/configs/fermi15.ini:5$' $w list config fermi15
expect 0 '^dram.tWL  *= 4  *cmodel/machine/configs/gtx480.ini:[0-9]*$' $w list config wang2015-oaws
expect 0 '^sm.const_cycles  *= 4  *default$' $w list config wang2015-oaws
ini 'base = caps\n[sm]\nwarps = 24\n' a.ini; expect 0 "^sm.warps  *= 24  *$work/a.ini:3\$" $w list config "$work/a.ini"
ini 'base = nope\n' b.ini;         expect 2 'b.ini:1: base = nope: no configuration of that name' $w run -w vecadd -c "$work/b.ini"; one_line
ini '; us\nbase = c.ini\n' c.ini;  expect 2 'c.ini:2: base = c.ini: it rests on this file, a circle' $w list config "$work/c.ini"; one_line
expect 2 'configs/nope.ini:0: cannot open' $w list config nope; one_line

vec() { printf '%b' "$1" >"$work/v.vec"; }
vec 'unit fup20\ntest a\nstep addr=0x80 -> set_index=2\n'
expect 1 'v.vec:3: test a, step 0: set_index expected 0x2' $w replay "$work/v.vec"
vec 'test a\n';                                        expect 2 'v.vec:1: the first line' $w replay "$work/v.vec"; one_line
vec 'unit fup20\nstep addr=1\n';                       expect 2 'v.vec:2: .step. before' $w replay "$work/v.vec"; one_line
vec 'unit fup20\ntest a\nstep adr=1\n';                expect 2 "v.vec:3: fup20 has no input 'adr'" $w replay "$work/v.vec"; one_line
vec 'unit fup20\ntest a\nstep addr=1 -> set_index=99\n'; expect 2 'v.vec:3: set_index=99 does not fit 5 bits' $w replay "$work/v.vec"; one_line
vec 'unit fup20\ntest a\nstep addr=zz\n';              expect 2 'v.vec:3: addr=zz: neither a number' $w replay "$work/v.vec"; one_line
vec 'unit fup20\ntest a\nstep addr[1]=2\n';            expect 2 'v.vec:3: addr has 1 elements' $w replay "$work/v.vec"; one_line
vec 'unit fup20\ntest a\n\nstop\n';                    expect 2 "v.vec:4: 'stop' is none of" $w replay "$work/v.vec"; one_line
vec 'unit fup20\ntest a SETS=3\nstep addr=1\n';        expect 2 'v.vec:2: .*no power of two' $w replay "$work/v.vec"; one_line
vec 'unit nope\ntest a\nstep addr=1\n';                expect 2 "v.vec:2: no unit named 'nope'" $w replay "$work/v.vec"; one_line
head -c 3000 /dev/urandom >"$work/v.vec";              expect 2 'v.vec' $w replay "$work/v.vec"; one_line
exit $bad
