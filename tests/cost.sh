#!/usr/bin/env bash
# cost.sh - `warplock cost` from outside: known gates and delays, a user's library, bad input, and
# a register in the RTL alone, which the three counts must show.
set -u
cd "$(dirname "$0")/.."
warplock=${WARPLOCK:-build/warplock}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
say() { echo "cost: $*"; bad=1; }

# FUP20 is 15 XOR2 at depth 2 (wang2015 §3.2.3).  Its slowest path is an XOR2 that drives an
# XNOR2 or XOR2 and that the output load of 6.4 fF, by the linear delays of cells_45nm.csv:
# 54.93 + 5.139 * 2.232754 + 38.31 + 5.179 * 6.4 = 137.86 ps.
$warplock cost fup20 --json "$work/fup20.json" >"$work/fup20" 2>&1 || say "cost fup20 fails: $(cat "$work/fup20")"
grep -q '15 XOR2 at depth 2' "$work/fup20" || say "FUP20 is not 15 XOR2 at depth 2"
grep -q 'path 138 ps' "$work/fup20" || say "FUP20's path is not 138 ps"
grep -q '"delay_ps": 137.8[56]' "$work/fup20.json" || say "FUP20's path is not 137.86 ps in JSON"
grep -q '"area_um2": 23.9' "$work/fup20.json" || say "FUP20 is not 15 cells of 1.596 um2"

# Its clock is 1400 MHz: a period of 1000/1400 = 0.71429 ns leaves 0.71429 - 0.13786 = 0.57643 ns.
# A clock of 7253 MHz is the fastest that it meets (1000/7253 = 0.137874 ns, 1000/7254 = 0.137855).
grep -q 'clock  *1400 MHz, period 0.714 ns (wang2015 Table 3.1' "$work/fup20" || say "FUP20's clock is not that of its table"
grep -q '^ *slack +0.576 ns$' "$work/fup20" || say "FUP20's slack is not 0.576 ns"
grep -q '"slack_ns": 0.5764[23]' "$work/fup20.json" || say "FUP20's slack is not 0.57643 ns in JSON"
grep -q '"period_ns": 0.71428' "$work/fup20.json" || say "FUP20's period is not 0.71429 ns in JSON"
grep -q '1 of 1 in warplock45$' "$work/fup20" || say 'FUP20 is not counted as one that meets its clock'
$warplock cost fup20 --html "$work/fup20.html" >/dev/null 2>&1
grep -q '>+0.576<' "$work/fup20.html" && grep -q '1 of 1 in warplock45' "$work/fup20.html" || say "FUP20's slack is not in HTML"
$warplock list units | grep -q 'fup20  *1400 MHz ' || say 'list units does not show a clock'
$warplock ports fup20 | grep -q '1400 MHz (wang2015 Table 3.1' || say 'ports does not show a clock'

