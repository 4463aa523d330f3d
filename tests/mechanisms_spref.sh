#!/usr/bin/env bash
# mechanisms_spref.sh - prefetching into spare registers (lakshminarayana2014-graph 3.1, 3.8): results are
# those without it, in every form, on C models and in lockstep with the RTL; without spare
# registers or read-only loads the machine is the plain one; what is injected is used where loops end
# by their count; a loop that training has not seen whole ends the run; random loops (spref/fuzz.py);
# graph kernels; the prefetchers that it is compared with (3.2).
# LONG=N runs so many random loops more.
set -u
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
say() { echo "mechanisms_spref: $*"; bad=1; }
python3 tests/spref/inputs.py "$work" || exit 1

run() { # JSON KERNEL MECHANISM OPTIONS...
    local json=$1 kernel=$2 mechanism=$3; shift 3
    rm -f "$work/$kernel.dump"
    timeout 300 build/warplock run --ptx "${ptx:-tests/spref/$kernel.ptx}" --launch "$work/$kernel.ini" -c lakshminarayana2014 \
        --set machine.sms=2 ${mechanism:+-m "$mechanism"} --json "$work/$json" "$@" >"$work/out" 2>&1 ||
        { say "$kernel -m $mechanism $*"; tail -n 3 "$work/out"; }
    cp "$work/$kernel.dump" "$work/$json.dump"
}
judge() { # WORDS JQ: $a and $b are what the two runs told; the expression must be true
    jq -ne --slurpfile one "$work/a" --slurpfile other "$work/b" "\$one[0] as \$a | \$other[0] as \$b | $2" >/dev/null || say "$1"
}
equal() { cmp -s "$work/$1.dump" "$work/$2.dump" || say "$3: another result"; }

run plain pair ''
cp "$work/plain" "$work/b"
for form in spref spref:distance=1 spref:distance=1:target=cache spref:spare=3 spref:spare=2 spref,gto spref,fup20; do
    run a pair $form
    equal plain a "pair $form"
    judge "pair $form: nothing is moved" '$a.mechanisms.spref | .moves > 0 and .loops == 2'
    [[ $form == *cache* ]] ||
        judge "pair $form: what is injected is not what is moved" '$a.mechanisms.spref | .injected_lanes == .moved_lanes and .poisoned == 0'
    judge "pair $form: instructions are counted that are not the program's" \
        '$a.statistics.sm_total.warp_instructions == $b.statistics.sm_total.warp_instructions'
done
run a pair spref
for how in '-b spref_top=lockstep' '--every-cycle' '--threads 2' '--set machine.spin_cycles=100'; do
    # shellcheck disable=SC2086
    run b pair spref $how
    judge "pair $how: other statistics" '$a.statistics == $b.statistics and $a.mechanisms == $b.mechanisms'
done
run b pair spref:distance=1
judge 'the dynamic distance is one always' '$a.mechanisms.spref | .distance2 > 0 and .distance3 > 0'
judge 'a distance of one is another' '$b.mechanisms.spref | .distance2 + .distance3 == 0 and .distance1 > 0'

# 3.8: no spare register, or nothing that is read-only: the plain machine, to the cycle.
run a pair ''
run b pair spref:spare=0
judge 'without spare registers something is different' '$a.statistics == $b.statistics and $b.mechanisms.spref.blocked > 0'
sed 's/\.nc//' tests/spref/pair.ptx >"$work/pair.ptx"
ptx=$work/pair.ptx run a pair ''
ptx=$work/pair.ptx run b pair spref
judge 'without read-only loads something is different' '$a.statistics == $b.statistics and $b.mechanisms.spref.loops == 0'

