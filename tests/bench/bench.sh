#!/usr/bin/env bash
# bench.sh [SECTION...] - speed: units simulator stages mechanisms lockstep traces containers components
# waves; all without arguments.  Every line compares things measured in one run, in turn, user time or rates,
# medians of three; its last column says which ratio.  The program's profile is of other
# workloads (cmodel/hot.mk).
set -eu
cd "$(dirname "$0")/../.."
median() { sort -g | sed -n 2p; }
ratio() { awk -v a="$1" -v b="$2" 'BEGIN {if (b > 0) printf "%.2f", a / b; else printf "-"}'; }
run=(build/warplock run -c fermi15)

# seconds NAME...: user time of the command in the array NAME, each in turn, median of three.
seconds() {
    local TIMEFORMAT=%U name turn
    rm -f "${@/#/build/bench.}"
    for turn in 1 2 3; do
        for name in "$@"; do
            local -n command=$name
            # A trace that is only looked through ends at its limit of cycles.
            { time "${command[@]}" >/dev/null 2>&1; } 2>>build/bench."$name" || [ $? = 5 ] ||
                { echo "bench: this fails: ${command[*]}" >&2; exit 1; }
        done
    done
    for name in "$@"; do
        median <build/bench."$name"
        rm build/bench."$name"
    done | paste -sd ' '
}

# under MECHANISM: the run with it in `at`; G-TSC has the stamps of a written line from DRAM.
under() {
    at=("${run[@]}" -m "$1")
    [ "$1" != gtsc-rc ] || at+=(--set l2.write=back-fetch)
}

section_units() {
    rate() { # M steps/s of a check
        for _ in 1 2 3; do
            build/warplock check "$@" --json 2>/dev/null | jq .random.steps_per_second
        done | median | awk '{printf "%.2f", $1 / 1e6}'
    }
    printf '%-18s %10s %10s %10s %14s\n' "M steps/s" c rtl lockstep "lockstep / c"
    for unit in fup20 fup28 pmod icm_monitor caps_dist gtsc_l1; do
        c=$(rate $unit --backend c --steps 2000000)
        rtl=$(rate $unit --backend rtl --steps 1000000)
        both=$(rate $unit --backend lockstep --steps 1000000)
        printf '%-18s %10s %10s %10s %14s\n' $unit "$c" "$rtl" "$both" "$(ratio "$both" "$c")"
    done
}

section_simulator() {
    speed() { # WORKLOAD SIZE OPTIONS: "cycles/s warp-instructions/s"
        local workload=$1 size=$2; shift 2
        for _ in 1 2 3; do
            "${run[@]}" -w "$workload" --size "$size" "$@" 2>/dev/null |
                awk '/^cycles/ {c = $2} /^instructions/ {i = $2} /^speed/ {s = $2} END {printf "%.0f %.0f\n", s, i * s / c}'
        done | median
    }
    printf '%-12s %12s %16s %12s %8s %14s\n' simulator cycles/s "warp instr/s" "2 threads" "2 / 1" "1 / yardstick"
    for at in "vecadd n=1048576" "spmv doc" "bfs doc" "atax small" "gemm small" "kmeans small"; do
        read -r workload size <<<"$at"
        read -r one instructions <<<"$(speed "$workload" "$size")"
        read -r two _ <<<"$(speed "$workload" "$size" --threads 2)"
        yardstick=$(awk -F, -v w="$workload" '$1 == w {print $2}' tests/bench/yardstick.csv)
        printf '%-12s %12s %16s %12s %8s %14s\n' "$workload" "$one" "$instructions" "$two" \
            "$(ratio "$two" "$one")" "$(ratio "$one" "${yardstick:-0}")"
    done
    grep '^#' tests/bench/yardstick.csv | sed 's/^# //'
}

