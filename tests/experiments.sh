#!/usr/bin/env bash
# experiments.sh - every experiment of the tree can be read, and each of its schemes plugs into the
# experiment's machine: a workload of no interest is run under it.
set -u
cd "$(dirname "$0")/.."
bad=0
say() { echo "experiments: $*"; bad=1; }
n=0
for file in experiments/*/*.json; do
    [ "${file#experiments/metrics/}" = "$file" ] || continue
    machine=$(jq -r .machine "$file")
    while IFS=$'\t' read -r mechanisms settings; do
        n=$((n + 1))
        # shellcheck disable=SC2086
        timeout 60 build/warplock run -w vecadd --size tiny -c "$machine" -m "$mechanisms" $settings >build/experiments.out 2>&1 ||
            { say "$file: -m '$mechanisms' $settings"; tail -n 2 build/experiments.out; }
    done < <(jq -r '.schemes[] | select(.best_of == null) | [.mechanisms, ((.set // []) | map("--set " + .) | join(" "))] | @tsv' "$file" | sort -u)
done
[ $n -gt 100 ] || say "only $n schemes found"
build/warplock list experiments | grep -q ' No such\|\.json' && say "an experiment is refused: $(build/warplock list experiments | grep '\.json')"
exit $bad
