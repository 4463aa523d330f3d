#!/usr/bin/env bash
# properties.sh [UNIT ...] - checks the assertions of <unit>.props.v for the `property` rows
# (cmodel/units/unit_file.md) of all units, or of the named ones, from reset on, for all inputs.
# They are read as the last lines of the unit's module, which knows nothing of them, so that they
# see all that is inside; so are those of a module inside it that have a file <family>/<module>.props.v.
# A line
# for each: PROVEN for runs of any length (property-directed reachability, or induction over one
# cycle), HOLDS so many cycles (bounded), FAILS with the cycle, or OPEN; and a JSON line in
# build/properties/<unit>@<point>.json.  SHORT=1 leaves out rows that are allowed more than
# ten seconds; PROPERTIES_FIRST=1 takes only the first row of each unit.  Exit status: 0 all hold, 1 one fails, 5 some open, 6 a unit did not build.
set -u
cd "$(dirname "$0")/../.."
mkdir -p build/properties
status=0
count=0
rows=$(tb/rows.sh property "$@") || exit 2
for wanted in "$@"; do
    grep -qE "/$wanted " <<<"$rows" && continue
    echo "properties: the file $wanted.unit has no property row" >&2
    exit 2
done

worse() { [ "$1" -gt "$status" ] && status=$1; }

# The RTL of a unit, and of the modules inside it that have any, with the properties as the last lines.
with_properties() { # family/unit
    local pins rtl=rtl/$1.v
    [ -f "$rtl" ] || rtl=rtl/$1.sv
    pins=" $(sed -n -f tb/clock.sed "cmodel/units/$1/${1##*/}.ports.h" | tr '\n' ' ')"
    local clock=clk edge=posedge reset=rst
    [[ $pins =~ \ CLOCK=([^ ]*) ]] && clock=${BASH_REMATCH[1]}
    [[ $pins =~ CLOCK_FALLING=1 ]] && edge=negedge
    [[ $pins =~ \ RESET=([^ ]*) ]] && reset=${BASH_REMATCH[1]}
    [[ $pins =~ RESET_LOW=1 ]] && reset=!$reset
    sed -e "s/posedge clk/$edge $clock/; s/(rst)/($reset)/" tb/prove/from_reset.v >build/properties/from_reset.v
    appended "$rtl" "cmodel/units/$1/${1##*/}.props.v"
    local inner module
    for inner in "cmodel/units/${1%/*}"/*.props.v; do
        module=${inner##*/} module=${module%.props.v}
        grep -q "^ *$module " "$rtl" && appended "rtl/${1%/*}/$module.v" "$inner"
    done
    return 0
}

# A file with what is proven of its module, which has the file's name.
appended() { # RTL, properties
    local name=${1##*/}
    awk -v name="${name%.*}" -v files="build/properties/from_reset.v $2" '
        /^ *module / {is_unit = $0 ~ "^ *module +" name "([^A-Za-z0-9_]|$)"}
        /^ *endmodule/ && is_unit {n = split(files, file, " "); for (i = 1; i <= n; i++) while ((getline line <file[i]) > 0) print line}
        {print}' "$1"
}

# The unit with its assertions as one AIGER file: registers, inputs, what must not happen.  A name of
# the module that its properties declare again would be one signal with two sources, and one inside an
# instance a signal without any, of which anything can be proven: refused.
to_aiger() { # family/unit parameters output
    local unit=$1 set=$2 output=$3 family=${1%/*} name=${1##*/} parameters language=
    with_properties "$unit" >"$output.v" || return
    parameters=$(sed 's/\([^ =]*\)=\([^ ]*\)/-set \1 \2/g' <<<"$set")
    [ -f "rtl/$unit.v" ] || language=-sv
    printf '%s\n' "read_verilog $language -formal $output.v; ${parameters:+chparam $parameters $name;}
        hierarchy -check -top $name -libdir rtl/common -libdir rtl/$family; rename -top $name;
        prep -flatten; check -assert; chformal -cover -remove; memory_map; opt -full; async2sync;
        select -assert-min 1 t:\$assert; chformal -assume -early; setundef -undriven -anyseq;
        opt -full -nodffe -nosdff; delete -output; opt_clean; dffunmap; techmap;
        opt -fast -nodffe -nosdff; abc -g AND -fast; opt_clean; write_aiger -I -B -zinit $output" | yosys -q -e 'is assigned in a continuous assignment' -s -
}

check() { # family/unit parameters mode seconds
    local unit=$1 name=${1##*/} set=$2 mode=$3 limit=$4 started=$SECONDS point=$2 result words engine frames
    [ "$set" = - ] && set= point=standard
    local stem=build/properties/$name@$point label="$name $2"
    if ! to_aiger "$unit" "${set//,/ }" "$stem.aig" >"$stem.log" 2>&1; then
        printf 'BUILD    %s\n' "$label"
        tail -n 5 "$stem.log"
        worse 6
        return
    fi
    case $mode in
    pdr) engine="pdr -T $limit" frames=0 ;;
    # From reset a few cycles, then from any two cycles of which the first has no failure.
    ind | ind=*) frames=12; [ "$mode" = ind ] || frames=$((${mode#ind=} + 1))
        engine="orpos; bmc3 -T $limit -F $frames; ind -F 2 -T $limit" ;;
    bmc=*) frames=$((${mode#bmc=} + 1)) engine="bmc3 -T $limit -F $frames" ;;
    esac
    timeout $((3 * limit + 30)) yosys-abc -c "read_aiger $stem.aig; fold; strash; $engine" >>"$stem.log" 2>&1
    if [[ $mode = ind* ]] && grep -q "No output asserted in $frames frames" "$stem.log" && grep -q '^Networks are equivalent' "$stem.log"; then
        result=proven words=PROVEN
    elif [ "$mode" = pdr ] && grep -q 'Property proved' "$stem.log"; then
        result=proven words=PROVEN
    elif grep -qE 'was asserted in frame|Output .* asserted' "$stem.log"; then
        result=fails words=FAILS
        worse 1
    elif grep -qE "No output (was )?(asserted|failed) in $frames frames|No output asserted" "$stem.log" &&
        [[ $mode = bmc=* ]]; then
        result=holds words=HOLDS
    else
        result=timeout words=OPEN
        worse 5
    fi
    printf '%-8s %-58s %-6s %4d s%s\n' "$words" "$label" "$mode" $((SECONDS - started)) \
        "$([ $result = fails ] && grep -o 'asserted in frame [0-9]*' "$stem.log" | head -n 1 | sed 's/.*frame/, cycle/')"
    jq -n --arg unit "$name" --arg point "$point" --arg result "$result" --arg mode "$mode" \
        --argjson seconds $((SECONDS - started)) '$ARGS.named' >"$stem.json"
    count=$((count + 1))
}

while read -r unit set mode limit _; do
    [ "${SHORT:-0}" = 1 ] && [ "$limit" -gt 10 ] && continue
    [ "${PROPERTIES_FIRST:-0}" = 1 ] && [ "$unit" = "${last:-}" ] && continue
    last=$unit
    check "$unit" "$set" "$mode" "$limit"
done <<<"$rows"
echo "$count checked"
exit $status
