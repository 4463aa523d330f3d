#!/usr/bin/env bash
# mechanisms_drd.sh - race detection inside the simulator: litmus tests stay sequentially
# consistent, and do not where a decision of the specification is left out or a line of the
# mechanism; statistics are the same on every backend and however the machine is stepped;
# other machines and options are refused.
set -u
cd "$(dirname "$0")/.."
. tests/rebuilt.inc
work=$(mktemp -d)
trap 'rm -rf "$work" "$planted"' EXIT
bad=0
w=build/warplock
machine=tabbakh2018-ch4
say() { echo "mechanisms_drd: $*"; bad=1; }
. tests/backends.inc

for mechanism in drd-nospec drd-nospec:limit=always:hits=1 drd-nospec:stall=sm drd-nospec:m=64:per=64:gran=word drd-ideal \
                 drd-spec drd-spec:hits=1:kernels=keep drd-spec:gran=byte:m=1024 drd-spec:gran=half drd-spec:m=64:per=64:queue=4 \
                 drd-nospec:pace=units drd-spec:pace=units:m=1024 \
                 drd-nospec:sig=exact:m=64:per=64:gran=word drd-spec:sig=exact:m=64:per=2:gran=byte; do
    timeout 200 $w litmus -m $mechanism --seeds 15 >"$work/out" 2>&1 ||
        { say "litmus $mechanism"; grep -a FORBIDDEN "$work/out"; }
done

# A decision of the specification left out, by the first option: the outcome that it forbids is
# seen, and is not without that option.  The test, the threads' places and the seeds or timing
# are those that show it soonest.
without() { # MECHANISM TEST VARIANT SEEDS [OPTION...]
    local mechanism=$1 test=$2 variant=$3 kept; shift 3
    local run="timeout 200 $w litmus --test $test --seeds $*"
    kept=$(sed 's/:[^:]*//' <<<"$mechanism")
    $run -m "$mechanism" --variant "$variant" >"$work/out" 2>&1
    [ $? = 1 ] && grep -aq 'forbidden, seen' "$work/out" || say "litmus -m $mechanism --test $test is right"
    $run -m "$kept" --variant "$variant" >"$work/out" 2>&1 || say "litmus -m $kept --test $test is wrong"
}
without drd-nospec:own=hits RWC "pairs, one line" 300
without drd-nospec:check=touched:gran=word MPF "SMs, xy" 200     # D-R15
without drd-nospec:tags=2:epochbits=2 MPE "SMs, lines" 200       # D-R10
without drd-nospec:tagged=fill SBT "no fence, pairs, lines" 2000 # D-R5
without drd-nospec:atomic=keeps CoAR "SMs" 100                   # D-R12
without drd-nospec:order=late MP "SMs, lines" 300                # D-R9
without drd-spec:stores=early SB "SMs, lines" 300                # D-R7
without drd-spec:acks=overlap MP "no fence, SMs, lines" 300      # D-R23
without drd-spec:forced=passes:m=64:per=64 MP "SMs, lines" 2000  # D-R17
without drd-spec:merged=trusts:m=64:per=64 SBT "no fence, pairs, lines" 2000 # D-R20
# One path 3000 cycles longer, to y where a quarter of the seeds lays it.  D-R18: c=y joins the
# fetch that is on its way to SM 1 and is committed after d=x, which hit; both stores and the
# point they force come before the data, so y is fetched again.  D-R21: b=y of SM 0 is on its way
# and c=x behind it has hit when x=1 of the same SM is performed, seen and followed by y=1.
slow="--set icnt.jitter=0 --set icnt.slow_cycles=3000 --set icnt.slow_partition=3"
# shellcheck disable=SC2086
{
    without drd-spec:commit=any:m=64:per=32 MPM "no fence, pairs, lines" 20 $slow --set icnt.slow_sm=1 --timing 350,1000,0x,330
    without drd-spec:ownstore=passes OWS "no fence, pairs, lines" 20 $slow --timing 40,0x,80
}

same drd-nospec:m=1024 wave rdu avu
same drd-spec:gran=word vecadd rdu avu avu_queue avu_rename
for workload in nn btree cp scan bhtree steal place cudacuts; do # all: tests/drd_lockstep.sh
    same drd-spec $workload rdu avu avu_queue
done
same drd-spec:m=1024:commit=any:forced=passes:ownstore=passes gaussian rdu avu avu_queue
same drd-nospec:m=1024:tags=1:retag=1:unique=1:once=1:hits=3 vecadd rdu avu
same drd-spec:pace=units nn rdu avu avu_queue
stepped drd-spec:pace=units wave
stepped drd-nospec wave
stepped drd-ideal wave
stepped drd-spec wave
stepped drd-spec:gran=half:queue=8 place
stepped drd-nospec:stall=sm vecadd
stepped drd-nospec nqueens # its local stores stay in the L1D
stepped drd-spec nqueens

