#!/usr/bin/env bash
# adopt.sh - modules in other people's conventions (tests/foreign) as units: a FIFO with an asynchronous
# active-low reset, a SystemVerilog arbiter, a CAM on the falling edge without parameters.  They are
# adopted, checked, costed and drawn as they are, without a C model; with one, proven and mutated.  And
# what is no unit is refused.
set -u
cd "$(dirname "$0")/.."
w=$PWD/build/warplock foreign=$PWD/tests/foreign
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0

# expect STATUS PATTERN COMMAND...: exit status, and a line of output that matches.
expect() {
    local status=$1 pattern=$2 got; shift 2
    "$@" >"$work/out" 2>&1
    got=$?
    if [ "$got" != "$status" ] || ! grep -qE -- "$pattern" "$work/out"; then
        echo "adopt: $* gave $got, expected $status and /$pattern/:"; tail -n 20 "$work/out"; bad=1
    fi
}
refuse() { expect 2 "$@"; [ "$(wc -l <"$work/out")" = 1 ] || { echo "adopt: more than one line:"; cat "$work/out"; bad=1; }; }

cd "$work" || exit 1
# Bits of state by the sizes in the sources: 8 words, dout, two pointers, a count; three registers; eight
# keys of 12 bits with a bit each, and the answer.
expect 0 "^sync_fifo: 3 inputs, 4 outputs, 2 parameters, $((8 * 8 + 8 + 3 + 3 + 4)) bits of state; clock clk_in, rising; reset rst_n, active-low, asynchronous" "$w" adopt "$foreign/sync_fifo.v"
cd sync_fifo || exit 1
expect 0 "^rr_arbiter: .* $((2 + 4 + 4)) bits of state; clock clk_i, rising; reset rst_ni, active-low, asynchronous" "$w" adopt "$foreign/rr_arbiter.sv" --top rr_arbiter
hostile="$work/it's; a \"cam\" *\$(touch pwned).v"
cp "$foreign/cam8.v" "$hostile"
expect 0 "^cam8: .* $((8 * 13 + 5)) bits of state; clock CLK, falling; reset SRST, active-high, synchronous" "$w" adopt "$hostile"
[ ! -e pwned ] || { echo "adopt: a file's name was run"; bad=1; }
refuse 'there is a unit named cam8' "$w" adopt "$foreign/cam8.v"
table() { echo "cmodel/units/mine/$1/$1.ports.h"; }
for pair in 'sync_fifo STATE_ARRAY(mem, 8, 8, AT(mem), CLAIMED, UNRESET' 'sync_fifo OUT(empty, 1, REG' 'rr_arbiter OUT(gnt_o, 4, COMB' \
    'cam8 STATE(entry_7_key, 12, AT(entry__BRA__7__KET__, key)'; do
    grep -qF "${pair#* }" "$(table "${pair%% *}")" || { echo "adopt: no '${pair#* }' in the table:"; cat "$(table "${pair%% *}")"; bad=1; }
done
cmp "$foreign/cam8.v" rtl/mine/cam8.v && cmp "$foreign/rr_arbiter.sv" rtl/mine/rr_arbiter.sv || bad=1

# As RTL and netlist.  What the FIFO's words say: three go in, come out in order, and it is empty.
cat >>cmodel/units/mine/sync_fifo/sync_fifo.vec <<'EOT'

test order
rst
step wr_en=0 din=0 rd_en=1 -> empty=1 full=0 level=0
step wr_en=1 din=11 rd_en=0 -> empty=1
step wr_en=1 din=22 rd_en=0 -> empty=0 level=1
step wr_en=1 din=33 rd_en=1 -> level=2
step wr_en=0 din=0 rd_en=1 -> level=2 dout=11
step wr_en=0 din=0 rd_en=1 -> level=1 dout=22
step wr_en=0 din=0 rd_en=0 -> empty=1 dout=33
repeat 8 step wr_en=1 din=5 rd_en=0 -> full=0
step wr_en=1 din=6 rd_en=0 -> full=1 level=8
EOT
cat >>cmodel/units/mine/cam8/cam8.vec <<'EOT'

