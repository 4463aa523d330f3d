#!/usr/bin/env bash
# cuda.sh - CUDA programs run unchanged: every program of tests/cuda, compiled by nvcc, passes its own
# check on the simulated GPU; forms of fat binaries; what cannot run says why.  Without nvcc only the
# library's names are looked at; test_cuda_fatbin reads fat binaries everywhere.
set -u
cd "$(dirname "$0")/.."
root=$PWD library=build/cuda/libcudart.so.13
[ -f "$library" ] || { echo "cuda: no $library here (x86-64 Linux has it): skipped"; exit 0; }
bad=0
say() { echo "cuda: $*"; bad=1; }

# All names of CUDA 13's library, and few others (those that older programs ask for).
missing=$(comm -23 <(cut -d, -f1 cmodel/cuda/symbols.csv | grep cuda | sort) \
    <(nm -D --defined-only "$library" | awk '$2 == "T" {sub(/@.*/, "", $3); print $3}' | sort))
[ -z "$missing" ] || say "the library lacks $(head -3 <<<"$missing" | tr '\n' ' ')"
for version in 13 12 11.0; do
    readelf -d "build/cuda/libcudart.so.$version" | grep -q "SONAME.*\[libcudart.so.$version\]" || say "soname of $version"
    readelf --dyn-syms -W "build/cuda/libcudart.so.$version" | grep -q " cudaMalloc@@libcudart.so.$version" || say "version node of $version"
done

nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null)
[ -n "$nvcc" ] || { echo "cuda: no nvcc here: programs are not compiled"; exit $bad; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
compile() { # OUTPUT ARGUMENTS...
    local out=$1; shift
    nice "$nvcc" -std=c++17 -cudart shared "$@" -o "$work/$out" >"$work/log" 2>&1 || { say "nvcc $*"; head -5 "$work/log"; }
}
run() { # PROGRAM ARGUMENTS...
    local program=$1; shift
    timeout 120 build/warplock cuda -q --capability 80 -- "$work/$program" "$@" >"$work/out" 2>"$work/err"
}
run90() {
    local program=$1; shift
    timeout 120 build/warplock cuda -q --capability 90 -- "$work/$program" "$@" >"$work/out" 2>"$work/err"
}
ptx=(-gencode arch=compute_75,code=compute_75)
styles='atax covariance fdtd needle pathfinder lud kmeans hotspot reduction spmv triad radixsort nbody hashtable life
    blackscholes transpose groups montecarlo compact fft convolution'
for program in ${CUDA_PROGRAMS:-$styles params managed errors fault printf gridsync streams lock starve assert matmul histogram scan stencil bfs bitonic device virtual wmma texture graphs speed bounds packed}; do
    compile "$program" "${ptx[@]}" "tests/cuda/$program.cu"
    run "$program" && grep -q '^PASSED$' "$work/out" || { say "$program fails"; tail -n 3 "$work/out" "$work/err"; }
done
# Registers are those of the machine code where there is some.
compile registers -gencode arch=compute_75,code=[sm_75,compute_75] -Xptxas -v tests/cuda/registers.cu
want=$(sed -n 's/.*Used \([0-9]* registers\).*/\1/p' "$work/log")
run registers && [ -n "$want" ] && grep -q "^$want$" "$work/out" || { say "registers of machine code, $want"; cat "$work/out" "$work/err"; }
# What needs compute_80.
for program in ${CUDA_PROGRAMS_80:-tensor async}; do
    compile "$program" -gencode arch=compute_80,code=compute_80 "tests/cuda/$program.cu"
    run "$program" && grep -q '^PASSED$' "$work/out" || { say "$program fails"; tail -n 3 "$work/out" "$work/err"; }
done
# What needs compute_90: bulk copies, numbers of 8 bits.
for program in ${CUDA_PROGRAMS_90:-bulk narrow packed}; do
    compile "$program" -gencode arch=compute_90,code=compute_90 "tests/cuda/$program.cu"
    run90 "$program" && grep -q '^PASSED$' "$work/out" || { say "$program fails"; tail -n 3 "$work/out" "$work/err"; }
done
run90 bulk askew && grep -q 'misaligned bulk copy of 16 bytes' "$work/err" || { say "a bulk copy askew"; cat "$work/out" "$work/err"; }
# Machines with operand collectors run cp.async, too.
timeout 120 build/warplock cuda -q -c qv100-trace --capability 80 -- "$work/async" >"$work/out" 2>"$work/err" || { say "async behind collectors"; cat "$work/out" "$work/err"; }
# Without a machine the results are the same.
for program in $styles gridsync lock texture matmul; do
    [ -x "$work/$program" ] || continue
    timeout 60 build/warplock cuda -q --untimed -- "$work/$program" >"$work/out" 2>"$work/err" && grep -q '^PASSED$' "$work/out" || { say "--untimed $program"; tail -n 3 "$work/out" "$work/err"; }
done
for kind in trap align; do
    run fault $kind || { say "fault $kind"; tail -n 3 "$work/out" "$work/err"; }
done
grep -q 'kernel _Z5askewPc.*misaligned address.*thread (0,0,0)' "$work/err" || say "a fault does not name kernel, address and thread"
run assert && grep -qF 'assert.cu:6: void check(int): block: [1,0,0], thread: [3,0,0] Assertion' "$work/err" || say "no line of an assertion"
run printf && grep -qF 'c -7 1.500000 2.25 1099511627776 two 50%' "$work/out" || say "printf's conversions"

# --check finds what is planted, with the CUDA line, and nothing in a program that is right.
compile check -lineinfo "${ptx[@]}" tests/cuda/check.cu
while read -r fault kind line; do
    timeout 120 build/warplock cuda -q --check memory,race,init,race-global -- "$work/check" "$fault" >"$work/out" 2>"$work/err"
    [ $? = 1 ] && grep -q "check: $kind: kernel .*(check.cu:$line): .*thread (" "$work/err" || { say "--check: $fault"; cat "$work/err"; }
done <<'FAULTS'
past_global memory 19
past_shared memory 27
misaligned memory 32
race_warps race 39
race_lanes race 47
race_reads_first race 57
race_one_store race 64
race_lock race 87
race_blocks race 97
init_shared init 75
init_global init 12
FAULTS
for program in "check clean" $styles histogram matmul bitonic scan lock gridsync async bulk; do
    [ -x "$work/${program%% *}" ] || continue # CUDA_PROGRAMS chose others
    timeout 120 build/warplock cuda -q --capability 90 --check memory,race,init,race-global -- "$work/"$program >"$work/out" 2>"$work/err" || { say "--check: $program"; cat "$work/err"; }
done

# Two translation units linked by their PTX; each form of compression; resolved at start; machine code only.
compile rdc -rdc=true "${ptx[@]}" tests/cuda/rdc_main.cu tests/cuda/rdc_part.cu
run rdc || { say "a program of two units"; tail -n 3 "$work/out" "$work/err"; }
for mode in none speed size; do
    compile "mode_$mode" "${ptx[@]}" --compress-mode=$mode -Xlinker -z,now tests/cuda/fault.cu
    run "mode_$mode" || { say "compression $mode"; tail -n 3 "$work/out" "$work/err"; }
done
compile machine -gencode arch=compute_75,code=sm_75 tests/cuda/fault.cu
run machine && say "a program without PTX passes"
grep -q 'machine code only.*rebuild with -gencode' "$work/err" || say "no word about a program without PTX"
nice "$nvcc" "${ptx[@]}" tests/cuda/fault.cu -o "$work/static" >/dev/null 2>&1
run static
[ $? = 2 ] && grep -q -- '-cudart shared' "$work/err" || say "no word about a static runtime"

# Statistics are the machine's, and no output of the program's.
run params
(cd "$work" && timeout 60 "$root/build/warplock" cuda -m fup20 --json out.json --kernels out.csv -- ./params >out 2>err)
[ "$(cat "$work/out")" = PASSED ] || say "standard output is not the program's alone"
[ "$(jq -r .verdict "$work/out.json")" = PASS ] && [ "$(wc -l <"$work/out.csv")" = 4 ] || say "statistics of a program"
[ $bad = 0 ] && echo "cuda: all programs pass"
exit $bad