# Time of the units: none without pace=units, whatever form they have; with it a cycle a granule costs
# some, and six bits one after the other more.
cycles() { # MECHANISM
    $w run -w gaussian --size tiny -c $machine -m "$1" --json "$work/paced.json" >"$work/out" 2>&1 || say "gaussian -m $1"
    jq .statistics.cycles "$work/paced.json"
}
one=rdu.one_cycle=1:avu.one_cycle=1:avu_queue.one_cycle=1
none=$(cycles drd-spec) none_one=$(cycles drd-spec:$one)
paced=$(cycles drd-spec:pace=units) paced_one=$(cycles drd-spec:pace=units:$one)
[ "$none" = "$none_one" ] && [ "$none" -lt "$paced_one" ] && [ "$paced_one" -lt "$paced" ] ||
    say "cycles without time $none and $none_one, with it $paced_one and $paced"
case $($w run -w vecadd --size tiny -c $machine -m drd-ideal:pace=units 2>&1 >/dev/null) in
    *'pace=units'*) ;;
    *) say "drd-ideal takes time" ;;
esac

# A check at the hit limit (heartwall has no race): Ideal's takes no time; with speculation, and without by
# limit=always, loads go on meanwhile, else they wait.
limited() { # MECHANISM
    $w run -w heartwall --size tiny -c $machine -m "$1" --json "$work/limit.json" >"$work/out" 2>&1 || say "heartwall -m $1"
    jq .statistics.cycles "$work/limit.json"
}
[ "$(limited drd-ideal:hits=1)" = "$(limited drd-ideal:hits=15)" ] || say "Ideal's checks at the hit limit take time"
[ "$(limited drd-spec:hits=1)" -lt "$(limited drd-spec:hits=1:limit=never)" ] || say "drd-spec: loads wait for their check at the hit limit"
[ "$(limited drd-nospec:hits=1:limit=always)" -lt "$(limited drd-nospec:hits=1)" ] || say "limit=always: loads wait"

# A load under a granule that others keep writing, here a lock's half page, is done with some time.
timeout 120 $w run -w steal --size small -c $machine -m drd-spec:gran=half >"$work/out" 2>&1 ||
    { say "steal by half pages does not end"; cat "$work/out"; }

# Copies that stay from kernel to kernel: nw reads no line twice in a launch, so that only what a launch
# before has brought can expire; and what kernels before and the host wrote is seen.
expired() { # OPTION
    $w run -w nw --size tiny -c $machine -m "drd-spec$1" --json "$work/kernels.json" >"$work/out" 2>&1 || say "nw -m drd-spec$1"
    jq .mechanisms.drd.expired_misses "$work/kernels.json"
}
[ "$(expired '')" = 0 ] && [ "$(expired :kernels=keep)" -gt 0 ] || say "kernels=keep of nw keeps nothing"
same drd-spec:kernels=keep gaussian rdu avu avu_queue
stepped drd-nospec:kernels=keep bfs
kept() { timeout 120 "$1" run -w "$2" --size "$3" -c $machine -m drd-spec:kernels=keep >"$work/out" 2>&1; }
for program in "gaussian dim=48" "bfs tiny" "stencil3d tiny,steps=3" "mriq tiny,launches=3"; do
    # shellcheck disable=SC2086
    kept $w $program || { say "$program with kernels=keep"; cat "$work/out"; }
done

# Local memory: free, the units see none of it; checked, all that leaves the L1D: loads that miss, and stores
# that do not stay there.  A copy that stores have changed is written down before it is fetched again; else
# nqueens, whose stacks lie there, does not end.
of_local() { # OPTION [RUN OPTION...]
    local option=$1; shift
    timeout 60 $w run -w nqueens --size tiny -c $machine -m "drd-nospec:$option" "$@" --json "$work/local.json" >"$work/out" 2>&1 ||
        { say "nqueens -m drd-nospec:$option"; cat "$work/out"; }
    jq -c '.statistics.sm_total as $all | .mechanisms.drd | [.misses - $all.load_misses_coherent - $all.load_misses_divergent,
        .points_store - $all.store_accesses] | map(. < 0)' "$work/local.json"
}
for write in back as-global; do
    free=$(of_local local=free --set l1d.local_write=$write) checked=$(of_local local=checked --set l1d.local_write=$write)
    stay=false; [ $write = back ] && stay=true
    [ "$free $checked" = "[true,true] [false,$stay]" ] || say "local_write=$write: less is seen of (loads, stores) with free $free, checked $checked"
