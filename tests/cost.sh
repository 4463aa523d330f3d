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

# FUP20 is 15 XOR2 at depth 2 (wang2015 §3.2.3), here five XNOR2_X1 of six sites (1.596 um2) and ten
# cells of strength 2, each with its three output pairs doubled: nine sites (2.394 um2).  Its slowest
# path: pin B of an XOR2_X2 falls from an ideal driver, its output falls; so pin A of an XNOR2_X1
# falls, and its output rises with four NAND2 to drive.  By the model of liberty_model.h, written out
# for these two arcs with the figures of cells_45nm.csv: 46.906 + 53.541 = 100.447 ps.
path=$(awk 'function share(late) { return 0.26 + late / 0.4 }
function threshold(up, down,  r) { r = exp(log(down / up) / 1.3); return (0.3 + 0.7 * r) / (1 + r) }
BEGIN {
    # Slopes of one and two PMOS and NMOS in series, input of an inverter, slew by delay.
    p1 = 2.466; p2 = 5.124; n2 = 3.016 - 0.889; n1 = n2 - 0.889; g = 1.70023; slew_by = log(7 / 3) / log(2)
    # XOR2 is !(n | A & B), n = !(A | B): its worst arc is this one.  Three transistors touch the
    # output of either stage, two NMOS and one PMOS; inside, the PMOS of A stands between B and n.
    n = p2 * 0.8 * (1.5 + 2) + p1 * 0.8 * 1.5 + p2 / (2.232144 / g - 1) * g
    z = n1 * 0.8 * (1.5 + 2)
    intrinsic = n + share(threshold(p2, n1) - 0.5) * slew_by * n + z
    scale = 54.93 / (intrinsic + 20 * share(0.5 - threshold(p2, n1))); slopes = 5.139 / p2
    first = scale * intrinsic + slopes * n1 / 2 * 2.232754
    # The slowest falling edge there is through A and B, both NMOS, and the node between them.
    slew = slew_by * slopes * (n2 * 0.8 * (1.5 + 2) + n1 * 0.8 + n2 / 2 * 2.232754)
    # XNOR2 is !(n & (A | B)), n = !(A & B); its worst arc falls, after a PMOS pulls n up.
    n = p1 * 0.8 * (1.5 * 2 + 1) + p1 / (2.232754 / g - 1) * g
    z = n2 * 0.8 * (1.5 * 2 + 1)
    worst = n + share(threshold(p1, n2) - 0.5) * slew_by * n + z + 20 * share(0.5 - threshold(p1, n2))
    scale = 38.31 / worst; slopes = 5.179 / p2
    second = scale * (p2 * 0.8 * (1.5 * 2 + 1) + share(0.5 - threshold(p2, n2)) * slew) + slopes * p2 * 6.4
    printf "%.3f", first + second
}')
[ "$path" = 100.447 ] || say "the model written out gives $path ps"
$warplock cost fup20 --json "$work/fup20.json" >"$work/fup20" 2>&1 || say "cost fup20 fails: $(cat "$work/fup20")"
grep -q '15 XOR2 at depth 2' "$work/fup20" || say "FUP20 is not 15 XOR2 at depth 2"
grep -q 'path 100 ps' "$work/fup20" || say "FUP20's path is not 100 ps"
grep -q '"delay_ps": 100.44[67]' "$work/fup20.json" || say "FUP20's path is not 100.447 ps in JSON"
grep -q '"area_um2": 31.9' "$work/fup20.json" || say "FUP20 is not 5 cells of 1.596 um2 and 10 of 2.394 um2"

# Its clock is 1400 MHz: a period of 1000/1400 = 0.71429 ns leaves 0.71429 - 0.10045 = 0.61384 ns.
# A clock of 9955 MHz is the fastest that it meets (1000/9955 = 0.100452 ns, 1000/9956 = 0.100442).
grep -q 'clock  *1400 MHz, period 0.714 ns (wang2015 Table 3.1' "$work/fup20" || say "FUP20's clock is not that of its table"
grep -q '^ *slack +0.614 ns$' "$work/fup20" || say "FUP20's slack is not 0.614 ns"
grep -q '"slack_ns": 0.6138[34]' "$work/fup20.json" || say "FUP20's slack is not 0.61384 ns in JSON"
grep -q '"period_ns": 0.71428' "$work/fup20.json" || say "FUP20's period is not 0.71429 ns in JSON"
grep -q '1 of 1 in warplock45$' "$work/fup20" || say 'FUP20 is not counted as one that meets its clock'
$warplock cost fup20 --html "$work/fup20.html" >/dev/null 2>&1
grep -q '>+0.614<' "$work/fup20.html" && grep -q '1 of 1 in warplock45' "$work/fup20.html" || say "FUP20's slack is not in HTML"
$warplock list units | grep -q 'fup20  *1400 MHz ' || say 'list units does not show a clock'
$warplock ports fup20 | grep -q '1400 MHz (wang2015 Table 3.1' || say 'ports does not show a clock'

# On a terminal each step is told as it begins, and one of a second or more stays with its time; elsewhere none is.
script -qec "$warplock cost awl_ctrl" /dev/null >"$work/terminal" </dev/null || say "cost fails on a terminal: $(cat "$work/terminal")"
grep -q 'iacm/awl_ctrl: structure \.\.\.' "$work/terminal" && grep -q 'iacm/awl_ctrl: mapped, warplock45 \.\.\.' "$work/terminal" \
    || say "steps are not told on a terminal: $(head -n 4 "$work/terminal")"
$warplock cost awl_ctrl 2>&1 | grep -q ' \.\.\.' && say 'steps are told where there is no terminal'

# A flip-flop takes its data the latch's 59.14 ps before the edge, less an inverter's 12.52 ps at the
# latch's output and as much that the clock takes to close it.
$warplock cost dac_track >/dev/null 2>&1 || say 'cost dac_track fails'
grep -q -- '-34.100 .*library setup time' build/cost/dac_track/*/warplock45/timing.txt || say 'no setup of 34.10 ps'

# The band is the least and the most of its mappings, and placed it is greater by what was measured.
$warplock cost dac_track --band --html "$work/band.html" --json "$work/band.json" >"$work/band" 2>&1 || say "cost --band fails: $(cat "$work/band")"
has=$(sed -n 's/^  band  *//p' "$work/band")
awk '/ (standard|speed|area) .*um2, path/ {
         for (i = 1; i <= NF; i++) { if ($(i + 1) == "um2,") area = $i; if ($(i + 1) == "ps") path = $i }
         if (!n++) { a = A = area; p = P = path }
         if (area < a) a = area; if (area > A) A = area; if (path < p) p = path; if (path > P) P = path
     }
     END { exit n != 6 || sprintf("%.1f to %.1f um2, path %.0f to %.0f ps", a, A, p, P) != has }' has="$has" "$work/band" \
    || say "a band is not the least and the most of six mappings: $(cat "$work/band")"