test found
rst
step WE=1 WADDR=5 WKEY=0xABC INV=0 KEY=0xABC -> HIT=0
step WE=1 WADDR=2 WKEY=0xABC INV=0 KEY=0xABC -> HIT=0
step WE=0 WADDR=0 WKEY=0 INV=0 KEY=0xABC -> HIT=1 HITADDR=5 MULTI=0
step WE=1 WADDR=2 WKEY=0 INV=1 KEY=0xABC -> HIT=1 HITADDR=2 MULTI=1
step WE=0 WADDR=0 WKEY=0 INV=0 KEY=0xABC -> HIT=1 HITADDR=2 MULTI=1
step WE=0 WADDR=0 WKEY=0 INV=0 KEY=0 -> HIT=1 HITADDR=5 MULTI=0
step WE=0 WADDR=0 WKEY=0 INV=0 KEY=0 -> HIT=0
EOT
# A lock keeps the grant; without one it goes round.
cat >>cmodel/units/mine/rr_arbiter/rr_arbiter.vec <<'EOT'

test round
rst
step req_i=0xF lock_i=0 -> gnt_o=1
step req_i=0xF lock_i=0 -> gnt_o=2
step req_i=0xF lock_i=1 -> gnt_o=2
step req_i=0x9 lock_i=0 -> gnt_o=8
step req_i=0x9 lock_i=1 -> gnt_o=8
step req_i=0x9 lock_i=0 -> gnt_o=1
EOT
for unit in sync_fifo rr_arbiter cam8; do
    expect 0 "^PASS $unit  rtl.netlist" "$w" check $unit --steps 20000
    grep -q '^vectors   2 passed, 0 failed' "$work/out" && grep -q '^no C model: .*left out' "$work/out" || { cat "$work/out"; bad=1; }
    expect 0 "build/waves/$unit.png" env -u DISPLAY "$w" waves $unit
    expect 0 'slack \+[0-9]' "$w" cost $unit
    [ -s "build/waves/$unit.png" ] || { echo "adopt: no picture of $unit"; bad=1; }
done
grep -q 'Yosys 109 flip-flops' "$work/out" || { cat "$work/out"; bad=1; }
expect 0 'CLK .falling edge., synchronous active-high SRST' "$w" ports cam8
refuse 'cam8 has no C model' "$w" prove cam8
refuse 'cam8 has no C model' "$w" mutate cam8
refuse 'cam8 has no C model' "$w" coverage cam8
refuse 'cam8 has no C model' "$w" fuzz cam8 1
refuse 'cam8 has no C model .*rtl.netlist' "$w" check cam8 --backend c+rtl

# What always holds, of either kind of reset, in the module and not in those below it; and what does not.
property() { # unit, assertion
    echo "always @* if (started) assert ($2);" >cmodel/units/mine/$1/$1.props.v
    grep -q ^property cmodel/units/mine/$1/$1.unit || echo 'property - pdr 20' >>cmodel/units/mine/$1/$1.unit
}
property rr_arbiter "state_q != 2'd3"
property cam8 '!multi_r || hit_r'
expect 0 '^2 checked' "$w" properties rr_arbiter cam8
property cam8 '!hit_r || multi_r'
expect 1 '^FAILS    cam8 ' "$w" properties cam8
rm cmodel/units/mine/cam8/cam8.props.v

# With a C model the rest of the ladder; and a model that is wrong is found.
for unit in sync_fifo cam8; do
    cp "$foreign/$unit.c" cmodel/units/mine/$unit/
    echo 'prove - 60' >>cmodel/units/mine/$unit/$unit.unit
done
expect 0 '^2 proven' "$w" prove sync_fifo cam8
expect 0 '^PASS sync_fifo  c.rtl' "$w" check sync_fifo --steps 20000
# Four outputs and four registers of each step, and nothing of the memory; before the first reset nothing.
grep -q "^random    20000 steps, $((20000 * 8 - 4)) values" "$work/out" || { echo "adopt: values compared:"; cat "$work/out"; bad=1; }
expect 0 '^PASS  *cam8  100.0 %' "$w" mutate cam8 --count 6
sed -i 's/s->cnt != DEPTH, read/s->cnt < DEPTH - 1, read/' cmodel/units/mine/sync_fifo/sync_fifo.c
expect 1 'REFUTED' "$w" prove sync_fifo
expect 1 'MISMATCH sync_fifo  c.rtl' "$w" check sync_fifo --steps 20000