done
same drd-spec:local=checked nqueens rdu avu avu_queue
stepped drd-spec:local=checked:kernels=keep nqueens

# Exact signatures: CTAs of hotspot share nothing that one of them stores, so whatever is found
# is a mistake; where Bloom filters make none (bits for 64 times the granules), all is the same.
counted() { # WORKLOAD MECHANISM
    timeout 300 $w run -w "$1" --size tiny -c $machine -m "$2" --json "$work/exact.json" >"$work/out" 2>&1 ||
        { say "$1 -m $2"; cat "$work/out"; }
}
mistakes() { grep -cE '"(points_race|avu_misses|failed)": [1-9]' "$work/exact.json"; }
counted hotspot drd-spec:m=64:per=2:gran=word
[ "$(mistakes)" = 3 ] || say "full signatures of hotspot make no mistakes"
counted hotspot drd-spec:m=64:per=2:gran=word:sig=exact
[ "$(mistakes)" = 0 ] || say "exact signatures of hotspot make mistakes"
grep -q '"points_forced": [1-9]' "$work/exact.json" || say "exact signatures of hotspot are not forced"
for form in bloom exact; do
    counted wave drd-spec:m=16384:per=64:gran=half:sig=$form
    sed 's/sig=[a-z]*//' "$work/exact.json" >"$work/$form.txt"
done
cmp -s "$work/bloom.txt" "$work/exact.txt" || say "wave: exact signatures find other races"
stepped drd-spec:sig=exact:m=64:per=2:gran=word wave
lockstep drd-nospec:sig=exact:m=256:gran=word wave rdu avu

# A line left out: the litmus tests see a forbidden outcome.
leave_out() { # MECHANISM SOURCE FROM TO [LITMUS OPTION...]
    local mechanism=$1; shift
    rebuilt "cmodel/$1" "$2" "$3" || return
    set -- "$2" "${@:4}"
    [ $# -gt 1 ] || set -- "$1" --test MP --variant SMs --seeds 300
    timeout 200 "$planted" litmus -m "$mechanism" "${@:2}" >"$work/out" 2>&1
    [ $? = 1 ] && grep -aq FORBIDDEN "$work/out" || say "no forbidden outcome without '$1'"
}
leave_out drd-nospec mechanisms/drd/drd_l1.c '== DRD_HIT ? COHERENCE_HIT : COHERENCE_REFETCH;' '== DRD_HIT ? COHERENCE_HIT : COHERENCE_HIT;'
leave_out drd-nospec mechanisms/drd/drd_link.c 'bring_signature(sm, sig_at(sm, 0));' ';'
leave_out drd-nospec:sig=exact mechanisms/drd/drd_rdu.c 'message.stores = sm->synced =' 'sm->synced ='
leave_out drd-spec mechanisms/drd/drd_spec.c 'core_restore_warp(core, slot, warp->snapshot);' ''
leave_out drd-spec mechanisms/drd/drd_queue.c 'operate_on(spec, QUEUE_SIGNATURE, sig);' '(void)sig;'
# A kernel that begins without a synchronisation point.
if rebuilt cmodel/mechanisms/drd/drd_l1.c 'drd_acquire(sm);' ';'; then
    kept "$planted" gaussian dim=48 && say "gaussian is right without a point where a kernel begins"
fi
# D-R19: b=x is on its way when x=1 of its SM passes; what it fetches must not stay.
kept_fill() {
    leave_out "$1" machine/sm/sm_l1d_store.c 'sm->mshr.entry[at].killed = true;' ';' --test CoFW --variant 'one SM' \
        --seeds 2 --set icnt.jitter=0 --set icnt.slow_cycles=3000 --timing 60,0
}
kept_fill drd-nospec
kept_fill drd-spec

refuse() { # PATTERN OPTIONS...
    local pattern=$1; shift
    timeout 60 $w run -w vecadd --size tiny -c $machine "$@" >"$work/out" 2>&1
    [ $? = 2 ] && grep -qE "$pattern" "$work/out" || { say "$* was not refused as /$pattern/"; cat "$work/out"; }
}
refuse 'serves 2 to 16 SMs' --set machine.sms=1 -m drd-nospec
refuse "'m=100'.*give a power of two, 64 to 16384" -m drd-spec:m=100
refuse "'gran=line'.*give byte.word.block.half" -m drd-spec:gran=line
refuse "'speed=1' is no option; there is m, " -m drd-spec:speed=1
refuse 'sig=exact does not go with once=1; leave one out' -m drd-spec:sig=exact:once=1
refuse "no options ':x=1' are known" -m l1-noncoherent:x=1
exit $bad
