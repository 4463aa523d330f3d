#!/usr/bin/env bash
# place.sh UNIT... - what placement and wires add, measured: units (family/unit at its standard
# parameters, or family/unit@K=V,K=V) through qflow in osu018, one row of data/placement.csv each on
# standard output.
#   cells, cell_um2    of the netlist that is placed (qflow's own mapping, its buffers included)
#   core_um2           rows with the fill cells between them; without the ring of pins
#   path_ps, wires_ps  longest path by qflow's timing (vesta), without wires and with those routed
# A unit that does not end in PLACE_SECONDS (600), or has a path but none with wires, has no row.
# The netlist before mapping is that of synth/map.mk: run `warplock cost UNIT` before.
set -u
cd "$(dirname "$0")/../.." || exit 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
lef=/usr/share/qflow/tech/osu018/osu018_stdcells.lef

greatest_path() { grep -oE 'delay [0-9.]+ ps' "$1" | awk '$2 > most { most = $2 } END { print most + 0 }'; }

# Areas of a DEF's components by the sizes of the LEF: of cells, and of all with the fill.
areas() {
    awk 'FILENAME == ARGV[1] && $1 == "MACRO" { macro = $2 }
         FILENAME == ARGV[1] && $1 == "SIZE" { area[macro] = $2 * $4 }
         FILENAME == ARGV[1] { next }
         $1 == "COMPONENTS" { inside = 1; next }
         $1 == "END" { inside = 0 }
         inside && $1 == "-" { core += area[$3]; if ($3 != "FILL") { n++; cells += area[$3] } }
         END { printf "%d,%.0f,%.0f", n, cells, core }' "$lef" "$1"
}

place() {
    local unit=${1%@*} name=${1#*/} row=$1 set= folder here
    name=${name%@*} here=$work/$name
    case $1 in *@*) set=${1#*@}; set=${set//,/ } ;; esac
    case $1 in *,*) row="\"$1\"" ;; esac
    folder=$(make -s -f synth/map.mk UNIT="$unit" SET="$set" structure cost-where) && [ -s "$folder/generic.il" ] ||
        make -s -f synth/map.mk UNIT="$unit" SET="$set" LIBRARY=osu018 LIBERTY=build/cost/lib/osu018.lib LOAD=40 mapped || return
    mkdir -p "$here/source" "$here/synthesis" "$here/layout"
    # qflow reads Verilog: flip-flops without enable or reset, which its library has not; and nets
    # by number, since its timing does not find those of instances and bits again.
    printf '%s\n' "read_rtlil $folder/generic.il; dffunmap; simplemap; rename -hide w:*" \
        "rename -enumerate -pattern net% w:*; write_verilog -noattr $here/source/$name.v" |
        yosys -q -s - >/dev/null || return
    (
        cd "$here" || exit
        for step in synthesize place sta route backanno; do
            timeout "${PLACE_SECONDS:-600}" qflow "$step" -T osu018 "$name" >"$step.out" 2>&1 || exit
        done
    )
    [ -s "$here/log/post_sta.log" ] || { echo "$1: not placed or not routed in time" >&2; return; }
    local path wires
    path=$(greatest_path "$here/log/sta.log") wires=$(greatest_path "$here/log/post_sta.log")
    # Both are 0 of a unit without flip-flops.
    if [ "$path" != 0 ] && [ "$wires" = 0 ]; then
        echo "$1: no path with wires: $(grep -m1 ERROR "$here/log/post_sta.log")" >&2
        return
    fi
    echo "$row,$(areas "$here/layout/$name.def"),$path,$wires"
}

version() { dpkg-query -W -f '${Package} ${Version}' "$1" 2>/dev/null; }
echo "# made by synth/scripts/place.sh: $(version qflow), $(version graywolf), $(version qrouter), $(version yosys); osu018"
echo "unit,cells,cell_um2,core_um2,path_ps,wires_ps"
for unit in "$@"; do
    place "$unit"
done
