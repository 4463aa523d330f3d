#!/usr/bin/env bash
# sweep_kill.sh [N] - a sweep whose collector or a worker is killed N times (12), at random moments:
# what is in the database stays there, nothing stands there twice, the end is what an undisturbed
# sweep gives.
set -u
cd "$(dirname "$0")/.."
kills=${1:-12}
work=$(mktemp -d)
trap 'kill -9 ${sweep:-} 2>/dev/null; rm -rf "$work"' EXIT
bad=0
say() { echo "sweep-kill: $*"; bad=1; }
w=$PWD/build/warplock
cd "$work" || exit 1
seeds=$(seq -s, 1 $((kills * 6)))
cat >many.json <<EOT
{
  "title": "many points", "machine": "fermi15", "size": "tiny", "seeds": [$seeds],
  "workloads": ["vecadd"], "metrics": [{"name": "ipc", "of": "statistics.derived.ipc"}],
  "schemes": [{"name": "GTO"}, {"name": "FUP", "mechanisms": "fup20"}]
}
EOT
points=$((kills * 12))
# Undisturbed, which tells how long it takes here, in microseconds.
began=${EPOCHREALTIME/[.,]/}
"$w" sweep many.json -q -J 2 -d whole.db || say "the undisturbed sweep failed"
whole_us=$((${EPOCHREALTIME/[.,]/} - began))
# A random moment: on the average, as many have passed by the last kill as a sweep takes.
wait_a_moment() { sleep "$(awk -v us=$whole_us -v kills="$kills" -v draw=$RANDOM 'BEGIN {printf "%.6f", 2 * us / 1e6 / kills * draw / 32768}')"; }
db() { sqlite3 -readonly killed.db "$1" 2>/dev/null; }
before=0 of_collector=0 of_workers=0
while [ $((of_collector + of_workers)) -lt "$kills" ]; do
    "$w" sweep many.json -q -J 2 -d killed.db >>out 2>&1 & sweep=$!
    # If the sweep still runs then.
    wait_a_moment
    victim=$sweep
    if [ $((RANDOM % 2)) = 0 ]; then
        worker=$(pgrep -P $sweep | shuf -n 1)
        point=$(pgrep -P "${worker:-0}" | head -n 1)
        [ $((RANDOM % 2)) = 0 ] && victim=${worker:-$sweep} || victim=${point:-${worker:-$sweep}}
    fi
    if kill -9 "$victim" 2>/dev/null; then
        [ "$victim" = $sweep ] && of_collector=$((of_collector + 1)) || of_workers=$((of_workers + 1))
    fi
    # With a worker or a point killed the sweep goes on; after a while it goes, too.
    [ "$victim" = $sweep ] || { wait_a_moment; kill -9 $sweep 2>/dev/null && of_collector=$((of_collector + 1)); }
    wait $sweep 2>/dev/null
    [ -f killed.db ] && [ -n "$(db 'SELECT 1 FROM sqlite_master LIMIT 1')" ] || continue
    now=$(db 'SELECT count(*) FROM point')
    [ "${now:-0}" -ge "$before" ] || say "$before points were there, now $now"
    before=${now:-0}
    # All points are there already: the next kills are of a sweep that begins anew.
    [ "$before" -lt "$points" ] || { rm -rf killed.db*; before=0; }
done 2>/dev/null
# Workers die with their collector, but not in the same moment: what they leave belongs to somebody.
while pgrep -f 'warplock work .*killed\.db\.work' >/dev/null; do sleep 0.1; done
"$w" sweep many.json -q --retry -d killed.db || say "the sweep does not go on: $(tail -n 1 out)"
[ "$(db 'PRAGMA integrity_check')" = ok ] || say "the database is damaged"
all="SELECT p.key, state, seed, mechanisms, hex(s.data) FROM point p JOIN statistics s USING (key) ORDER BY 1"
[ "$(db "$all" | wc -l)" = $points ] || say "$(db "$all" | wc -l) of $points points are there"
[ "$(db 'SELECT count(*) FROM statistics')" = $points ] || say "statistics stand there more than once"
cmp -s <(db "$all") <(sqlite3 -readonly whole.db "$all") || say "it holds something else than the undisturbed sweep's"
cmp -s <("$w" results many.json -d killed.db) <("$w" results many.json -d whole.db) || say "the results differ"
left=$(find killed.db.work/tmp killed.db.work/done killed.db.work/running -type f | wc -l)
[ "$left" = 0 ] || say "$left files are left in the work folder"
echo "sweep-kill: $points points, collector killed $of_collector times, workers and points $of_workers times; $before were there when it was left alone"
exit $bad
