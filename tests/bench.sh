#!/usr/bin/env bash
# bench.sh - speed, two things compared in one run: medians of five.
set -eu
cd "$(dirname "$0")/.."
rate() { # M steps/s of a check, median of five
    for _ in 1 2 3 4 5; do
        build/warplock check "$@" --json 2>/dev/null | grep -o '"steps_per_second": [0-9.]*' | grep -o '[0-9.]*$'
    done | sort -g | sed -n 3p | awk '{printf "%.2f", $1 / 1e6}'
}
printf '%-18s %10s %10s %10s %14s\n' "M steps/s" c rtl lockstep "lockstep / c"
for unit in fup20 fup28 pmod icm_monitor; do
    c=$(rate $unit --backend c --steps 20000000)
    rtl=$(rate $unit --backend rtl --steps 10000000)
    both=$(rate $unit --backend lockstep --steps 10000000)
    printf '%-18s %10s %10s %10s %13.2f\n' $unit "$c" "$rtl" "$both" "$(awk "BEGIN {print $both / $c}")"
done
