#!/usr/bin/env bash
# fuzz.sh RUNS NAME... - each fuzzer for RUNS executions from its kept corpus; a finding
# is kept in build/fuzz/finds-NAME and fails the run.
set -u
cd "$(dirname "$0")/.."
runs=$1; shift
declare -A longest=([ptx]=8192 [trace]=2048 [experiment]=2048 [tracez]=4096) # bytes of an input
bad=0
# What one execution frees is watched until its end; 256 MB of it, the standard, cost half the time.
export ASAN_OPTIONS=quarantine_size_mb=16:thread_local_quarantine_size_kb=64:${ASAN_OPTIONS:-}
for name in "$@"; do
    corpus=build/fuzz/corpus-$name
    mkdir -p "$corpus" "build/fuzz/finds-$name"
    case $name in
        ptx) cp tests/ptx/*.ptx cmodel/workloads/vecadd/*.ptx cmodel/workloads/histogram/*.ptx "$corpus" 2>/dev/null ;;
        fatbin) # the containers of the reader's test
            grep -o '"[0-9a-f]\{16,64\}"' tests/unit/test_cuda_fatbin.c | tr -d '"' |
                awk -v to="$corpus/seed" '/^50ed55ba/ {n++} {print >(to n ".hex")}'
            for seed in "$corpus"/*.hex; do perl -0777 -ne 's/\s//g; print pack("H*", $_)' "$seed" >"${seed%.hex}" && rm "$seed"; done ;;
        config) cp cmodel/machine/configs/*.ini "$corpus" ;;
        experiment) cp experiments/*/*.json "$corpus" ;;
        trace) cp tests/traces/*/kernel* "$corpus"
               for kernel in tests/traces/*/kernel-*; do
                   seed=$corpus/$(basename "$(dirname "$kernel")")
                   gzip -c "$kernel" >"$seed.gz"; xz -c "$kernel" >"$seed.xz"; zstd -qfc "$kernel" >"$seed.zst"
               done ;;
        tracez) tests/traces/tracez.py build/fuzz/tracez-seeds && cp build/fuzz/tracez-seeds/*.tracez "$corpus"
                for seed in build/fuzz/tracez-seeds/bad/*.tracez; do cp "$seed" "$corpus/bad-$(basename "$seed")"; done ;;
        sequence) head -c 2000 cmodel/units/index/icm_monitor/icm_monitor.vec >"$corpus/seed" ;;
    esac
    [ ! -d "tests/fuzz/seeds/$name" ] || cp "tests/fuzz/seeds/$name/"* "$corpus"
    if build/fuzz/"$name" -runs="$runs" -max_len="${longest[$name]:-1024}" -timeout=20 -rss_limit_mb=4096 -print_final_stats=1 \
        -artifact_prefix="build/fuzz/finds-$name/" "$corpus" >"build/fuzz/$name.log" 2>&1; then
        echo "ok    fuzz $name: $(grep -o 'number_of_executed_units: [0-9]*' "build/fuzz/$name.log" | grep -o '[0-9]*') executions, no finding"
    else
        echo "FAIL  fuzz $name:"; tail -n 30 "build/fuzz/$name.log"; bad=1
    fi
done
exit $bad
