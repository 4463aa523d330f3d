#!/usr/bin/env bash
# calibration.sh [UNIT...] - how near warplock45 comes to a production library: path and area of the
# units of data/calibration.csv (all, or the named ones), mapped now, beside what that library made of
# them.  Exit status: 0 paths within 10 % and areas within 5 %, 1 one is not, 2 bad use or not measured.
set -u
cd "$(dirname "$0")/../.." || exit 2
table=synth/data/calibration.csv
warplock=${WARPLOCK:-build/warplock}
for wanted in "$@"; do
    grep -q "^$wanted," $table || { echo "calibration.sh: $table has no unit '$wanted'; name one of its first column" >&2; exit 2; }
done
answer=$(mktemp)
trap 'rm -f "$answer"' EXIT
status=0

# beside NAME MEASURED WANTED PERCENT: a line of both; false when they are further apart.
beside() {
    awk -v name="$1" -v is="$2" -v was="$3" -v most="$4" 'BEGIN {
        apart = 100 * (is / was - 1); bad = apart > most || apart < -most
        printf "%-28s %8.1f   %8.1f   %+5.1f %%%s\n", name, is, was, apart, bad ? "  more than " most " %" : ""; exit bad }'
}
printf '%-28s %8s   %8s\n' '' warplock45 production
while IFS=, read -r unit parameters path area; do
    [ $# = 0 ] || [[ " $* " = *" $unit "* ]] || continue
    "$warplock" cost "$unit" ${parameters:+--param "$parameters"} --json "$answer" >/dev/null 2>&1
    read -r our_path our_area < <(jq -r '.units[0].mapped[] | select(.library == "warplock45") | "\(.delay_ps) \(.area_um2)"' "$answer") ||
        { echo "calibration.sh: $unit was not measured; \`warplock cost $unit\` says why" >&2; exit 2; }
    beside "$unit${parameters:+ $parameters}, ps" "$our_path" "$path" 10 || status=1
    [ -z "$area" ] || beside "$unit${parameters:+ $parameters}, um2" "$our_area" "$area" 5 || status=1
done < <(sed '/^#/d; /^unit,/d' $table)
exit $status
