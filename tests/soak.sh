#!/usr/bin/env bash
# soak.sh - very many random steps of every unit, C and RTL in lockstep: soak.sh STEPS UNIT...
# (no unit: all).  A unit's steps are shared out over seeds, and in turn over its standard
# parameters and every listed set.  Each piece leaves its result in build/soak and is not
# run again: the same command goes on where it was stopped, and more steps add pieces.
set -u
cd "$(dirname "$0")/.."
steps=$(printf '%.0f' "${1:-100000000}"); shift
piece=${PIECE:-5000000}
results=build/soak
mkdir -p "$results"
units=$(tb/rows.sh units "$@") || exit 2

pieces() { # "UNIT POINT SEED": POINT is "-" or K=V,K=V
    local unit point n
    for unit in $units; do
        mapfile -t point < <(echo -; tb/rows.sh set "$unit" | cut -d ' ' -f 2)
        for ((n = 0; n * piece < steps; n++)); do
            echo "$n ${unit##*/} ${point[n % ${#point[@]}]} $((n + 1001))"
        done
    done | sort -s -n -k 1,1 | cut -d ' ' -f 2-
}

one() {
    local unit=$1 point=$2 seed=$3 params=() file
    file=$results/$unit.$point.$seed.$piece
    [ -e "$file" ] && return
    [ "$point" = - ] || params=(--param "$point")
    nice -n 19 build/warplock check "$unit" "${params[@]}" --seed "$seed" --steps "$piece" \
        >"$file.part" 2>&1
    case $? in
    0) mv "$file.part" "$file" ;;
    1) mv "$file.part" "$file.failed"
       echo "FAIL $unit $point seed $seed: $file.failed" ;;
    *) echo "did not run: $unit $point seed $seed: $(tail -n 1 "$file.part")" ;;
    esac
}
export -f one
export results piece

pieces | xargs -P "${JOBS:-$(nproc)}" -L1 bash -c 'one "$@"' _

echo "unit                    pieces        steps   failed"
pieces | awk '{print $1}' | sort -u | while read -r unit; do
    done=$(find "$results" -name "$unit.*.$piece" | wc -l)
    failed=$(find "$results" -name "$unit.*.failed" | wc -l)
    printf '%-22s %7d %12d %8d\n' "$unit" "$done" $((done * piece)) "$failed"
done
[ -z "$(find "$results" -name '*.failed')" ]