# What the stages of an SM and the finer parts cost: the same trace on the machine without them and on
# the two that have them all.  The reading of the trace is in the time.  The yardstick has one thread; the
# last column compares two of ours with it.  Cycles a second fall as instructions a cycle rise, which stand
# beside them: bfs is there at the size of the yardstick's own suite of traces and at that of the suite here.
section_stages() {
    declare -A of
    local kinds=(fermi15 gtx480-trace qv100-trace two) kind
    speeds() { # simulated cycles a second of each kind, in turn, medians of three, in `of`
        local options
        rm -f build/bench.stages.*
        for _ in 1 2 3; do
            for kind in "${kinds[@]}"; do
                options=(-c "$kind")
                [ "$kind" != two ] || options=(-c gtx480-trace --threads 2)
                build/warplock run --trace build/bench.trace/kernelslist.g "${options[@]}" 2>/dev/null |
                    awk -v ipc="build/bench.ipc.$kind" '/^instructions/ {print $NF >ipc} /^speed/ {print $2}' >>build/bench.stages."$kind"
            done
        done
        for kind in "${kinds[@]}"; do of[$kind]=$(median <build/bench.stages."$kind"); done
        rm -f build/bench.stages.*
    }
    local all=() ratio yardstick
    row() { printf '%-10s %8s %8s %6s %8s %7s %8s %8s %8s\n' "$@"; }
    row "" fermi15 gtx480- "" qv100- gtx480/ gtx480/ qv100/ "gtx by"
    row cycles/s "" trace IPC trace fermi15 yard yard "2 / yard"
    for at in "vecadd vecadd n=65536" "spmv spmv small" "bfs/4096 bfs graph=uniform,vertices=4096,edges=24576" \
              "bfs/small bfs small" "atax atax small" "kmeans kmeans small"; do
        read -r name workload size <<<"$at"
        rm -rf build/bench.trace
        "${run[@]}" -w "$workload" --size "$size" --dump-trace build/bench.trace >/dev/null 2>&1
        speeds
        yardstick=$(awk -F, -v w="$workload" '$1 == w {print $2}' tests/bench/yardstick.csv)
        ratio=$(ratio "${of[gtx480-trace]}" "${yardstick:-0}")
        [ "$ratio" = - ] || all+=("$ratio")
        row "$name" "${of[fermi15]}" "${of[gtx480-trace]}" "$(<build/bench.ipc.gtx480-trace)" "${of[qv100-trace]}" \
            "$(ratio "${of[gtx480-trace]}" "${of[fermi15]}")" "$ratio" "$(ratio "${of[qv100-trace]}" "${yardstick:-0}")" \
            "$(ratio "${of[two]}" "${yardstick:-0}")"
    done
    printf '%s\n' "${all[@]}" | awk '{sum += $1} END {printf "gtx480-trace is %.1f times the yardstick in the mean\n", sum / NR}'
    rm -rf build/bench.trace build/bench.ipc.*
}

# What a mechanism costs the simulation; part of it is the mechanism's doing to the kernel, so
# the simulated cycles stand beside it.
section_mechanisms() {
    cycles() { "$@" 2>/dev/null | awk '/^cycles/ {print $2}'; }
    printf '%-12s %-10s %9s %9s %10s %14s\n' mechanism workload without with "with / wo" "cycles with/wo"
    for mechanism in fup20 dacache caps oaws-dyn gtsc-rc drd-spec; do
        for workload in bfs spmv; do
            under $mechanism
            without=("${run[@]}" -w $workload --size small) with=("${at[@]}" -w $workload --size small)
            read -r a b <<<"$(seconds without with)"
            printf '%-12s %-10s %9s %9s %10s %14s\n' $mechanism $workload "$a" "$b" "$(ratio "$b" "$a")" \
                "$(ratio "$(cycles "${with[@]}")" "$(cycles "${without[@]}")")"
        done
    done
}

section_lockstep() {
    printf '%-12s %-24s %9s %9s %9s %12s\n' mechanism "unit, on bfs" c rtl lockstep "lockstep / c"
    for unit in fup20:fup20 gto:gto_sched dacache:dac_stack caps:caps_dist gtsc-rc:gtsc_l1; do
        under "${unit%:*}"
        at+=(-w bfs --size tiny -b)
        c=("${at[@]}" "${unit#*:}=c") rtl=("${at[@]}" "${unit#*:}=rtl") both=("${at[@]}" "${unit#*:}=lockstep")
        read -r one two three <<<"$(seconds c rtl both)"
        printf '%-12s %-24s %9s %9s %9s %12s\n' "${unit%:*}" "${unit#*:}" "$one" "$two" "$three" "$(ratio "$three" "$one")"
    done
}

# The same kernels from PTX and from the trace dumped of them; and how fast a trace is looked
# through (its first reading; --cycles 1 stops the run behind it).
section_traces() {
    printf '%-12s %16s %16s %12s %16s\n' "warp instr/s" PTX trace "trace / PTX" "trace lines/s"
    for at in "vecadd n=1048576" "gemm small" "spmv class2"; do
        read -r workload size <<<"$at"
        rm -rf build/bench.trace
        instructions=$("${run[@]}" -w "$workload" --size "$size" --dump-trace build/bench.trace 2>/dev/null |
            awk '/^instructions/ {print $2}')
        ptx=("${run[@]}" -w "$workload" --size "$size") trace=("${run[@]}" --trace build/bench.trace/kernelslist.g)
        scan=("${trace[@]}" --cycles 1)
        read -r a b c <<<"$(seconds ptx trace scan)"
        awk -v name="$workload" -v i="$instructions" -v ptx="$a" -v trace="$b" -v scan="$c" \
            'BEGIN {printf "%-12s %16.0f %16.0f %12.2f %16.0f\n", name, i / ptx, i / trace, ptx / trace, i / (scan + 1e-9)}'
    done
    rm -rf build/bench.trace
}

