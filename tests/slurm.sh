#!/usr/bin/env bash
# slurm.sh - a sweep of 60 points on a real Slurm: slurmctld, slurmd and munge of this one computer
# in a temporary folder.  One worker is killed, slurmd is started anew in the middle; the database
# must be whole and hold what the local sweep's does.  Skipped where Slurm is not installed.
set -u
cd "$(dirname "$0")/.."
for program in slurmctld slurmd munged sbatch; do
    command -v $program >/dev/null || [ -x /usr/sbin/$program ] ||
        { echo "slurm: skipped, no $program here (Debian: slurmctld slurmd slurm-client munge)"; exit 0; }
done
[ "$(id -u)" = 0 ] || { echo "slurm: skipped, slurmd needs root"; exit 0; }
PATH=$PATH:/usr/sbin
work=$(mktemp -d)
chmod 755 "$work"
pids=()
cleanup() {
    for pid in "${pids[@]}" $(cat "$work"/*.pid 2>/dev/null); do kill "$pid" 2>/dev/null; done
    sleep 0.5
    for pid in "${pids[@]}" $(cat "$work"/*.pid 2>/dev/null); do kill -9 "$pid" 2>/dev/null; done
    rm -rf "$work"
}
trap cleanup EXIT
bad=0
say() { echo "slurm: $*"; bad=1; }
w=$PWD/build/warplock

# ---- the cluster ----
mkdir "$work/state" "$work/spool"
head -c 1024 /dev/urandom >"$work/munge.key"
chmod 400 "$work/munge.key"
port=$((20000 + RANDOM % 20000))
host=$(hostname -s)
munged --force --key-file="$work/munge.key" --socket="$work/munge.socket" --pid-file="$work/munged.pid" \
    --log-file="$work/munged.log" --seed-file="$work/munge.seed" >"$work/munged.out" 2>&1 ||
    { echo "slurm: munged does not start:"; cat "$work/munged.out"; exit 1; }
cat >"$work/slurm.conf" <<EOT
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge.socket
CredType=cred/munge
CryptoType=crypto/munge
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
ReturnToService=2
SchedulerParameters=sched_interval=1,batch_sched_delay=0
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
EOT
export SLURM_CONF=$work/slurm.conf
start_slurmd() { slurmd -D -f "$SLURM_CONF" >>"$work/slurmd.out" 2>&1 & slurmd=$!; pids+=($slurmd); }
slurmctld -D -i -f "$SLURM_CONF" >"$work/slurmctld.out" 2>&1 & pids+=($!)
start_slurmd
up=no
for _ in $(seq 100); do
    sinfo --noheader --format=%t 2>/dev/null | grep -qE '^(idle|mix|alloc)$' && up=yes && break
    sleep 0.2
done
if [ $up = no ]; then
    echo "slurm: the cluster does not come up here:"; tail -n 5 "$work"/slurmctld.log "$work"/slurmd.log
    exit 1
fi

# ---- 60 points, here and there ----
cat >"$work/sixty.json" <<'EOT'
{
  "title": "sixty points", "machine": "fermi15", "size": "tiny",
  "set": ["l1d.mshrs={mshrs}"],
  "parameters": [{"name": "mshrs", "from": 4, "to": 18}],
  "workloads": ["vecadd", "bfs"],
  "metrics": [{"name": "ipc", "of": "statistics.derived.ipc", "over_baseline": true}],
  "schemes": [{"name": "GTO"}, {"name": "FUP", "mechanisms": "fup20"}]
}
EOT
cd "$work" || exit 1
"$w" sweep sixty.json -q -d here.db || say "the local sweep failed"
timeout 300 "$w" sweep sixty.json --on slurm -d there.db >sweep.out 2>&1 & sweep=$!
count() { [ -f there.db ] && sqlite3 -readonly there.db 'SELECT count(*) FROM point' 2>/dev/null || echo 0; }
killed=no restarted=no
for _ in $(seq 3000); do
    kill -0 $sweep 2>/dev/null || break
    if [ $killed = no ] && [ "$(count)" -ge 5 ]; then
        worker=$(ps -e -o pid,args | awk -v folder="$work/there.db.work" '$3 == "work" && $4 == folder {print $1; exit}')
        # One that leaves its mark was in the middle of its point.
        [ -n "$worker" ] && kill -9 "$worker" 2>/dev/null && grep -qs "@$worker\." there.db.work/running/* && killed=yes
    fi
    if [ $killed = yes ] && [ $restarted = no ] && [ "$(count)" -ge 20 ]; then
        kill -9 $slurmd; sleep 0.5; start_slurmd; restarted=yes
    fi
    sleep 0.05
done
wait $sweep || { say "the sweep ended with $?:"; cat sweep.out; }
[ $killed = yes ] || say "no worker could be killed in time"
[ $restarted = yes ] || say "slurmd was not started anew"

# ---- the same ----
all="SELECT p.key, state, workload, p.size, mechanisms, settings, seed, hex(s.data) FROM point p JOIN statistics s USING (key) ORDER BY 1"
[ "$(count)" = 60 ] || say "$(count) of 60 points are there"
[ "$(sqlite3 here.db "$all" | wc -l)" = 60 ] && cmp -s <(sqlite3 here.db "$all") <(sqlite3 there.db "$all") || say "the databases differ"
[ "$(sqlite3 there.db 'PRAGMA integrity_check')" = ok ] || say "the database is damaged"
cmp -s <("$w" results sixty.json -d here.db) <("$w" results sixty.json -d there.db) || say "the results differ"
[ $bad = 0 ] || tail -n 20 slurmctld.log sweep.out
[ "$(grep -c submitted sweep.out)" -ge 2 ] || say "the killed worker's point was not submitted again"
echo "slurm: 60 points, $(grep -c submitted sweep.out) submissions"
exit $bad
