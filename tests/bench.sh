#!/usr/bin/env bash
# bench.sh - speed.  Every line compares two things measured in one run; medians of three.
set -eu
cd "$(dirname "$0")/.."
median() { sort -g | sed -n 2p; }

rate() { # M steps/s of a check
    for _ in 1 2 3; do
        build/warplock check "$@" --json 2>/dev/null | grep -o '"steps_per_second": [0-9.]*' | grep -o '[0-9.]*$'
    done | median | awk '{printf "%.2f", $1 / 1e6}'
}
printf '%-18s %10s %10s %10s %14s\n' "M steps/s" c rtl lockstep "lockstep / c"
for unit in fup20 fup28 pmod icm_monitor; do
    c=$(rate $unit --backend c --steps 5000000)
    rtl=$(rate $unit --backend rtl --steps 3000000)
    both=$(rate $unit --backend lockstep --steps 3000000)
    printf '%-18s %10s %10s %10s %14s\n' $unit "$c" "$rtl" "$both" "$(awk "BEGIN {printf \"%.2f\", $both / $c}")"
done

# speed WORKLOAD SIZE OPTIONS: "cycles/s warp-instructions/s"
speed() {
    local workload=$1 size=$2; shift 2
    for _ in 1 2 3; do
        build/warplock run -w "$workload" --size "$size" -c fermi15 "$@" 2>/dev/null |
            awk '/^cycles/ {c = $2} /^instructions/ {i = $2} /^speed/ {s = $2} END {printf "%.0f %.0f\n", s, i * s / c}'
    done | median
}
# The yardstick: a trace-driven C++ simulator on such a machine, cycles/s.  The target is
# fifty of it.
declare -A yardstick=([vecadd]=3300 [spmv]=3800 [bfs]=11500)
target=50
printf '\n%-12s %12s %16s %12s %12s %14s %10s\n' simulator cycles/s "warp instr/s" "2 threads" "2 / 1" "/ yardstick" target
for run in "vecadd n=1048576" "spmv doc" "bfs doc" "atax small" "gemm small"; do
    read -r workload size <<<"$run"
    read -r one instructions <<<"$(speed "$workload" "$size")"
    read -r two _ <<<"$(speed "$workload" "$size" --threads 2)"
    printf '%-12s %12s %16s %12s %12s %14s %10s\n' "$workload" "$one" "$instructions" "$two" \
        "$(awk "BEGIN {printf \"%.2f\", $two / $one}")" \
        "$(awk "BEGIN {y = ${yardstick[$workload]:-0}; if (y) printf \"%.1f\", $one / y; else printf \"-\"}")" \
        "${yardstick[$workload]:+$target}"
done

# The same kernels from PTX and from the trace dumped of them, user time; and how fast a trace
# is looked through (its first reading; --cycles 1 stops the run behind it).
user_seconds() { # COMMAND...: median user time
    local TIMEFORMAT=%U
    for _ in 1 2 3; do { time "$@" >/dev/null 2>&1; } 2>&1; done | median
}
printf '\n%-12s %16s %16s %12s %16s\n' "warp instr/s" PTX trace "trace / PTX" "trace lines/s"
for run in "vecadd n=1048576" "gemm small" "spmv class2"; do
    read -r workload size <<<"$run"
    at=(-w "$workload" --size "$size" -c fermi15) trace=(--trace build/bench.trace/kernelslist.g -c fermi15)
    rm -rf build/bench.trace
    instructions=$(build/warplock run "${at[@]}" --dump-trace build/bench.trace 2>/dev/null |
        awk '/^instructions/ {print $2}')
    awk -v name="$workload" -v i="$instructions" -v ptx="$(user_seconds build/warplock run "${at[@]}")" \
        -v trace="$(user_seconds build/warplock run "${trace[@]}")" \
        -v scan="$(user_seconds build/warplock run "${trace[@]}" --cycles 1)" \
        'BEGIN {printf "%-12s %16.0f %16.0f %12.2f %16.0f\n", name, i / ptx, i / trace, ptx / trace, i / (scan + 1e-9)}'
done
rm -rf build/bench.trace

# Share of instructions per component, counted by callgrind: repeatable on any machine.
components() { # WORKLOAD SIZE
    valgrind --tool=callgrind --callgrind-out-file=build/bench.callgrind build/warplock run \
        -w "$1" --size "$2" -c fermi15 >/dev/null 2>&1
    callgrind_annotate --auto=no --threshold=100 --show-percs=no build/bench.callgrind 2>/dev/null |
        awk -v name="$1" '/^ *[0-9,]+ +[^ ]+:/ {
            n = $1; gsub(",", "", n); part = "libc and rest"
            if ($2 ~ /gpu\/(sm|coalesce|cache|mshr|schedulers|sockets)/) part = "SM and L1D"
            else if ($2 ~ /gpu\/l2/) part = "L2"
            else if ($2 ~ /gpu\/(dram|hostmem|memory)/) part = "DRAM"
            else if ($2 ~ /gpu\/(network|msg)/) part = "network"
            else if ($2 ~ /gpu\//) part = "main loop"
            else if ($2 ~ /ptx\//) part = "PTX"
            else if ($2 ~ /workloads\//) part = "workload"
            sum[part] += n; all += n }
        END { printf "%-12s", name
              split("SM and L1D,PTX,L2,DRAM,network,main loop,workload,libc and rest", order, ",")
              for (i = 1; i <= 8; i++) printf " %s %.0f%%%s", order[i], 100 * sum[order[i]] / all, i < 8 ? "," : "\n" }'
}
printf '\nshare of instructions per component\n'
components vecadd small
components spmv small
components bfs small

# What waveforms cost: user time of one simulation, medians of three, and size of the FST.
user_seconds() { # OPTIONS
    local TIMEFORMAT=%U
    for _ in 1 2 3; do
        { time build/warplock run -w bfs --size small -c fermi15 -m gto,fup20 -b gto_sched=lockstep,fup20=lockstep "$@" >/dev/null 2>&1; } 2>&1
    done | median
}
kib() { if [ -s "$1" ]; then du -k "$1" | cut -f1; else echo -; fi; }
fst=build/bench.fst
none=$(user_seconds --past 0)
every=$(user_seconds --past 0 --every-cycle)
printf '\n%-44s %8s %8s %10s\n' "waveforms (bfs, 45 units in lockstep)" seconds ratio "FST, KiB"
line() { # NAME BASE OPTIONS
    local name=$1 base=$2 seconds; shift 2
    rm -f "$fst"
    seconds=$(user_seconds "$@")
    printf '%-44s %8s %8s %10s\n' "$name" "$seconds" "$(awk "BEGIN {printf \"%.2f\", $seconds / $base}")" "$(kib "$fst")"
}
line "nothing kept, nothing traced" "$none" --past 0
line "the last 256 steps of every unit kept" "$none"
line "one scheduler traced" "$none" --wave "$fst" --wave-unit sm0.gto0
line "one scheduler traced, with its inside" "$none" --wave "$fst" --wave-unit sm0.gto0 --wave-inside
line "all units traced" "$none" --wave "$fst"
line "the machine traced / every cycle stepped" "$every" --wave "$fst" --wave-machine
