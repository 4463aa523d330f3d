#!/usr/bin/env bash
# fuzz.sh UNIT [SECONDS] - level L4: libFuzzer over C model and RTL of a unit, from the corpus
# that is kept in the unit's folder, <unit>.corpus.tar.xz.  SECONDS 0: that corpus alone, once.
# KEEP=1: the kept corpus is replaced by the few short inputs that reach every branch reached; the
# same inputs give the same archive.  Leaves
# build/fuzz/unit/<unit>.json; a difference leaves a replay file in build/fail.
# Exit status: 0 none found, 1 a difference, 2 bad use, 6 it does not build.
set -u
cd "$(dirname "$0")/../.."
name=${1:-} seconds=${2:-60}
[ -n "$name" ] && [[ $seconds =~ ^[0-9]+$ ]] || { echo "fuzz.sh UNIT [SECONDS]: no unit, or '$seconds' is no number of seconds" >&2; exit 2; }
unit=$(tb/rows.sh units "$name") || exit 2
[ -f "cmodel/units/$unit/$name.c" ] || { echo "fuzz: $name has no C model (cmodel/units/$unit/$name.c) that its RTL could be compared with" >&2; exit 2; }
inputs=$(tb/ladder/inputs.sh fuzz "$name") || exit 2
out=build/fuzz/unit
kept=cmodel/units/$unit/$name.corpus.tar.xz
corpus=$out/$name
mkdir -p "$corpus" "$out/finds-$name" build/fail build/units
folder=$(flock "build/units/$name.lock" make -s -f tb/ladder/fuzz.mk UNIT="$unit" fuzz fuzz-where) || { echo "fuzz: $name does not build"; exit 6; }
[ ! -f "$kept" ] || tar -xJf "$kept" -C "$corpus" || { echo "fuzz: $kept cannot be unpacked; make it anew with KEEP=1" >&2; exit 2; }
# Long inputs to begin with: deep states need many steps.
for seed in 1 2 3; do
    LC_ALL=C awk -v seed=$seed 'BEGIN {srand(seed); for (i = 0; i < 2000; i++) printf "%c", 1 + int(rand() * 248)}' >"$corpus/long-$seed"
done
export FUZZ_REPLAY=build/fail/$name-fuzz.seq
flags=(-max_len=2048 -len_control=0 -timeout=20 -rss_limit_mb=2048 -seed=1 -print_final_stats=1 -artifact_prefix="$out/finds-$name/")
how=(-max_total_time="$seconds" "$corpus")
[ "$seconds" = 0 ] && how=(-runs=0 "$corpus")
"$folder/fuzzer" "${flags[@]}" "${how[@]}" >"$out/$name.log" 2>&1
status=$?
executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$out/$name.log")
finds=$([ $status = 0 ] && echo 0 || echo 1)
edges=$(grep -o 'cov: [0-9]*' "$out/$name.log" | tail -n 1 | grep -o '[0-9]*')
jq -n --arg unit "$name" --arg inputs "${inputs##* }" --argjson executions "${executions:-0}" --argjson seconds "$seconds" \
    --argjson paths "${edges:-0}" --argjson finds "$finds" '$ARGS.named' >"$out/$name.json"
if [ $status != 0 ]; then
    grep -E 'MISMATCH|ERROR|SUMMARY' "$out/$name.log" | head -n 3
    echo "FAIL  fuzz $name"
    exit 1
fi
if [ "${KEEP:-0}" = 1 ]; then
    few=$(mktemp -d)
    "$folder/fuzzer" -max_len=512 -use_counters=0 -merge=1 "$few" "$corpus" >>"$out/$name.log" 2>&1 &&
        tb/ladder/pack.sh "$few" "$kept"
    rm -rf "$few"
fi
echo "ok    fuzz $name: ${executions:-0} executions in $seconds s, ${edges:-0} paths, no difference"
