#!/usr/bin/env bash
# rows.sh KIND [UNIT...] - the rows of one kind in the files of the units (all, or the named ones),
# as "family/unit FIELD...": clock, late, foreign, set, mutate, gates, prove, property, system, wave; `units` are the
# units themselves, and `runs` the system rows joined, "MACHINE MECHANISMS UNIT...".  The rows are
# explained in cmodel/units/unit_file.md; this is their only reader for shell and make.  Every row
# of a file that is read is checked.  Exit status 2, with file, line and remedy, for a wrong one.
set -u
cd "$(dirname "$0")/.."
kind=${1:-}
[ $# -gt 0 ] && shift
case $kind in
units | runs | clock | late | foreign | set | mutate | gates | prove | property | system | wave) ;;
*) echo "rows.sh: '$kind' is no kind of row; ask for units, runs, clock, late, foreign, set, mutate, gates, prove, property, system or wave" >&2; exit 2 ;;
esac

list=cmodel/units/units.list
awk -v list=$list 'NF && !/^#/ && !/^[a-z0-9_]+\/[a-z0-9_]+$/ {
    printf "%s:%d: write family/unit and no more; parameter sets are rows of the file <unit>.unit of the unit\n", list, FNR >"/dev/stderr"; exit 2}' $list || exit 2
mapfile -t units < <(grep -v '^#' $list)
if [ $# -gt 0 ]; then
    chosen=()
    for wanted in "$@"; do
        for unit in "${units[@]}"; do [ "${unit##*/}" = "${wanted##*/}" ] && chosen+=("$unit") && continue 2; done
        echo "rows.sh: no unit '$wanted' in $list; \`warplock list units\` shows all" >&2
        exit 2
    done
    units=("${chosen[@]}")
fi
[ "$kind" != units ] || { printf '%s\n' "${units[@]}"; exit; }

files=()
for unit in "${units[@]}"; do files+=("cmodel/units/$unit/${unit##*/}.unit"); done
for file in "${files[@]}"; do
    [ -f "$file" ] || { echo "$file: is not there; a unit has one, see cmodel/units/unit_file.md" >&2; exit 2; }
done

rows=$(awk -v asked="$kind" '
function refuse(words) {
    printf "%s:%d: %s\n", FILENAME, FNR, words >"/dev/stderr"
    refused = 1
    exit 2
}
function is_set(word) {return word ~ /^[A-Za-z][A-Za-z0-9_]*=-?[0-9]+(,[A-Za-z][A-Za-z0-9_]*=-?[0-9]+)*$/}
function is_point(word) {return word == "-" || is_set(word)}
function one_of(row) {if (seen[FILENAME, row]++) refuse("a second " row " row; a unit has one")}
FNR == 1 {split(FILENAME, part, "/"); unit = part[3] "/" part[4]}
{sub(/#.*/, "")}
!NF {next}
$1 == "clock" {
    one_of("clock")
    if (NF < 3 || $2 !~ /^[1-9][0-9]?[0-9]?[0-9]?$/) refuse("write clock MHZ and the table or section that gives it; MHZ is a whole number of 1 to 9999")
}
$1 == "late" {
    one_of("late")
    if (NF < 2) refuse("write late and why the unit does not meet its clock")
}
$1 == "foreign" {
    one_of("foreign")
    if (NF < 2) refuse("write foreign and where the RTL is from")
}
$1 == "set" {
    if (NF != 2 || !is_set($2)) refuse("write set K=V,K=V, one parameter set a row")
}
$1 == "mutate" {
    one_of("mutate")
    if (NF < 2 || NF > 3 || !is_point($2) || (NF == 3 && $3 !~ /^[0-9]+$/)) refuse("write mutate K=V,K=V [STEPS]")
}
$1 == "gates" {
    one_of("gates")
    if (NF != 2 || !is_point($2)) refuse("write gates K=V,K=V")
}
$1 == "prove" {
    good = NF >= 3 && is_point($2) && $3 ~ /^[0-9]+$/
    for (i = 4; i <= NF; i++) good = good && $i ~ /^(solver=(minisat|kissat)|parts=[0-9]+|unwind=[0-9]+|products=free|without=[a-z0-9_]+)$/
    if (!good) refuse("write prove K=V,K=V SECONDS, and of solver=minisat parts=N unwind=N products=free without=OUTPUT what is needed; K=V,K=V is - for the standard parameters")
}
$1 == "property" {
    if (NF != 4 || !is_point($2) || $3 !~ /^(pdr|ind|ind=[2-9]|bmc=[0-9]+)$/ || $4 !~ /^[0-9]+$/)
        refuse("write property K=V,K=V pdr SECONDS, or ind, ind=CYCLES (2 at least) or bmc=CYCLES for pdr; K=V,K=V is - for the standard parameters")
}
$1 == "system" {
    if (NF != 3) refuse("write system MACHINE MECHANISM,MECHANISM")
}
$1 == "wave" {
    one_of("wave")
    if (NF < 4 || $3 !~ /^[0-9]+(,[0-9]+)*$/) refuse("write wave TEST STEP,STEP and what it shows")
}
$1 !~ /^(clock|late|foreign|set|mutate|gates|prove|property|system|wave)$/ {
    refuse("\047" $1 "\047 is no kind of row; write clock, late, foreign, set, mutate, gates, prove, property, system or wave")
}
asked == "runs" && $1 == "system" {
    run = $2 " " $3
    if (!(run in members)) order[++n] = run
    members[run] = members[run] " " part[4]
}
$1 == asked {$1 = unit; print}
END {for (i = 1; i <= n && !refused; i++) print order[i] members[order[i]]}' "${files[@]}") || exit 2
[ -z "$rows" ] || printf '%s\n' "$rows"