# Coverage of even trip counts (3.1.7): so many of the n iterations of a lane are moves, when the loop is known.
# What the first CTAs miss until then is in both runs.  With one iteration nothing is done at all (3.8).
even() { # FORM COVERED...: of 1, 2, ... iterations
    local form=$1 n=0 ctas moved covered; shift
    for covered in "$@"; do
        n=$((n + 1))
        moved=()
        for ctas in 64 128; do
            sed "s/^grid.*/grid = $ctas/; s/^\[buffer ids/trips = u32 $n\n&/" "$work/even.ini" >"$work/even$ctas.ini"
            timeout 300 build/warplock run --ptx tests/spref/even.ptx --launch "$work/even$ctas.ini" -c lakshminarayana2014 \
                --set machine.sms=1 -m "$form" --json "$work/even.json" >"$work/out" 2>&1 || say "even $form $n: $(tail -n 1 "$work/out")"
            moved+=("$(jq .mechanisms.spref.moved_lanes "$work/even.json")")
        done
        [ $((moved[1] - moved[0])) = $((64 * 32 * 2 * covered)) ] ||
            say "$form, $n iterations: $((moved[1] - moved[0])) lanes of 64 warps are moved, not $((64 * 32 * 2)) * $covered"
        [ "$n" != 1 ] || cp "$work/even.json" "$work/once.$form"
    done
}
even spref 0 0 1 2 2 3 3 4 5
even spref:compiler=1 0 1 2 2 3 3 4 5 6
even spref:distance=1 0 0 1 2 3 4 5 6 7
even spref:compiler=1:distance=1 0 1 2 3 4 5 6 7 8
cp "$work/once.spref" "$work/a"
cp "$work/once.spref:compiler=1" "$work/b"
judge 'one iteration: marks make a difference' '$a.statistics == $b.statistics and $b.mechanisms.spref.injected_lanes == 0 and $b.mechanisms.spref.hinted > 0'

# Waits (5.1): the heads of one warp alone are in one line of the L1D, so that each of them costs the same;
# a move costs less.  The loop is ready after three iterations, and the first one by then loads still.
waits() { # FORM: cycles that each further iteration waits for its head
    local form=$1 n waited=()
    for n in 6 7 8 9; do
        sed "s/^grid.*/grid = 1/; s/^\[buffer ids/trips = u32 $n\n&/" "$work/even.ini" >"$work/alone.ini"
        timeout 300 build/warplock run --ptx tests/spref/even.ptx --launch "$work/alone.ini" -c lakshminarayana2014 \
            --set machine.sms=1 -m "$form" --json "$work/alone.json" >"$work/out" 2>&1 || say "alone $form $n: $(tail -n 1 "$work/out")"
        waited+=("$(jq .mechanisms.spref.head_wait_cycles "$work/alone.json")")
        jq -e ".mechanisms.spref | .head_loads == $n - 3 and .tail_loads == $n - 3" "$work/alone.json" >/dev/null ||
            say "alone $form $n: not $((n - 3)) heads and tails"
    done
    for n in 2 3; do
        [ $((waited[n] - waited[n - 1])) = $((waited[1] - waited[0])) ] || say "alone $form: heads wait ${waited[*]}"
    done
    each=$((waited[1] - waited[0]))
}
waits spref:spare=0
loads=$each
waits spref:distance=1
[ "$each" -gt 0 ] && [ "$loads" -gt $((2 * each)) ] || say "alone: a move costs $each cycles, a load that hits $loads"

# What would be loaded ahead of a list's end is in no buffer.
run plain listed ''
run a listed spref:distance=1
equal plain a listed
judge 'listed: nothing is moved' '$a.mechanisms.spref | .moves > 0 and .injected_lanes > .moved_lanes'

# The pointer waits in one iteration of one lane: training has not seen that.
sed 's|^ add.s64 %rd5, %rd5, 4;| setp.eq.s32 %p2, %r3, 9;\n @%p2 bra STAY;\n add.s64 %rd5, %rd5, 4;\nSTAY:|' tests/spref/listed.ptx >"$work/stays.ptx"
said=$(build/warplock run --ptx "$work/stays.ptx" --launch "$work/listed.ini" -c lakshminarayana2014 -m spref 2>&1 >/dev/null)
status=$?
case $status,$said in
2,*"stays.ptx:"*'leave spref out'*) ;;
*) say "a pointer that waits: status $status, $said" ;;
esac