# A table that is not true of clock or reset.
wrong() { # unit, edit, pattern
    cp "$(table "$1")" kept
    sed -i "$2" "$(table "$1")"
    cmp -s "$(table "$1")" kept && { echo "adopt: '$2' changes nothing"; bad=1; }
    expect 6 "$3" "$w" check "$1" --steps 10 --backend rtl
    mv kept "$(table "$1")"
}
wrong cam8 's/FALLING/RISING/' 'cam8.v: .*: counts the other edge than the table'
rm cmodel/units/mine/cam8/cam8.c
wrong cam8 's/CLOCK(CLK/CLOCK(WE/; s/IN(WE/IN(CLK/' 'has another clock than the table'
wrong rr_arbiter 's/LOW/HIGH/' 'has another asynchronous reset than the table'
wrong rr_arbiter 's/ ASYNCH/ SYNCH/' 'has another asynchronous reset than the table'
wrong rr_arbiter 's/LOW, ASYNCHRONOUS/low/' 'ports.h: write CLOCK.port, RISING or FALLING. and RESET'
wrong rr_arbiter '/RESET/d' 'no port rst, which the table'

# The same from two files, the second with what the first has instantiated: one table, and it runs.
cd "$work" || exit 1
awk -v RS= 1 ORS='\n\n' "$foreign/rr_arbiter.sv" | awk '{print >("half" (n + 1) ".sv")} /^endmodule/ {n++}'
expect 0 '^rr_arbiter: .* 10 bits of state' "$w" adopt half2.sv half1.sv
cmp <(tail -n +3 rr_arbiter/cmodel/units/mine/rr_arbiter/rr_arbiter.ports.h) <(tail -n +3 "sync_fifo/$(table rr_arbiter)") || bad=1
expect 0 '^PASS rr_arbiter  rtl.netlist' "$w" --project rr_arbiter check rr_arbiter --steps 1000
refuse 'half1.sv: Yosys does not read it: Module .*rr_first.* Name its file, too.' "$w" --project sync_fifo adopt half1.sv

# What is no unit, and what a tool does not read.
no() { # pattern, Verilog
    printf '%s\n' "$2" >no.v
    refuse "$1" "$w" adopt no.v
}
no 'no.v: Yosys does not read it: *1: *syntax error' 'module no(input a; endmodule'
no 'no.v: no: it has two clocks, c falling and d|no.v: no: it has two clocks, d and c falling' \
    'module no(input c, d, rst, i, output reg o, p); always @(negedge c) if (rst) o <= 0; else o <= i; always @(posedge d) if (rst) p <= 0; else p <= i; endmodule'
no 'no.v: no: it has a latch' 'module no(input c, i, output reg o); always @* if (c) o = i; endmodule'
no 'no.v: no: it has registers and no reset' 'module no(input c, i, output reg o); always @(posedge c) o <= i; endmodule'
no 'no.v: no: port x is inout' 'module no(input c, rst, inout x, output reg o); always @(posedge c) if (rst) o <= 0; else o <= x; endmodule'
no 'clocked by no input' 'module no(input c, e, rst, i, output reg o); wire g = c & e; always @(posedge g) if (rst) o <= 0; else o <= i; endmodule'
no "'No' cannot be a name" 'module No(input i, output o); assign o = i; endmodule'
no 'Yosys does not read it: Module .*absent.* Name its file, too.' 'module no(input i, output o); absent a (i, o); endmodule'
refuse 'is no name of Verilog' "$w" adopt no.v --top 'x; shell touch pwned'
refuse 'missing.v: No such file' "$w" adopt missing.v
refuse 'write files of Verilog' "$w" adopt /etc/passwd
[ ! -e pwned ] || { echo "adopt: a name was run"; bad=1; }
exit $bad
