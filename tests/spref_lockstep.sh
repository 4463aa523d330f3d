#!/usr/bin/env bash
# spref_lockstep.sh - every graph kernel in every form on every kind of input under SPREF, with its unit as
# C model, as RTL, and both in lockstep (lakshminarayana2014-graph 3.1, 3.7, 6.2 to 6.5): results are right,
# statistics the same.  spref_lockstep.sh SHARD SHARDS: its part.  Not part of `make test`: five minutes of
# one core; `make lockstep` runs it.
set -u
cd "$(dirname "$0")/.." || exit 2
shard=${1:-0} shards=${2:-1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0 n=0
say() { echo "spref_lockstep: $*"; bad=1; }

# Files: a ring of 60 with chords.
python3 - "$work" <<'END'
import sys
n, folder = 60, sys.argv[1]
links = sorted({tuple(sorted((v, w % n))) for v in range(n) for w in (v + 1, 7 * v + 3) if v != w % n})
with open(f"{folder}/a.mtx", "w") as f:
    f.write(f"%%MatrixMarket matrix coordinate integer symmetric\n{n} {n} {len(links)}\n")
    f.writelines(f"{w + 1} {v + 1} {1 + (v * w) % 9}\n" for v, w in links)
with open(f"{folder}/a.gr", "w") as f:
    f.write(f"p sp {n} {2 * len(links)}\n")
    f.writelines(f"a {v + 1} {w + 1} {1 + (v * w) % 9}\na {w + 1} {v + 1} {1 + (v * w) % 9}\n" for v, w in links)
with open(f"{folder}/a.graph", "w") as f:
    f.write(f"{n} {len(links)}\n")
    f.writelines(" ".join(str(w + v - u + 1) for v, w in links if u in (v, w)) + "\n" for u in range(n))
END
kernels=(bfs bfs,form={swp,swpnc,unr2,unr3,unr2_swp,unr2_swpnc} bfs_dd bfs_wc sssp sssp,form={warp,data} drelax
    drelax,weighted=0,weight=1 mst mst,form=node stcon colouring colouring,form={warp,data,unrolled} mis)
inputs=(uniform,vertices=400,edges=1600 degree,vertices=400,edges=1600 rmat,vertices=256,edges=2048 road,vertices=400
    streets,vertices=400,edges=900 web,vertices=400,edges=3000 coauthors,vertices=200,edges=4000 geometric,vertices=400,edges=4000
    "$work"/a.mtx "$work"/a.gr "$work"/a.graph)

run() { # BACKEND NAME SIZE
    timeout 300 build/warplock run -w "$2" --size "$3" -c lakshminarayana2014 --set machine.sms=2 -m spref -b "spref_top=$1" \
        --json "$work/$1" >"$work/out" 2>&1 || { say "$2 $3 on $1: $(tail -n 1 "$work/out")"; return 1; }
    jq -S '.statistics, .mechanisms' "$work/$1" >"$work/$1.of"
}
moves=0
for kernel in "${kernels[@]}"; do
    for input in "${inputs[@]}"; do
        ((n++ % shards == shard)) || continue
        name=${kernel%%,*} size=tiny${kernel#"${kernel%%,*}"},graph=$input
        [ "$name" = stcon ] && size+=,target=59
        run c "$name" "$size" && run rtl "$name" "$size" && run lockstep "$name" "$size" || continue
        grep -q 'spref_top x .* values compared, all equal' "$work/out" || say "$name $size: spref_top was not compared"
        cmp -s "$work/c.of" "$work/rtl.of" && cmp -s "$work/c.of" "$work/lockstep.of" || say "$name $size: other statistics"
        moves=$((moves + $(jq .mechanisms.spref.moves "$work/c")))
    done
done
[ "$moves" -gt $((100 * n / shards)) ] || say "$moves moves in $n pairs of kernel and input"
echo "spref_lockstep: $n pairs of kernel and input, $moves moves"
exit $bad
