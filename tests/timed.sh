#!/usr/bin/env bash
# timed.sh - some kernels of a program on the machine, the others untimed (--timed): values are right, those
# kernels execute what they do in a whole run, and a run in which all are named is a whole run.
set -u
cd "$(dirname "$0")/.."
test=timed
caches=()
. tests/judged.inc
instructions='[.statistics.launches[] | select(.kernel == "bfs_expand") | .warp_instructions]'
# A write-back L2, from which the others must read; an L2 that keeps nothing written; copies that stay.
for machine in '-c fermi15' '' '--set l1d.at_launch=refreshed' '-c tabbakh2018-ch4 -m drd-nospec:kernels=keep'; do
    # shellcheck disable=SC2086
    run a bfs '' $machine
    # shellcheck disable=SC2086
    run b bfs '' $machine --timed bfs_expand
    judge "$machine: bfs_expand executes something else" "(\$a | $instructions) == (\$b | $instructions)"
    judge "$machine: other launches are timed, or not counted" \
        '($b.statistics.launches | length) == ($a.statistics.kernels.bfs_expand.launches) and ($b.statistics.kernels | keys) == ["bfs_expand"]
        and ($b.statistics.launches | length) + $b.statistics.untimed_launches == ($a.statistics.launches | length)'
    # shellcheck disable=SC2086
    run b bfs '' $machine --timed bfs_commit,bfs_expand
    same "$machine: with all kernels named it is another run"
done
run b bfs '' --timed bfs_expand
grep -q '^cycles .* launches; [0-9]* others took no time$' "$work/out" || say "of the others it is said: $(grep ^cycles "$work/out")"
refused 'a name of no kernel' 'no kernel of --timed=vecad was launched; vecadd was' --timed vecad
# Of some launches the one in the middle of each few, which executes what it does in a whole run.
run a bfs ''
for n in 2 3; do
    run b bfs '' --timed bfs_expand/$n
    judge "one launch of $n of bfs_expand" "(\$b | $instructions) == (\$a | $instructions | [to_entries[] | select(.key % $n == ($n / 2 | floor)) | .value])
        and (\$b | $instructions | length) > 1 and (\$b.statistics.launches | length) + \$b.statistics.untimed_launches == (\$a.statistics.launches | length)"
done
refused 'a launch that never comes' ' launches of bfs_expand that --timed=bfs_expand/1000 looks at it takes none; give a smaller number' -w bfs --timed bfs_expand/1000
for list in bfs_expand/1 bfs_expand/0 bfs_expand/2x bfs_expand/ /2 bfs_expand/1001 ''; do
    said=$(build/warplock run -w bfs --size tiny --timed "$list" 2>&1); status=$?
    [ $status = 2 ] && [[ $said == "warplock run: --timed $list: "*[nN]ame*2*1000* || -z $list && $said == *'give 1 to 64 kernels'* ]] || say "--timed '$list': status $status, $said"
done
said=$(build/warplock run --trace x --timed vecadd 2>&1) && say 'a trace is run with --timed'
[[ $said == *'--timed goes with -w or --ptx'* ]] || say "of a trace it is said: $said"
exit $bad
