#!/usr/bin/env bash
# experiments.sh - every experiment of the tree can be read, and each of its schemes plugs into the
# experiment's machine: a workload of no interest is run under it.
set -u
cd "$(dirname "$0")/.."
bad=0
say() { echo "experiments: $*"; bad=1; }
# machine, mechanisms (a parameter in them at its first value), settings and the first experiment that
# has the three, between bars
schemes() {
    for file in experiments/*/*.json; do
        [ "${file#experiments/metrics/}" = "$file" ] || continue
        jq -r --arg file "$file" '.machine as $machine | (.parameters // []) as $parameters
            | .schemes[] | select(.best_of == null)
            | [$machine, (reduce $parameters[] as $p (.mechanisms;
                if . != null and $p.values != null
                then gsub("\\{\($p.name)\\}"; $p.values[0] | tostring) else . end)), ((.set // []) | map("--set " + .) | join(" ")), $file] | join("|")' "$file"
    done | sort -t '|' -u -k1,3
}
n=0
while IFS='|' read -r machine mechanisms settings file; do
    n=$((n + 1))
    # shellcheck disable=SC2086
    timeout 60 build/warplock run -w vecadd --size tiny -c "$machine" -m "$mechanisms" $settings >build/experiments.out 2>&1 ||
        { say "$file: -m '$mechanisms' $settings"; tail -n 2 build/experiments.out; }
done < <(schemes)
[ $n -gt 100 ] || say "only $n schemes found"
build/warplock list experiments | grep -q ' No such\|\.json' && say "an experiment is refused: $(build/warplock list experiments | grep '\.json')"
# Each can be swept: its metrics name counters that its runs have.  (Listed, not run.)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
swept() { build/warplock sweep -q --on=list -d "$work/list.db" "$1" >/dev/null 2>"$work/said" || { echo "$1: $(head -n 1 "$work/said")"; return 1; }; }
for file in experiments/*/*.json; do
    [ "${file#experiments/metrics/}" = "$file" ] || continue
    said=$(swept "$file") || say "$said"
done
# It must see one whose metric is of no mechanism that it runs.
mkdir "$work/planted"
jq '.metrics += ["../metrics/leases.json"]' experiments/tabbakh2018-coherence/tabbakh2018-ch2.json >"$work/planted/planted.json"
cp -r experiments/metrics "$work/metrics"
swept "$work/planted/planted.json" >"$work/out" && say "a metric whose counter no run has is not found"
grep -q "no counter 'mechanisms.tc.expired_misses'" "$work/out" || say "of a metric without a counter it is said: $(cat "$work/out")"
exit $bad
