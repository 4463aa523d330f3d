#!/usr/bin/env bash
# trace.sh [SHARD OF] - the two front ends check each other: every workload is run from PTX
# and dumped as a SASS trace, the trace is run, from text and from containers, and all statistics
# must be equal, byte by byte.  Where the format cannot say all that PTX says (`bent`), what does not depend on
# timing must be equal and the cycles within 2 %.  SHARD/OF splits the list for parallel runs.
set -u
cd "$(dirname "$0")/.."
. tests/workloads.inc
shard=${1:-0} of=${2:-1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0 n=0
w=build/warplock
configs=${CONFIGS:-fermi15 caps}
workloads=${WORKLOADS:-$(all_workloads)}
# lavamd: its st.global.v4 has five sources, of which a trace names four.
bent=" lavamd "
# Counters that no cycle can change: instructions, requests of loads and stores, lines.
timeless='"(warp_instructions|thread_instructions|ctas|barriers|fences|loads_[a-z]*|stores|atomics|shared_[a-z_]*|(load|store|atomic)_accesses[a-z_]*)"'

# run NAME OPTIONS...: statistics to $work/NAME.json, without what only a trace has.
run() {
    local name=$1; shift
    if ! timeout 300 $w run "$@" --json "$work/raw" >"$work/out" 2>&1; then
        echo "trace: warplock run $*:"; tail -n 12 "$work/out"; bad=1; return 1
    fi
    sed '/^ "trace": {/,/^ },/d' "$work/raw" >"$work/$name.json"
}
same() { cmp -s "$work/$1.json" "$work/$2.json" || { echo "trace: $3: statistics differ"; bad=1; }; }
cycles() { grep -m1 -o '"cycles": [0-9]*' "$work/$1.json" | grep -o '[0-9]*'; }

close() { # for the bent ones
    for end in ptx sass; do
        sed -n '/"sm_total": {/,/}/p' "$work/$end.json" | grep -oE "$timeless: [0-9]*" >"$work/$end"
    done
    [ -s "$work/ptx" ] && cmp -s "$work/ptx" "$work/sass" || { echo "trace: $1: counts differ:"; diff "$work/ptx" "$work/sass" | head; bad=1; }
    awk -v a="$(cycles ptx)" -v b="$(cycles sass)" 'BEGIN {exit !(b > 0.98 * a && b < 1.02 * a)}' ||
        { echo "trace: $1: $(cycles ptx) cycles from PTX, $(cycles sass) from the trace"; bad=1; }
}

for config in $configs; do
    for workload in $workloads; do
        n=$((n + 1))
        [ $((n % of)) = "$shard" ] || continue
        rm -rf "$work/trace"
        at=(-w "$workload" --size tiny -c "$config")
        trace=(--trace "$work/trace/kernelslist.g" -c "$config")
        together "$workload" && at+=(-m no-l1) && trace+=(-m no-l1)
        run ptx "${at[@]}" --dump-trace "$work/trace" || continue
        run sass "${trace[@]}" || continue
        if [[ $bent = *" $workload "* ]]; then close "${at[*]}"; else same ptx sass "${at[*]}"; fi
        # The same as containers, on two threads; and back again.
        rm -rf "$work/packed" "$work/unpacked"
        $w trace convert "$work/trace/kernelslist.g" "$work/packed" --to=tracez >"$work/out" 2>&1 &&
            $w trace convert "$work/packed/kernelslist.g" "$work/unpacked" --to=traceg >"$work/out" 2>&1 &&
            diff -r "$work/trace" "$work/unpacked" >"$work/out" || { echo "trace: ${at[*]}: another trace out of its containers:"; head -3 "$work/out"; bad=1; }
        trace[1]=$work/packed/kernelslist.g
        run again "${trace[@]}" --threads 2 && same sass again "${at[*]}, containers, --threads 2"
    done
done
[ "$shard" = 0 ] || exit $bad
rm -rf "$work/packed"

# Dumping changes nothing, whatever the threads; compressed traces are the same traces; units
# and mechanisms see what they see from PTX.
at=(-w spmv --size tiny -c caps -m caps)
rm -rf "$work/trace"
run plain "${at[@]}" && run ptx "${at[@]}" --dump-trace "$work/trace" && same plain ptx "${at[*]} (dumping)"
run again "${at[@]}" --threads 2 --dump-trace "$work/again" && same ptx again "${at[*]} --threads 2"
diff -r "$work/trace" "$work/again" >/dev/null || { echo "trace: two threads dump another trace"; bad=1; }
run again "${at[@]}" --threads 2 --dump-trace "$work/packed" --dump-form=tracez
$w trace diff "$work/trace/kernelslist.g" "$work/packed/kernelslist.g" >"$work/out" || { echo "trace: another trace in containers:"; cat "$work/out"; bad=1; }
rm -rf "$work/packed"
at=(--trace "$work/trace/kernelslist.g" -c caps -m caps)
run sass "${at[@]}" && same ptx sass "spmv on caps, CAPS from the trace"
run again "${at[@]}" --every-cycle && same sass again "${at[*]} --every-cycle"
for pack in gzip xz "zstd -q --rm"; do
    cp -r "$work/trace" "$work/packed" && $pack "$work"/packed/*.traceg
    run again --trace "$work/packed/kernelslist.g" -c caps -m caps && same sass again "${pack%% *}"
    rm -r "$work/packed"
done
at=(--trace "$work/trace/kernelslist.g" -c wang2015-fup -m fup20)
run sass "${at[@]}" && run again "${at[@]}" -b fup20=lockstep && grep -q 'all equal' "$work/out" ||
    { echo "trace: no lockstep on a trace"; bad=1; }
exit $bad
