#!/usr/bin/env bash
# sweep.sh - experiments that are wrong are refused with file, line and remedy; a sweep runs what
# is not there, and nothing twice; status, results, diff and timeline say what ran.
set -u
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
say() { echo "sweep: $*"; bad=1; }
w=$PWD/build/warplock
cd "$work" || exit 1

# ---- wrong files: one line that names file, line and what to do ----
refused() { # pattern, file's text
    printf '%b' "$2" >wrong.json
    "$w" sweep wrong.json -q -d wrong.db >out 2>&1
    local status=$?
    [ $status = 2 ] && [ "$(wc -l <out)" = 1 ] && grep -qE -- "wrong.json:$1" out && [ ! -s wrong.db ] || { say "expected 2 and wrong.json:$1, got $status:"; cat out; }
    rm -rf wrong.db*
}
whole() { # machine, workloads, metric's expression, schemes, more
    printf '{"title": "t",\\n "machine": "%s",\\n "size": "tiny", "workloads": %s,\\n "metrics": [{"name": "m", "of": "%s"}],\\n "schemes": %s,\\n%s}\\n' "$1" "$2" "$3" "$4" "${5:-\"baseline\": \"a\"}"
}
cycles=statistics.cycles
one='[{"name": "a"}]'
refused "3: no workload 'nope'; .warplock list workloads"      "$(whole fermi15 '["nope"]' $cycles "$one")"
refused "3: .*size" "$(whole fermi15 '["vecadd:huge"]' $cycles "$one")"
refused "2: .*nope.ini" "$(whole nope '["vecadd"]' $cycles "$one")"
refused "4: 'of' of the metric 'm': no counter 'statistics.circles'" "$(whole fermi15 '["vecadd"]' statistics.circles "$one")"
refused "5: scheme 'b': .*fup21" "$(whole fermi15 '["vecadd"]' $cycles '[{"name": "a"}, {"name": "b", "mechanisms": "fup21"}]')"
refused "4: .*mechanisms.caps.lods" "$(whole fermi15 '["vecadd"]' mechanisms.caps.lods "$one")"
refused "6: there is no scheme 'x'" "$(whole fermi15 '["vecadd"]' $cycles "$one" '"baseline": "x"')"
swept() { whole fermi15 '["vecadd"]' $cycles '[{"name": "a", "set": ["l1d.mshrs={p}"]}]' "\"parameters\": [\\n $1]"; }
refused "7: 'q' and 'p' are made of each other" "$(swept '{"name": "p", "of": "q + 1"}, {"name": "q", "of": "p + 1"}')"
refused "7: 'p' and 'p' are made of each other" "$(swept '{"name": "p", "of": "p + 1"}')"
refused "7: 'p' is made of 'r', which is no parameter" "$(swept '{"name": "p", "of": "r + 1"}')"
refused "7: 'values' must be a list of 1 or more" "$(swept '{"name": "p", "values": []}')"
refused "7: the range is empty" "$(swept '{"name": "p", "from": 8, "to": 4}')"
refused "7: the range has more than 1000000 values" "$(swept '{"name": "p", "from": 1, "to": 1e9}')"
refused "9: up to here the sweep has 1000000 times 1000 settings" "$(swept '{"name": "p", "from": 1, "to": 1000},\n {"name": "q", "from": 1, "to": 1000},\n {"name": "r", "from": 1, "to": 1000}')"
refused "8: nothing uses the parameter 'q'" "$(swept '{"name": "p", "values": [1]},\n {"name": "q", "values": [1]}')"
refused "5: scheme 'a' at r=fup21: .*fup21" "$(whole fermi15 '["vecadd"]' $cycles '[{"name": "a", "mechanisms": "{r}"}]' '"parameters": [{"name": "r", "values": ["fup20", "fup21"]}]')"
refused "5: scheme 'a' at d=9: .*caps.*drop" "$(whole caps '["vecadd"]' $cycles '[{"name": "a", "mechanisms": "caps:drop={d}"}]' '"parameters": [{"name": "d", "values": [1, 9]}]')"
refused "5: '\{p' has no end; write \{p\}" "$(whole fermi15 '["vecadd"]' $cycles '[{"name": "a", "set": ["l1d.mshrs={p"]}]' '"parameters": [{"name": "p", "values": [1]}]')"
refused "5: there is no parameter 'p'" "$(swept '{"name": "q", "values": [1]}')"
refused "8: this has 1 values, the one before it 2" "$(swept '{"zip": [{"name": "p", "values": [1, 2]},\n {"name": "q", "values": [3]}]}')"
refused "6: 'seeds' is empty" "$(whole fermi15 '["vecadd"]' $cycles "$one" '"seeds": []')"
refused "5: .*l1d.mshrs" "$(swept '{"name": "p", "values": [0]}')"
refused "6: .*expected near" "$(whole fermi15 '["vecadd"]' $cycles "$one" '"seeds": [1')"

# ---- what is there is not run again, what changed is ----
cat >some.json <<'EOT'
{
  "title": "some", "machine": "fermi15", "size": "tiny",
  "parameters": [{"zip": [{"name": "mshrs", "values": [8, 16]}, {"name": "warps", "values": [48, 24]}]},
                 {"name": "twice", "of": "2 * mshrs"}],
  "workloads": ["vecadd", "spmv"],
  "metrics": [{"name": "cycles", "of": "statistics.cycles", "mean": "arithmetic", "digits": 0}],
  "schemes": [{"name": "base"}, {"name": "swept", "set": ["l1d.mshrs={mshrs}", "sm.warps={warps}", "l2.mshrs={twice}"]}],
  "limits": {"seconds": 100, "memory_mb": 4000}
}
EOT
ran() { "$w" sweep "$@" -d some.db 2>err >out || { say "sweep $*: $(cat err)"; }; db "SELECT count(*) FROM point"; }
db() { sqlite3 -readonly some.db "$1"; }
[ "$(ran some.json)" = 6 ] || say "2 runs of base and 4 that are swept are 6"
before=$(db "SELECT group_concat(key || ended || seconds) FROM point ORDER BY key")
[ "$(ran some.json)" = 6 ] && [ "$before" = "$(db "SELECT group_concat(key || ended || seconds) FROM point ORDER BY key")" ] || say "points ran again"
sed -i 's/"values": \[8, 16\]/"values": [8, 12]/' some.json
[ "$(ran some.json)" = 8 ] || say "one changed value of two workloads is two more points"
# The same numbers as the runs themselves.
n=0
while IFS='|' read -r command cycles; do
    n=$((n + 1))
    alone=$(eval "${command/warplock/$w} --json -" | sed -n '/^{/,$p' | jq .statistics.cycles)
    [ "$alone" = "${cycles%.*}" ] || say "$command gives $alone, the sweep $cycles"
done < <(db 'SELECT p.command, cycles FROM "metrics some" JOIN point p USING (key) ORDER BY p.key LIMIT 3')
[ $n = 3 ] || say "no points to run alone"
[ "$("$w" results some.json -d some.db --csv | wc -l)" = 9 ] || say "the CSV has not 8 lines and a head"
"$w" results -d some.db --sql 'SELECT points, done, failed FROM progress' | grep -qx '6,6,0' || say "SQL"
key=$(db 'SELECT key FROM statistics LIMIT 1')
"$w" results -d some.db --point "${key:0:10}" | jq -e .statistics.cycles >/dev/null || say "--point"
sed 's/arithmetic/harmonic/' some.json >other.json && mv other.json some.json
"$w" results some.json -d some.db 2>&1 | grep -q 'has changed since its sweep' || say "results of a changed file"
[ "$(ran some.json)" = 8 ] || say "another mean is no other run"

# ---- a program is its sources, as far as runs depend on them, not its bytes ----
other=${w%warplock}warplock-other-$$
trap 'rm -rf "$work" "$other"' EXIT
cp "$w" "$other" && printf 'another build' >>"$other"
w=$other
[ "$(ran some.json)" = 8 ] || say "the same sources built otherwise are another program"
w=${w%-other-$$}
mkdir tree && (cd "${w%/build/warplock}" && cp -r Makefile cmodel tb synth tests rtl "$work/tree/")
code_after() { # file to change
    echo '/* changed */' >>"tree/$1" && make -s -C tree build/run_code.txt && tr -d '\0' <tree/build/run_code.txt
}
codes=$(for file in cmodel/cli/cmd_check.c cmodel/sweep/plan.c cmodel/cli/cmd_check.c cmodel/machine/gpu.h cmodel/base/set.h cmodel/mechanisms/mechanism.h; do code_after "$file"; echo; done)
[ "$(tr ' ' '\n' <<<"$codes" | uniq -c | awk '{print $1}' | xargs)" = "3 1 1 1" ] || say "which sources the code of runs is made of: $codes"

# ---- several experiments are one sweep: a point of two of them is run once, and measured for both ----
sed 's/"title": "some"/"title": "less"/; s/"name": "cycles"/"name": "time"/; s/, "spmv"//' some.json >less.json
"$w" sweep some.json less.json -q -d both.db || say "two experiments"
[ "$(sqlite3 both.db 'SELECT count(*) FROM point')" = 6 ] || say "points of two experiments are not those of the first"
[ "$(sqlite3 both.db 'SELECT count(*) FROM "metrics less" l JOIN "metrics some" s USING (key) WHERE l.time = s.cycles')" = 3 ] || say "a point of two experiments is not measured for both"
"$w" sweep some.json less.json -q -d both.db --on list | grep -q . && say "two experiments that have run have commands"
"$w" sweep less.json some.json -q -d listed.db --on list >commands
[ "$(wc -l <commands)" = 6 ] && [ "$(sort -u commands | wc -l)" = 6 ] || { say "not the 6 commands of two experiments:"; cat commands; }
sed 's/"vecadd"/"nope"/' less.json >bad.json
"$w" sweep some.json bad.json -q -d none.db >out 2>&1; [ $? = 2 ] && grep -q "bad.json:.*'nope'" out && [ ! -e none.db ] || { say "a wrong experiment behind a good one:"; cat out; }
mkdir -p twin && cp less.json twin/some.json
"$w" sweep some.json twin/some.json -q -d none.db >out 2>&1; [ $? = 2 ] && [ "$(cat out)" = "warplock: twin/some.json: there is another experiment 'some' before it; a sweep has each name once" ] || { say "one name twice:"; cat out; }
"$w" sweep --all some.json -d none.db >out 2>&1; [ $? = 2 ] && grep -q 'or --all' out || { say "--all and a name:"; cat out; }

# ---- a cluster; this one runs what is submitted at once.  Progress counts every point once ----
printf '#!/bin/sh\n' >squeue
cat >sbatch <<'EOT'
#!/bin/bash
for word in "$@"; do case $word in --array=0-*) last=${word#--array=0-} ;; esac; done
for task in $(seq 0 "$last"); do SLURM_ARRAY_TASK_ID=$task sh "$word"; done >&2
echo 1
EOT
chmod +x squeue sbatch
PATH=$work:$PATH "$w" sweep less.json some.json --on slurm -d slurm.db 2>err || { say "--on slurm:"; cat err; }
"$w" status -d slurm.db | grep -q '^all  *6  *6  *0  *0 ' && [ "$(tail -n 1 err)" = "6 of 6 points, 0 running, 0 failed" ] || { say "a cluster's points:"; cat err; }

# ---- some kernels alone take time ----
cat >timed.json <<'EOT'
{"title": "t", "machine": "fermi15", "size": "tiny", "workloads": ["bfs"], "timed": true,
 "metrics": [{"name": "cycles", "of": "statistics.cycles", "mean": "arithmetic", "digits": 0},
             {"name": "one", "launches": ["bfs_expand"], "of": "launch.cycles"}], "schemes": [{"name": "a"}]}
EOT
sed '1s/ "timed": .*//' timed.json >all.json
"$w" sweep timed.json -q -d timed.db && "$w" sweep all.json -q -d timed.db || say "timed kernels"
cycles_of() { "$w" run -w bfs --size tiny -c fermi15 "$@" --json - | sed -n '/^{/,$p' | jq .statistics.cycles; }
sqlite3 timed.db 'SELECT CAST(t.cycles AS INT), CAST(a.cycles AS INT) FROM "metrics timed" t, "metrics all" a' >out
[ "$(cat out)" = "$(cycles_of --timed bfs_expand)|$(cycles_of)" ] || { say "cycles of timed kernels and of all:"; cat out; }

# ---- limits and failures stay visible ----
cat >fail.json <<'EOT'
{"title": "f", "machine": "fermi15", "workloads": ["atax:doc"], "limits": {"seconds": 1},
 "metrics": [{"name": "cycles", "of": "statistics.cycles"}],
 "schemes": [{"name": "a"}, {"name": "small", "set": ["sm.warps=16"]}]}
EOT
cp fail.json huge.json && sed -i 's/"seconds": 1/"memory_mb": 30/; s/:doc/:tiny/' huge.json
"$w" sweep fail.json -q -d fail.db || say "a sweep with failed points ends with $?"
"$w" sweep huge.json -q -d fail.db || say "a sweep with failed points ends with $?"
"$w" status -d fail.db >out && say "status of failed points is 0"
grep -q 'longer than its limit of 1 s' out && grep -q 'warplock run -w atax --size doc' out || { say "the reason of a failure:"; cat out; }
[ "$(sqlite3 fail.db "SELECT count(*) FROM failed WHERE command LIKE '%tiny%'")" -ge 1 ] || say "30 MB are enough for a run"
"$w" results fail.json -d fail.db >/dev/null 2>err; [ $? = 1 ] && grep -q 'runs failed; run one alone' err || say "results with failed points"
n=$(sqlite3 fail.db "SELECT count(*) FROM failed")
sed -i 's/"seconds": 1/"seconds": 300/; s/:doc"/:tiny"/' fail.json
"$w" sweep fail.json -q --retry -d fail.db && [ "$(sqlite3 fail.db "SELECT count(*) FROM failed")" -lt "$n" ] || say "--retry"

# ---- commands for another engine ----
"$w" sweep some.json -q -d list.db --on list >commands || say "--on list"
[ "$(wc -l <commands)" = 6 ] || say "not 6 commands"
xargs -d '\n' -P 2 -I{} sh -c '{}' <commands || say "a command of the list failed"
"$w" sweep some.json -q -d list.db --on list | grep -q . && say "the list still has commands"
cp some.json again.json && "$w" sweep again.json -q -d list.db && "$w" status -d list.db >out
# Two experiments of the same points take what their points took, once.
[ "$(awk '{print $1, $2, $3, $4, $5}' out)" = "$(printf '%s\n' 'experiment points done failed missing' 'again 6 6 0 0' 'some 6 6 0 0' 'all 6 6 0 0')" ] || { say "status:"; cat out; }
took=$(sqlite3 list.db "SELECT sum(seconds) FROM point")
"$w" status -d list.db --json | jq -e ".all.seconds - $took | fabs < 1e-6" >/dev/null || say "status has not the $took s of all points"
"$w" diff some.db list.db >out
grep -q '^[0-9]* counters of 6 runs compared, 0 differ; 2 runs are in A only' out || { say "diff of databases:"; cat out; }

# ---- diff of runs, timeline ----
"$w" run -w spmv --size tiny -m caps -c caps --json a.json --timeline t.json >/dev/null || say "timeline"
"$w" run -w spmv --size tiny -m caps -c caps --json b.json >/dev/null
"$w" diff a.json b.json >out || { say "a timeline changes statistics:"; cat out; }
jq '.statistics.cycles = 2 * .statistics.cycles | .statistics.sm_total.stores += 1' a.json >c.json
"$w" diff a.json c.json >out; [ $? = 1 ] && sed -n 2p out | grep -q 'statistics.cycles .* +100.00 %' && grep -q ' 2 differ' out || { say "diff:"; cat out; }
# Slices of the schedulers are the slots that the statistics count, those of kernels their cycles.
issued=$(jq '[.traceEvents[] | select(.ph == "X" and .name == "issued") | .dur] | add' t.json)
[ "$issued" = "$(jq '[.statistics.issue_slots[].issued] | add' a.json)" ] || say "the timeline has $issued slots issued"
kernels=$(jq -c '[.traceEvents[] | select(.ph == "X" and .pid == 1) | [.name, .ts, .dur]]' t.json)
[ "$kernels" = "$(jq -c '[.statistics.launches[] | [.kernel, .start_cycle, .end_cycle - .start_cycle]]' a.json)" ] || say "kernels of the timeline: $kernels"
jq -e '[.traceEvents[] | select(.ph == "i")] | length > 0' t.json >/dev/null || say "the timeline has no event of a mechanism"
# A window shows what the whole run has in it, and nothing of the time after; every event is as the
# trace event format has it: slices of a track nest, counters are numbers in the order of time.
"$w" run -w spmv --size tiny -m caps -c caps --timeline part.json --timeline-window 640:1280 >/dev/null || say "a window"
python3 - <<'EOT' || bad=1
import collections, json, sys
bad = 0
def say(what):
    global bad
    print('sweep: the timeline', what); bad = 1
def read(name):
    events, tracks, counters = json.load(open(name))['traceEvents'], collections.defaultdict(list), collections.defaultdict(list)
    for e in events:
        if not isinstance(e['name'], str) or type(e['pid']) is not int: say(f'has {e}')
        if e['ph'] == 'M': continue
        if type(e['ts']) is not int or e['ts'] < 0: say(f'has the time {e["ts"]}')
        if e['ph'] == 'X': tracks[e['pid'], e['tid']].append((e['ts'], -e['dur']))
        elif e['ph'] == 'C': counters[e['pid'], e['name']].append((e['ts'], e['args']['value']))
        elif e['ph'] != 'i' or e['s'] not in ('g', 'p', 't'): say(f'has {e}')
    for track, slices in tracks.items():
        open_until = []
        for ts, dur in sorted(slices):
            if dur >= 0: say(f'has a slice of {-dur} in {track}')
            while open_until and open_until[-1] <= ts: open_until.pop()
            if open_until and open_until[-1] < ts - dur: say(f'has slices that overlap in {track} at {ts}')
            open_until.append(ts - dur)
    for counter, levels in counters.items():
        if [t for t, _ in levels] != sorted({t for t, _ in levels}): say(f'has {counter} out of order')
    return counters
def at(levels, ts): return ([0] + [v for t, v in levels if t <= ts])[-1]
whole, part = read('t.json'), read('part.json')
n = 0
for counter, levels in part.items():
    if counter[0] == 2:
        n += 1
        if max(t for t, _ in levels) > 1344: say(f'goes on after its window with {counter}')
        for ts in range(640, 1281, 64):
            if any(t <= ts for t, _ in levels) and at(levels, ts) != at(whole[counter], ts): say(f'has {counter} {at(levels, ts)} at {ts}, {at(whole[counter], ts)} without a window')
        if levels[-1][1] > at(whole[counter], 1344): say(f'ends with {counter} at {levels[-1][1]}, later in the run')
if n < 3: say(f'shows {n} counters of mechanisms in its window')
sys.exit(bad)
EOT
exit $bad
