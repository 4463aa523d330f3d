#!/usr/bin/env bash
# retimed.sh UNIT [K=V,K=V [SCRIPT]] - is a unit's netlist whose flip-flops were moved (band.mk; SCRIPT
# standard, speed or area) the same machine as the one before?  For all runs, from any values of all
# flip-flops: both are held in reset for HELD_CYCLES (4), in which what was moved takes its value
# from the inputs, and then every output is the same in every cycle in which it counts (the port table's
# guard of it).  Prints how many flip-flops there are before and after, and the answer.
# Exit status: 0 proven, 1 it differs, 2 no such unit, 5 no answer in RETIMED_SECONDS (60), 6 not built.
set -u
cd "$(dirname "$0")/../.." || exit 2
name=${1:?family/unit} name=${name#*/} set=${2:-} script=${3:-standard} held=${HELD_CYCLES:-4}
[ -f "rtl/$1.v" ] || { echo "retimed: no unit '$1'; name it as family/unit" >&2; exit 2; }
liberty=build/cost/lib/warplock45.lib
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
folder=$(make -s -f synth/map.mk UNIT="$1" SET="${set//,/ }" LIBRARY=warplock45 LIBERTY=$liberty LOAD=6.4 \
    -f synth/band.mk SCRIPT="$script" RETIMED=1 banded cost-where) || exit 6
folder=$(tail -n 1 <<<"$folder")
netlist=${RETIMED_NETLIST:-$folder/warplock45/band/${script}_retimed/netlist.v}

# Both side by side; the ports of the netlist are split into bits.
printf '%s\n' "read_rtlil $folder/generic.il; write_json $work/ports.json" | yosys -q -s - || exit 6
build/warplock ports "$name" --json >"$work/table.json" || exit 6
jq -r --arg name "$name" --argjson held "$held" --slurpfile table "$work/table.json" '
    def bits: .value.bits | length;
    def wide: if bits > 1 then "[\(bits - 1):0] " else "" end;
    def each(wire): if bits == 1 then ".\(.key)(\(wire))" else
        . as $port | range(bits) | ".\\\($port.key)[\(.)] (\($port | wire)[\(.)])" end;
    def guard: .key as $key | $table[0] as $t | ([$t.outputs[] | select(.name == $key).guard] | first // "ALWAYS")
        | . as $g | if any($t.outputs[]; .name == $g) then "!(|\($g)_before) || "
          elif any($t.inputs[]; .name == $g) then "!(|\($g)) || " else "" end;
    def input: if .key == "rst" then "reset" else .key end;
    .modules[$name].ports | to_entries
    | map(select(.value.direction == "input")) as $in | map(select(.value.direction == "output")) as $out
    | "module both (" + ([$in[] | "input \(wide)\(.key)"] | join(", ")) + ");",
      "reg [7:0] cycles_q = 0;",
      "always @(posedge clk) if (cycles_q != \($held)) cycles_q <= cycles_q + 1;",
      "wire reset = rst || cycles_q != \($held);",
      ($out[] | "wire \(wide)\(.key)_before, \(.key)_after;"),
      "before u_before (" + ([($in[] | ".\(.key)(\(input))"), ($out[] | ".\(.key)(\(.key)_before)")] | join(", ")) + ");",
      "after u_after (" + ([($in[] | each(input)), ($out[] | each(.key + "_after"))] | join(", ")) + ");",
      ($out[] | "always @* if (cycles_q == \($held)) assert (\(guard)\(.key)_before == \(.key)_after);"),
      "endmodule"' "$work/ports.json" >"$work/both.v" || exit 6
printf '%s\n' "read_liberty $liberty; read_rtlil $folder/generic.il; rename $name before
    read_verilog $netlist; rename $name after; read_verilog -formal $work/both.v; prep -flatten -top both
    check -assert; select -assert-min 1 t:\$assert; async2sync; opt -full -nodffe -nosdff; dffunmap; techmap
    opt -fast -nodffe -nosdff; abc -g AND -fast; opt_clean; write_aiger $work/both.aig" |
    yosys -q -s - >"$work/log" 2>&1 || { tail -n 3 "$work/log" >&2; exit 6; }

count() { grep -cE "$1" "$2"; }
printf '%s: %d flip-flops, retimed %d: ' "$1${set:+ $set} $script" "$(count 'cell .*DFF' "$folder/generic.il")" \
    "$(count '^ *\\?\$?_?DFF' "$netlist")"
# undc: a flip-flop without an initial value may have either.
timeout "${RETIMED_SECONDS:-60}" yosys-abc -c "read_aiger $work/both.aig; logic; undc; strash; scorr; dprove" >"$work/log" 2>&1
if grep -qE '^(Networks are equivalent|UNSATISFIABLE)' "$work/log"; then
    echo "the same from cycle $held of a reset on, for all runs"
elif grep -q 'are not equivalent\|^SATISFIABLE' "$work/log"; then
    echo "DIFFERENT: $(grep -m1 -o 'Output [0-9]* .*frame [0-9]*' "$work/log")"
    exit 1
else
    echo "no answer"
    exit 5
fi