# Graph kernels, whose results are checked against a host's: values travel through spare registers, and
# lists that are left early or whose lanes part leave some of them unused.
graph() { # WORKLOAD FORM JQ OPTIONS...
    local workload=$1 form=$2 true=$3; shift 3
    timeout 300 build/warplock run -w "$workload" --size "tiny${size:-}" -c lakshminarayana2014 --set machine.sms=2 \
        ${form:+-m "$form"} --json "$work/a" "$@" >"$work/out" 2>&1 || { say "$workload $form $*"; tail -n 3 "$work/out"; return; }
    judge "$workload $form $*: not $true" "$true"
}
whole='$a.mechanisms.spref | .moves > 0 and (.useful + .late + .useless - 1 | fabs) < 1e-9'
for workload in bfs sssp mst stcon drelax bfs_dd; do
    graph $workload spref "$whole and .useless == 0" -b spref_top=lockstep
done
for workload in colouring mis; do
    graph $workload spref "$whole and .useless > 0 and .regrouped > 0" -b spref_top=lockstep
done
for workload in sssp colouring; do
    size=,form=data graph $workload spref "$whole" -b spref_top=lockstep
    size=,form=warp graph $workload spref true # lists shorter than a warp is wide
done
size=,form=unrolled graph colouring spref '$a.mechanisms.spref.rejected > 0' -b spref_top=lockstep
size=,form=node graph mst spref "$whole and .useless == 0" -b spref_top=lockstep
size=,form=node graph mst spref:compiler=1 "$whole and .hinted > 0"
graph bfs_wc spref "$whole" -b spref_top=lockstep # lists are as short as a warp is wide: little to do
for workload in bfs sssp mst stcon drelax bfs_dd bfs_wc mis; do
    graph $workload spref:compiler=1 "$whole and .hinted > 0"
done
graph colouring spref:compiler=1 "$whole and .hinted > 0" -b spref_top=lockstep
for form in spref:distance=1 spref:distance=1:target=cache spref:spare=4 spref:compiler=1:distance=1; do
    graph bfs $form '$a.mechanisms.spref.moves > 0'
    graph colouring $form '$a.mechanisms.spref.moves > 0'
done

# The compared prefetchers: lines are asked for, and no statistics depend on who waits for whom.
for form in stride stream ghb; do
    graph atax $form "\$a.mechanisms | .$form.asked > 0 and .prefetch.coverage > 0"
    cp "$work/a" "$work/b"
    for how in --every-cycle '--threads 2'; do
        # shellcheck disable=SC2086
        graph atax $form '$a.statistics == $b.statistics and $a.mechanisms == $b.mechanisms' $how
    done
done

refused() { # WORDS OPTIONS...
    local words=$1; shift
    said=$(build/warplock run --ptx tests/spref/pair.ptx --launch "$work/pair.ini" "$@" 2>&1 >/dev/null)
    status=$?
    case $status,$said in 2,*"$words"*) ;; *) say "$*: status $status, $said" ;; esac
}
refused 'give both' -c lakshminarayana2014 -m spref:target=cache
refused 'the injection of loads at issue' -c tabbakh2018-ch4 -m spref,drd-spec
refused 'operands.banks' -c gtx480-trace -m spref

tests/spref/fuzz.py build/tests/spref_loops 0 240 >"$work/fuzz" 2>&1 || { say 'random loops'; cat "$work/fuzz"; }
[ -z "${LONG:-}" ] || tests/spref/fuzz.py build/tests/spref_loops 1000 "$LONG" || bad=1
exit $bad
