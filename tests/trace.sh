#!/usr/bin/env bash
# trace.sh [SHARD OF] - the two front ends check each other: every workload is run from PTX
# and dumped as a SASS trace, the trace is run, and all statistics must be equal, bytes and
# all, but for the differences listed in `bent`.
set -u
cd "$(dirname "$0")/.."
shard=${1:-0} of=${2:-1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0 n=0 equal=0
w=build/warplock
configs=${CONFIGS:-fermi15 caps}
workloads=${WORKLOADS:-$(sed -n 's/^WORKLOAD(\([a-z0-9_]*\)).*/\1/p' cmodel/workloads/workload_list.h)}

run() { # NAME OPTIONS...
    local name=$1; shift
    if ! timeout 300 nice $w run "$@" --json "$work/$name.json" >"$work/out" 2>&1; then
        echo "trace: warplock run $*:"; tail -n 12 "$work/out"; bad=1; return 1
    fi
}

for config in $configs; do
    for workload in $workloads; do
        n=$((n + 1))
        [ $((n % of)) = "$shard" ] || continue
        rm -rf "$work/trace"
        run ptx -w "$workload" --size tiny -c "$config" --dump-trace "$work/trace" || continue
        run sass --trace "$work/trace/kernelslist.g" -c "$config" || continue
        python3 - "$work/ptx.json" "$work/sass.json" "$workload $config" <<'PY'
import json,sys
a,b=(json.load(open(p))["statistics"] for p in sys.argv[1:3])
def flat(x,p=""):
    if isinstance(x,dict):
        for k,v in x.items(): yield from flat(v,p+"."+k)
    elif isinstance(x,list):
        for i,v in enumerate(x): yield from flat(v,p+"[%d]"%i)
    else: yield p,x
fa,fb=dict(flat(a)),dict(flat(b))
d=[k for k in fa if fa[k]!=fb.get(k)]
print(sys.argv[3], "equal" if not d else "DIFF %d: "%len(d)+" ".join("%s %s/%s"%(k,fa[k],fb.get(k)) for k in d if k.endswith("cycles") or "launches" in k or "warp_instr" in k)[:300])
PY
    done
done
