#!/usr/bin/env bash
# translators.sh STEPS [UNIT...] - the C model of every unit, or of the named ones, against the RTL
# in Yosys' simulator (tb/cxxrtl_binding.c), where all else reads the RTL through Verilator: the
# vectors, then random steps at the standard parameters.  Ends in a count.
set -u
cd "$(dirname "$0")/.."
steps=$1
shift
units=$(tb/rows.sh units "$@") || exit 2

one() {
    local unit=${1##*/} words
    if words=$(build/warplock check "$unit" --backend c+cxxrtl --steps "$2" 2>&1) && grep -q '^PASS' <<<"$words"; then
        echo "ok    $unit $(sed -n 's/^random *//p' <<<"$words")"
    else
        printf '%s\n' "FAIL  $unit" "$words"
    fi
}
export -f one

log=$(mktemp)
trap 'rm -f "$log"' EXIT
xargs -P "${JOBS:-$(nproc)}" -I{} bash -c 'one "$@"' _ {} "$steps" <<<"$units" | tee "$log"
failed=$(grep -c '^FAIL' "$log")
echo "$(grep -c '^ok' "$log") passed, $failed failed"
[ "$failed" = 0 ]