# Share of instructions per room of the tree, counted by callgrind: repeatable on any machine.
section_containers() {
    local folder=build/bench.containers lines times=()
    rm -rf $folder
    "${run[@]}" -w spmv --size small --dump-trace $folder --dump-form=tracez >/dev/null 2>&1
    tests/traces/repeat.py $folder/kernel-1.tracez $folder/large.tracez "${CONTAINER_BYTES:-2e8}"
    check=(build/warplock trace check $folder/large.tracez)
    for _ in 1 2 3; do
        times+=("$(python3 -c 'import resource, subprocess, sys
subprocess.run(sys.argv[2:], stdout=open(sys.argv[1], "w"), stderr=subprocess.DEVNULL, check=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime, used.ru_maxrss)' $folder/out "${check[@]}")")
    done
    lines=$(awk '/^instructions/ {print $2}' $folder/out)
    printf '%-12s %14s %16s %10s %12s\n' containers bytes lines "max. MiB" "M lines/s"
    printf '%s\n' "${times[@]}" | median | awk -v lines="$lines" -v bytes="$(stat -c %s $folder/large.tracez)" \
        '{printf "%-12s %14s %16s %10.1f %12.2f\n", "spmv", bytes, lines, $2 / 1024, lines / $1 / 1e6}'
    rm -r $folder
}

section_components() {
    echo "share of instructions per component"
    for workload in vecadd spmv bfs; do
        valgrind --tool=callgrind --callgrind-out-file=build/bench.callgrind "${run[@]}" -w $workload --size small >/dev/null 2>&1
        callgrind_annotate --auto=no --threshold=100 --show-percs=no build/bench.callgrind 2>/dev/null |
            awk -v name=$workload '/^ *[0-9,]+ +[^ ]+:/ {
                n = $1; gsub(",", "", n); part = "libc and rest"
                if (match($2, /machine\/[a-z0-9]+\//)) part = substr($2, RSTART + 8, RLENGTH - 9)
                else if ($2 ~ /machine\//) part = "top"
                else if (match($2, /(ptx|workloads|mechanisms|base)\//)) part = substr($2, RSTART, RLENGTH - 1)
                sum[part] += n; all += n }
            END { for (part in sum) printf "%-12s %-16s %5.1f%%\n", name, part, 100 * sum[part] / all }' | sort -k1,1 -k3,3nr
        rm -f build/bench.callgrind
    done
}

section_waves() {
    local at=("${run[@]}" -w bfs --size small -m gto,fup20 -b gto_sched=lockstep,fup20=lockstep) fst=build/bench.fst
    none=("${at[@]}" --past 0)
    kept=("${at[@]}")
    one=("${at[@]}" --wave $fst --wave-unit sm0.gto0)
    inside=("${one[@]}" --wave-inside)
    all=("${at[@]}" --wave $fst)
    every=("${none[@]}" --every-cycle)
    machine=("${at[@]}" --wave $fst --wave-machine)
    kib() { "$@" >/dev/null 2>&1; if [ -s $fst ]; then du -k $fst | cut -f1; else echo -; fi; rm -f $fst; }
    line() { printf '%-44s %8s %8s %10s\n' "$1" "$2" "$(ratio "$2" "$3")" "$4"; }
    printf '%-44s %8s %8s %10s\n' "waveforms (bfs, 45 units in lockstep)" seconds ratio "FST, KiB"
    read -r n k o i a e m <<<"$(seconds none kept one inside all every machine)"
    line "nothing kept, nothing traced" "$n" "$n" "$(kib "${none[@]}")"
    line "the last 256 steps of every unit kept" "$k" "$n" "$(kib "${kept[@]}")"
    line "one scheduler traced" "$o" "$n" "$(kib "${one[@]}")"
    line "one scheduler traced, with its inside" "$i" "$n" "$(kib "${inside[@]}")"
    line "all units traced" "$a" "$n" "$(kib "${all[@]}")"
    line "the machine traced / every cycle stepped" "$m" "$e" "$(kib "${machine[@]}")"
}

section_sweep() {
    tests/bench/sweep.sh
}

sections=(units simulator stages mechanisms lockstep traces containers components waves sweep)
for section in "${@:-${sections[@]}}"; do
    declare -F "section_$section" >/dev/null || { echo "bench: no section '$section'; there are: ${sections[*]}" >&2; exit 2; }
    "section_$section"
    echo
done