# A flip-flop takes its data the latch's 59.14 ps before the edge.
$warplock cost dac_track >/dev/null 2>&1 || say 'cost dac_track fails'
grep -q -- '-59.140 .*library setup time' build/cost/dac_track/*/warplock45/timing.txt || say 'no setup of 59.14 ps'

# A Liberty file of the user's own: the made one, given by its path, measures the same.
cp build/cost/lib/warplock45.lib "$work/own.lib"
$warplock cost fup20 --liberty "$work/own.lib" >"$work/own" 2>&1 || say "a user's Liberty file fails: $(cat "$work/own")"
grep -q '23.9 um2 = 30 NAND2' "$work/own" || say "a user's Liberty file measures something else"

refuse() {
    local words=$1
    shift
    $warplock cost "$@" >"$work/out" 2>&1
    [ $? = 2 ] && grep -q "$words" "$work/out" || say "cost $* is not refused with '$words': $(cat "$work/out")"
}
refuse 'no unit, family or claim' nothing
refuse 'neither in' fup20 --liberty /nowhere.lib
refuse 'whole number' fup20 --node 7
refuse 'cannot be read' fup20 --claims /nowhere.csv
sed '5s/eq/near/' synth/claims/caps.csv >"$work/caps.csv"
refuse "caps.csv:5: relation 'near'" caps_dist --claims "$work/caps.csv"
sed 's/,25,"[^"]*",/,50,,/; s/,25,[^",]*,/,50,,/' synth/claims/caps.csv >"$work/caps.csv"
refuse 'caps.csv:[0-9]*: tolerance_percent 50 is above 10 without' caps_dist --claims "$work/caps.csv"

# Paths between ports alone: FUP20's is that of the whole unit; nothing reaches dac_part's `fcw` but
# through a register.  A bound of 200 ps holds for the one library, not for osu018 at 180 nm.
# Storage at a document's size: 1024 lines of two 16-bit stamps and a bit, mem_ts 16, epoch 4.
{ head -n 1 synth/claims/caps.csv
  echo 'x.1,x,1,,137.86,eq,ps,,,,,fup20,,through_ps(fup20.addr),0.01,,,,,'
  echo 'x.2,x,1,,0,eq,ps,,,,,dac_part,,through_ps(dac_part.fcw),,,,,,'
  echo 'x.3,x,1,,200,lt,ps,,,,,fup20,,delay_ps(fup20),,,,,,'
  echo 'x.4,x,1,,1,eq,holds,,,,,fup20 bxor,,xor2(fup20) < xor2(bxor),,,,depth [levels]: depth(fup20),,'
  echo "x.5,x,1,,$((1024 * 33 + 20)),eq,bits,,,,,gtsc_l2,,stored(gtsc_l2[LINES=1024]),,,,,,"
  echo 'x.6,x,1,,1365,eq,B,,,,1365,fup20,,,,,,,,'
} >"$work/x.csv"
$warplock cost x --claims "$work/x.csv" --liberty warplock45 --liberty osu018 >"$work/x" 2>&1 || say "cost x fails: $(cat "$work/x")"
for line in 'x.1  agrees' 'x.2  agrees' 'claimed     < 200 ' 'in osu018   *[0-9.]* .*differs' '^  not so in osu018' \
            'measured, it does not hold' 'with        15 .*xor2(fup20)' ' 5  .*xor2(bxor)' \
            'left out    2            levels     depth' 'x.5  agrees (exact)' 'x.1  agrees (tolerance 0.01 %)' \
            '^6 claims: 5 measured (4 agree, 1 differ, 0 cannot hold), 1 recomputed .*(0 of them differ'; do
    grep -q "$line" "$work/x" || say "claims of x lack '$line': $(cat "$work/x")"
done
sed 's/fup20.addr/fup20.nope/' "$work/x.csv" >"$work/nope.csv"
$warplock cost x.1 --claims "$work/nope.csv" 2>&1 | grep -q "fup20 has no port 'nope'" || say 'a port that is not there is not refused'
sed "s|fup20.addr|fup20.a; touch $work/run|" "$work/x.csv" >"$work/shell.csv"
$warplock cost x.1 --claims "$work/shell.csv" >"$work/out" 2>&1
grep -q "fup20 has no port 'a; touch" "$work/out" && [ ! -e "$work/run" ] || say 'a claim reaches the shell'

# A register in the RTL alone: port table and claim stay, Yosys counts one more.
mkdir -p "$work/tree/build/tools" "$work/tree/build/cost"
cp -r cmodel rtl tb synth "$work/tree"
cp -r build/cost/lib "$work/tree/build/cost"
cp "$warplock" "$work/tree/build/warplock"
cp build/tools/make_liberty build/tools/portcheck "$work/tree/build/tools"
cd "$work/tree" || exit 1
sed -i 's/^endmodule/    reg planted_q;\n    always @(posedge clk) planted_q <= rst;\n    assign planted = planted_q;\nendmodule/; s/^    input  wire .* clk,/&\n    output wire planted,/' rtl/dacache/dac_track.v
build/warplock cost dac_track >"$work/planted" 2>&1
status=$?
grep -q 'port table 2 bits of the claim + 0 beside it; Yosys 3 flip-flops + 0 memory bits  COUNTS DIFFER' "$work/planted" \
    || say "a planted register is not seen: $(head -5 "$work/planted")"
# Another clock turns the verdict, and a unit without one is not measured.
clock() { sed -i "/^clock/d; 2s/\$/\n$1/" cmodel/units/index/fup20/fup20.unit; build/warplock cost fup20 >"$work/planted_clock" 2>&1; }
clock 'clock 7253 planted'
grep -q '1 of 1 in warplock45$' "$work/planted_clock" || say "FUP20 does not meet 7253 MHz: $(cat "$work/planted_clock")"
clock 'clock 7254 planted'
grep -q '0 of 1 in warplock45$' "$work/planted_clock" && grep -q 'CLOCK NOT MET' "$work/planted_clock" \
    || say "FUP20 meets 7254 MHz: $(cat "$work/planted_clock")"
clock ''
grep -q 'fup20: its file has no clock row' "$work/planted_clock" || say "a unit without a clock is measured: $(cat "$work/planted_clock")"
[ $status = 1 ] || say "a planted register ends with status $status, not 1"
exit $bad
