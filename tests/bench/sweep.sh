#!/usr/bin/env bash
# sweep.sh [POINTS] - what a sweep costs beside its runs, and how long a database of many points
# (100000) takes to show: results as CSV, status, the report.  All but the first runs are copies of
# one, put in by SQL.
set -u
cd "$(dirname "$0")/../.."
points=${1:-100000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
w=$PWD/build/warplock
cd "$work" || exit 1
experiment() { # seeds, more
    cat <<END
{"title": "t", "machine": "fermi15", "size": "tiny", "seeds": [$(seq -s, 1 "$1")], "workloads": ["vecadd"], $2
 "metrics": [{"name": "ipc", "of": "statistics.derived.ipc", "over_baseline": true},
             {"name": "cycles", "of": "statistics.cycles"}],
 "schemes": [{"name": "GTO", "set": ["l1d.mshrs=16"]}$3]}
END
}
now() { date +%s.%N; }
since() { echo "$(now) $1" | awk '{printf "%.1f", $1 - $2}'; }

# ---- beside the runs ----
experiment 1000 "" "" >thousand.json
start=$(now)
"$w" sweep thousand.json -q -J 1 -d thousand.db || exit 1
sqlite3 thousand.db "SELECT printf('sweep: %d points, %.1f ms each beyond its own process (%.1f ms)', count(*),
    1000 * ($(since "$start") - sum(seconds)) / count(*), 1000 * avg(seconds)) FROM point"
start=$(now)
"$w" sweep thousand.json -q -J 1 -d thousand.db
echo "sweep: the same again, nothing to run: $(since "$start") s"

# ---- many points ----
settings=$((points / 20))
experiment 10 "\"parameters\": [{\"name\": \"warps\", \"from\": 8, \"to\": 48, \"step\": 2},
    {\"name\": \"mshrs\", \"from\": 1, \"to\": $((settings / 21 + 1))}],
 \"set\": [\"l1d.mshrs={mshrs}\", \"sm.warps={warps}\"]," ', {"name": "FUP", "mechanisms": "fup20"}' |
    sed 's/"set": \["l1d.mshrs=16"\]/"mechanisms": ""/' >many.json
start=$(now)
"$w" sweep many.json -q -d many.db --on list >commands || exit 1
echo "plan: $(wc -l <commands) points, $(since "$start") s"
sqlite3 thousand.db "ATTACH 'many.db' AS many; BEGIN;
CREATE TEMP TABLE one AS SELECT * FROM point LIMIT 1;
INSERT INTO many.point SELECT DISTINCT m.key, state, machine, machine_digest, one.workload, size,
    CASE m.scheme WHEN 1 THEN 'fup20' ELSE '' END, '[\"l1d.mshrs=' || m.setting || '\"]', m.seed + 1, command, program,
    host, ended, seconds, peak_kb, exit, reason, tail FROM many.member m, one;
INSERT INTO many.statistics SELECT DISTINCT m.key, s.size, s.data FROM many.member m, statistics s
    WHERE s.key = (SELECT key FROM one);
INSERT INTO many.\"metrics many\" SELECT DISTINCT m.key, t.slots, t.loads, 1.0 + m.setting * 0.001 + m.scheme * 0.5,
    1.0, 500 + m.seed, 1.0 FROM many.member m, \"metrics thousand\" t WHERE t.key = (SELECT key FROM one);
COMMIT"
ls -l many.db | awk '{printf "database: %.0f MB\n", $5 / 1e6}'
for command in "status -d many.db" "results many.json -d many.db --csv" "results many.json -d many.db --json" \
    "report many.json -d many.db"; do
    start=$(now)
    # shellcheck disable=SC2086
    "$w" $command >out || exit 1
    echo "$command: $(since "$start") s"
done
ls -l many.html | awk '{printf "page: %.1f MB\n", $5 / 1e6}'