factors=$(awk -F, '$1 == "dacache/dac_track" { printf "(area * %.3f, path * %.3f, measured of this unit", $4 / $3, $6 / $5 }' synth/data/placement.csv)
grep -qF "$factors" "$work/band" || say "dac_track is not placed with its own factors $factors: $(cat "$work/band")"
grep -q '^measured with berkeley-abc .*opensta .*yosys 0' "$work/band" && grep -q '"tools": "berkeley-abc' "$work/band.json" \
    && grep -q 'Measured with berkeley-abc' "$work/band.html" || say 'a report does not say by which tools it was made'
grep -q 'speed, retimed' "$work/band.html" && grep -q '"retimed": true' "$work/band.json" || say 'a band is not in HTML and JSON'

# Retiming moves flip-flops (depth 6 in two-input gates becomes 3, by six for two), and the netlist is the
# same machine; with another gate for one of its own it is not, nor before a reset.
retimed=$(synth/scripts/retimed.sh dacache/dac_track) && [[ $retimed = *'2 flip-flops, retimed 6: the same '* ]] || say "dac_track retimed: $retimed"
sed '0,/^  NOR2_X1/s//  OR2_X1/' build/cost/dac_track/*/warplock45/band/standard_retimed/netlist.v >"$work/other.v"
retimed=$(RETIMED_NETLIST=$work/other.v synth/scripts/retimed.sh dacache/dac_track)
[ $? = 1 ] && [[ $retimed = *DIFFERENT* ]] || say "a retimed netlist with another gate is taken: $retimed"
retimed=$(HELD_CYCLES=0 synth/scripts/retimed.sh dacache/dac_track)
[ $? = 1 ] || say "a retimed netlist is the same without a reset, whatever its flip-flops begin with: $retimed"
grep -q 'retimed: flip-flops moved by ABC' "$work/band" && grep -q 'retimed: flip-flops moved by ABC' "$work/band.html" || say 'a band does not say what retimed means'

# A Liberty file of the user's own: the made one, given by its path, measures the same.
cp build/cost/lib/warplock45.lib "$work/own.lib"
$warplock cost fup20 --liberty "$work/own.lib" >"$work/own" 2>&1 || say "a user's Liberty file fails: $(cat "$work/own")"
grep -q '31.9 um2 = 40 NAND2' "$work/own" || say "a user's Liberty file measures something else"

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
  echo 'x.1,x,1,,100.447,eq,ps,,,,,fup20,,through_ps(fup20.addr),0.01,,,,,'
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

# Against a production library: a unit that is near, and a name that is none of the table's.
synth/scripts/calibration.sh pli >"$work/calibration" || { cat "$work/calibration"; say "pli is far from the production library"; }
grep -qE '^pli, um2 +79\.0 +81\.1 +-2\.6 %$' "$work/calibration" || say "calibration.sh does not show pli's area"
synth/scripts/calibration.sh planted 2>"$work/calibration"
[ $? = 2 ] && grep -q "no unit 'planted'" "$work/calibration" || say "calibration.sh takes a unit that the table has not"

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
# Another clock turns the verdict, and a unit without one is not measured.  What misses its clock when
# mapped for area is mapped for speed as well: FUP20 then meets 9956 MHz, too.  FUP28, a level deeper,
# is beyond 9999 MHz by more than twice the period, so that no other mapping is tried.
clock() { sed -i "/^clock/d; /^late/d; 2s/\$/\n$2/" "cmodel/units/index/$1/$1.unit"; build/warplock cost "$1" >"$work/planted_clock" 2>&1; }
clock fup20 'clock 9955 planted' || say 'a unit that meets its clock fails'
grep -q '1 of 1 in warplock45$' "$work/planted_clock" || say "FUP20 does not meet 9955 MHz: $(cat "$work/planted_clock")"
clock fup20 'clock 9955 planted\nlate as drawn, one cycle'
[ $? = 1 ] && grep -q 'index/fup20 meets its clock, and its file has a late row; take it out' "$work/planted_clock" \
    || say "a reason for nothing is accepted: $(cat "$work/planted_clock")"
clock fup20 'clock 9956 planted'
[ $? = 0 ] && grep -q 'mapped for speed' "$work/planted_clock" || say "FUP20 is not mapped for speed: $(cat "$work/planted_clock")"
clock fup28 'clock 9999 planted\nlate as drawn, one cycle'
[ $? = 0 ] && grep -q '^  late         as drawn, one cycle$' "$work/planted_clock" || say "a reason is not told: $(cat "$work/planted_clock")"
clock fup28 'clock 9999 planted'
[ $? = 1 ] && grep -q 'index/fup28 misses its clock, and its file has no late row' "$work/planted_clock" \
    || say "a unit is late without a reason: $(cat "$work/planted_clock")"
grep -q '0 of 1 in warplock45$' "$work/planted_clock" && grep -q 'CLOCK NOT MET' "$work/planted_clock" \
    && grep -q '^clock not met in warplock45: fup28 -0.[0-9]* ns$' "$work/planted_clock" \
    || say "FUP28 meets 9999 MHz: $(cat "$work/planted_clock")"
clock fup20 ''
grep -q 'fup20: its file has no clock row' "$work/planted_clock" || say "a unit without a clock is measured: $(cat "$work/planted_clock")"
# A parameter called ONE_CYCLE: both of its values side by side, each with its own timing.
sed -i 's/RESERVED_IS_MISS/ONE_CYCLE/g' rtl/dacache/dac_track.v cmodel/units/dacache/dac_track/*
echo 'TIMING(acc_valid, ALWAYS, retire_valid, ONE_CYCLE ? 0 : 3, ONE_CYCLE ? 1 : 4)' >>cmodel/units/dacache/dac_track/dac_track.ports.h
build/warplock cost dac_track --param ONE_CYCLE=1 --json planted.json --html planted.html >"$work/planted_forms" 2>&1
for line in '^Restructured units' '^dacache/dac_track ONE_CYCLE=1$' '^  warplock45   ONE_CYCLE=0 .*um2, path .* ps, slack +' \
            '^  *ONE_CYCLE=1 .*um2, path .* ps, slack +' 'ONE_CYCLE=0 acc_valid to retire_valid: latency 3, interval 4 cycles' \
            'ONE_CYCLE=1 acc_valid to retire_valid: latency 0, interval 1 cycles'; do
    grep -q "$line" "$work/planted_forms" || say "both forms of a unit lack '$line': $(cat "$work/planted_forms")"
done
grep -q '"latency_cycles": 3' planted.json && grep -q '"one_cycle": 1' planted.json || say 'both forms of a unit are not in JSON'
grep -q 'latency 3, interval 4' planted.html || say 'both forms of a unit are not in HTML'
# A claim that holds of the circuit as it is, and not of the one-cycle form.
sed -i 's/^PARAM(ONE_CYCLE, 1/PARAM(ONE_CYCLE, 0/' cmodel/units/dacache/dac_track/dac_track.ports.h
{ head -n 1 synth/claims/caps.csv
  echo 'planted.1,planted,1,,0,eq,forms,,,,,dac_track,,param(dac_track.ONE_CYCLE)+0*area_um2(dac_track),,,,,,'; } >planted.csv
build/warplock cost dac_track --claims planted.csv --forms --json planted.json --html planted.html >"$work/planted_forms" 2>&1
grep -q '^  planted.1 *0 and 1 forms: agrees, in one cycle DIFFERS$' "$work/planted_forms" \
    && grep -q '^verdicts that one cycle would change: 1 of 1$' "$work/planted_forms" \
    || say "a verdict that one cycle changes is not told: $(cat "$work/planted_forms")"
grep -A 3 '"one_cycle": {' planted.json | grep -q '"verdict": "DIFFERS"' || say 'a verdict in one cycle is not in JSON'
grep -q '>DIFFERS<' planted.html || say 'a verdict in one cycle is not in HTML'
build/warplock cost dac_track --claims planted.csv | grep -q 'one cycle' && say 'claims are judged twice unasked'
[ $status = 1 ] || say "a planted register ends with status $status, not 1"
exit $bad
