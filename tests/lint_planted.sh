#!/usr/bin/env bash
# lint_planted.sh - what is missing or wrong in a unit's folder is refused, with one line that
# says what: each is planted once into a copy of the tree.
set -u
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/tests" && mkdir "$work/cmodel" && cp -r cmodel/units "$work/cmodel" && cp -r rtl tb "$work" && cp tests/lint.sh "$work/tests"
cd "$work" || exit 1
bad=0
folder=cmodel/units/adi/flush_ctrl

# planted PATTERN COMMAND: after the command, lint says one line and it matches; then all is put back.
planted() {
    local pattern=$1
    mkdir kept && cp -r cmodel rtl kept
    eval "$2"
    diff -rq cmodel kept/cmodel >out && diff -rq rtl kept/rtl >out && { echo "lint_planted: '$2' changes nothing"; bad=1; }
    tests/lint.sh units >out 2>&1
    if [ $? = 0 ] || [ "$(wc -l <out)" != 1 ] || ! grep -qE "$pattern" out; then
        echo "lint_planted: after '$2' one line /$pattern/ was expected:"
        cat out
        bad=1
    fi
    rm -rf cmodel rtl && mv kept/* . && rmdir kept
}
row() { echo "$* # planted" >>$folder/flush_ctrl.unit; }
line=$(($(wc -l <$folder/flush_ctrl.unit) + 1))

tests/lint.sh units || bad=1
for ending in ports.h c stimulus.c vec gtkw; do
    planted "unit flush_ctrl has no $folder/flush_ctrl.$ending$" "rm $folder/flush_ctrl.$ending"
done
planted "$folder/flush_ctrl.unit: is not there; a unit has one" "rm $folder/flush_ctrl.unit"
planted "$folder/flush_ctrl.txt has no place" "touch $folder/flush_ctrl.txt"
planted "$folder/other.vec has no place" "touch $folder/other.vec"
planted 'cmodel/units/adi/empty has no line in cmodel/units/units.list' 'mkdir cmodel/units/adi/empty'
planted 'units.list:[0-9]+: write family/unit and no more' 'echo "adi/more SETS=4" >>cmodel/units/units.list'
planted 'two units are named flush_ctrl' 'echo adi/flush_ctrl >>cmodel/units/units.list'
planted 'adi/flush_ctrl has no wave row' "sed -i '/^wave/d' $folder/flush_ctrl.unit"
planted 'flush_ctrl must have both property rows and a .props.v' "rm $folder/flush_ctrl.props.v"
planted 'flush_ctrl must have both property rows and a .props.v' "sed -i '/^property/d' $folder/flush_ctrl.unit"
planted "flush_ctrl is sequential: write $folder/flush_ctrl.props.v" "sed -i '/^property/d' $folder/flush_ctrl.unit; rm $folder/flush_ctrl.props.v"
planted "$folder/flush_ctrl.unit: no property row is at the standard" "sed -i 's/^property - pdr/property SETS=4 pdr/' $folder/flush_ctrl.unit"
planted "$folder/flush_ctrl.unit: no property row is at the standard" "sed -i 's/^property - pdr/property - bmc=4/' $folder/flush_ctrl.unit"
planted "$folder/flush_ctrl.unit: no prove row is at the standard" "sed -i 's/^prove -/prove SETS=4/' $folder/flush_ctrl.unit"
planted "$folder/flush_ctrl.unit: no prove row is at the standard" "sed -i '/^prove/d' $folder/flush_ctrl.unit"
rtl=rtl/adi/flush_ctrl.v
planted 'proof code belongs' "sed -i 's/^endmodule/    always @* assert (set_q < SETS);\n&/' $rtl"
planted 'the form of a reset is' "sed -i 's/    reg \[SET_W-1:0\] set_q;/    reg [SET_W-1:0] set_q = 0;/' $rtl"
planted 'the form of a reset is' "sed -i 's/if (rst) set_q <= .*/set_q <= rst ? 0 : set_d;/; /else     set_q/d' $rtl"
refused() { planted "^$folder/flush_ctrl.unit:$line: $1" "row $2"; }
refused "'porve' is no kind of row; write clock, late, foreign, set," 'porve - 60'
refused 'write late and why' 'late'
refused 'write set K=V,K=V' 'set SETS'
refused 'write set K=V,K=V' 'set SETS=4 SETS=8'
refused 'write set K=V,K=V' 'set SETS=4,'
refused 'write mutate' 'mutate SETS=4 steps=7'
refused 'write gates' 'gates'
refused 'write prove' 'prove -'
refused 'write prove' 'prove - 60 solver=other'
refused 'write property' 'property - bmc 60'
refused 'write system' 'system aci'
refused 'write wave|a second wave row' 'wave test 1 another one'
exit $bad
