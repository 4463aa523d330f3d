#!/usr/bin/env bash
# golden.sh STEPS - every unit's C model against its executable reference (tb/golden.h): the
# vectors, then random steps at the standard and every listed parameters.  Ends in a count.
set -u
cd "$(dirname "$0")/.."
steps=$1
sets=$( { tb/rows.sh units | sed 's/$/ -/'; tb/rows.sh set; } ) || exit 2

one() {
    local unit=${1##*/} set=$2 options=() words
    [ "$set" = - ] || options=(--param "$set")
    if words=$(build/warplock check "$unit" "${options[@]}" --backend c+golden --steps "$3" 2>&1 | grep -v 'M steps/s$'); grep -q '^PASS' <<<"$words"; then
        echo "ok    $unit $set"
    else
        printf '%s\n' "FAIL  $unit $set" "$words"
    fi
}
export -f one

log=$(mktemp)
trap 'rm -f "$log"' EXIT
# Standard parameters get all steps, others a tenth.
while read -r unit set; do
    [ -f "cmodel/units/$unit/${unit##*/}.golden.py" ] || continue
    echo "$unit $set $([ "$set" = - ] && echo "$steps" || echo $((steps / 10)))"
done <<<"$sets" | xargs -P "$(nproc)" -L 1 bash -c 'one "$@"' _ | tee "$log"
failed=$(grep -c '^FAIL' "$log")
echo "$(grep -c '^ok' "$log") passed, $failed failed"
[ "$failed" = 0 ]
