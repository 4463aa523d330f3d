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
exit $bad
