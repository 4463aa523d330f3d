#!/usr/bin/env bash
# rtl_parameters.sh - the RTL by itself refuses parameters that its table forbids, under Verilator
# and under Yosys, and the refusal names the parameter: each parameter of each unit one below and
# one above its range (a power of two: half and double, and three times its least), and what
# parameters ask of each other.  Every parameter of every module is named by a check, in the module or
# in one that it hands the parameter to as it is.
set -u
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0

# Is a parameter checked by a module inside this one, under the same name?
handed_on() { # file parameter
    local inner
    grep -q "\.$2($2)" "$1" || return
    for inner in $(sed -n 's/^ *\([a-z][a-z0-9_]*\) #(.*/\1/p' "$1"); do
        [ "$inner" = module ] || ! grep -qs "^ *$2_must_" rtl/*/"$inner".v || return 0
    done
    return 1
}

for file in rtl/*/*.v; do
    for parameter in $(sed -n 's/^    parameter \([A-Z0-9_]*\) .*/\1/p' "$file"); do
        grep -q "^ *${parameter}_must_" "$file" || handed_on "$file" "$parameter" && continue
        echo "rtl_parameters: $file does not check $parameter"
        bad=1
    done
done

# unit, settings, the parameter that is refused: out of the tables, then conditions (REQUIRE).
cases() {
    tb/rows.sh units | while read -r unit; do
        build/warplock ports "${unit##*/}" --json | jq -r --arg unit "$unit" '
            .params[] | .name as $name
            | (if .power_of_two then [((.least / 2) | floor), .greatest * 2]
                   + (if .least * 3 < .greatest then [.least * 3] else [] end)
               else [.least - 1, .greatest + 1] end)[]
            | "\($unit) \($name)=\(.) \($name)"'
    done
    cat <<'END'
adi/adi_engine ADI_CAND_HI=10 ADI_CAND_HI
blpp/blpp_monitor BW=8 BW
adi/adi_engine ADI_CAND_HI=32 ADI_CAND_HI
adi/adi_engine NV=1025 NV
adi/adi_engine NS=1025 NS
caps/pas_sched RQ=9,WARPS=8 RQ
dacache/dac_gauge COH_MAX=6 SMALL_MAX
dacache/dac_part W_MIN=10,W_MAX=10,FCW_INIT=10 W_MIN
dacache/dac_part FCW_INIT=0 FCW_INIT
dacache/dac_part FCW_INIT=49 FCW_INIT
graph/ab_set E_INIT=9 E_INIT
graph/ab_set E_MIN=7 E_INIT
graph/mat ADDR_W=20 ADDR_W
graph/obm INIT=32 INIT
graph/ptt ENTRIES=8 ENTRIES
graph/nap CTR_W=3,INIT=8 INIT
graph/nap CTR_W=3,THRESHOLD=8 THRESHOLD
gtsc/gtsc_l1 UPDATE_VISIBILITY=2,ST_UNDER_LOCK=1 ST_UNDER_LOCK
gtsc/gtsc_l1 UPDATE_VISIBILITY=2,WR_POLICY=2 UPDATE_VISIBILITY
gtsc/gtsc_l1 PIN=1,FORWARD_ALL=1 FORWARD_ALL
gtsc/gtsc_l2 LEASE_BITS=6,TS_BITS=5 LEASE_BITS
index/bxor ADDR_W=16,SETS=1024 ADDR_W
index/conv ADDR_W=16,SETS=1024 ADDR_W
index/fup20 ADDR_W=16,SETS=1024 ADDR_W
index/fup28 ADDR_W=16,SETS=1024 ADDR_W
index/pli ADDR_W=16,SETS=1024,POLY=1033 ADDR_W
index/pli POLY=64 POLY
index/pmod ADDR_W=17,SETS=1024 ADDR_W
index/pdisp ADDR_W=17,SETS=1024 ADDR_W
index/pdisp P=31 P
index/pdisp SETS=256,P=502 P
oaws/oaws_pred PRED_STEP=4,ONE_CYCLE=1 PRED_STEP
oaws/oaws_pred PRED_STEP=2 PRED_STEP
END
}

minus_one=32\'hffffffff # Yosys takes no sign

# A refusal of one case by both tools; what the tools said goes to standard output if it is none.
one() { # family/unit settings parameter
    local unit=$1 settings=${2//,/ } parameter=$3 family=${1%/*} name=${1##*/} setting tool
    local -a verilator=() yosys=()
    for setting in $settings; do
        verilator+=("-G$setting")
        yosys+=(-chparam "${setting%%=*}" "${setting#*=}")
    done
    yosys=("${yosys[@]/#-1/$minus_one}")
    for tool in verilator yosys; do
        case $tool in
        verilator) timeout 120 "$VERILATOR" --lint-only -Wno-fatal -Wno-lint --no-timing -y rtl/common -y "rtl/$family" \
            "${verilator[@]}" "rtl/$unit.v" ;;
        yosys) printf '%s\n' "read_verilog -defer rtl/common/*.v rtl/$family/*.v; hierarchy -check -top $name ${yosys[*]}" |
            timeout 120 yosys -q -s - ;;
        esac >"$work/$BASHPID" 2>&1 && { echo "rtl_parameters: $tool takes $name at $2"; continue; }
        [[ " $(<"$work/$BASHPID")" =~ [^A-Z0-9_]${parameter}_must_ ]] && continue
        echo "rtl_parameters: $tool refuses $name at $2, but not by $parameter:"
        head -n 3 "$work/$BASHPID"
    done
}
export -f one
VERILATOR=$(command -v verilator_bin || command -v verilator) # not the script around it, in Perl
export work VERILATOR minus_one

cases >"$work/cases"
[ "$(wc -l <"$work/cases")" -gt 400 ] || { echo "rtl_parameters: only $(wc -l <"$work/cases") cases"; bad=1; }
xargs -P "$(nproc)" -L1 bash -c 'one "$@"' _ <"$work/cases" >"$work/found"
if [ -s "$work/found" ]; then
    cat "$work/found"
    bad=1
fi
echo "$(wc -l <"$work/cases") parameter sets"
exit $bad
