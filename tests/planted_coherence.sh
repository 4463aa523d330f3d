#!/usr/bin/env bash
# planted_coherence.sh - a protocol bug is noticed: each is planted into a copy of a protocol's
# source, and the checker (or the litmus suite) must name the rule that it breaks.
set -u
cd "$(dirname "$0")/.."
. tests/rebuilt.inc
work=$(mktemp -d)
trap 'rm -rf "$work" "$planted"' EXIT
bad=0
machine="-c tabbakh2018-ch3 --set icnt.jitter=100"
say() { echo "planted_coherence: $*"; bad=1; }

plant() { # FILE FROM TO
    rebuilt "cmodel/mechanisms/$1" "$2" "$3"
}
# The checker says PATTERN and the run ends with 1 (or the answers are wrong too).
checked() { # PATTERN PROTOCOL OPTIONS...
    local pattern=$1 protocol=$2 status; shift 2
    timeout 120 "$planted" run --size tiny $machine -m "$protocol,check-coherence" "$@" >"$work/out" 2>&1
    status=$?
    [ $status = 1 ] && grep -q "MISMATCH.*$pattern" "$work/out" ||
        { say "$protocol: status $status, no violation /$pattern/"; grep -E "MISM|result|warplock" "$work/out"; }
}
forbidden() { # PROTOCOL OPTIONS...
    local protocol=$1; shift
    timeout 120 "$planted" litmus -m "$protocol" "$@" >"$work/out" 2>&1
    [ $? = 1 ] && grep -q FORBIDDEN "$work/out" || say "$protocol: no forbidden outcome in litmus $*"
}

small_l2="--set l2.sets=2 --set l2.ways=4"
plant tc/tc.c 'return access->cycle <= line->proto[0] ?' 'return access->cycle <= line->proto[0] + 400 ?' &&
    checked 'a hit after the longest lease' tc-weak -w mst
plant tc/tc.c 'line->proto[0] + 1 : 0;' '0 : 0;' && {
    checked 'a store is performed while a lease' tc-strong -w mst
    forbidden tc-strong --test MP; }
plant tc/tc.c 'return cycle > l1->gwct[warp_slot];' 'return true;' && {
    checked 'a fence ends while a lease' tc-weak:lease=3200 -w wave
    forbidden tc-weak --test SB --seeds 400; }
plant tc/tc.c 'return cycle > line->proto[0];' 'return true;' &&
    checked 'the line leaves while a lease' tc-weak -w bfs $small_l2
plant tc/tc.c 'msg->proto[0] = line->proto[0];
    msg->proto_bytes' 'msg->proto[0] = line->proto[0] + 9;
    msg->proto_bytes' &&
    checked "the bank's lease ends at" tc-weak -w bfs
plant gtsc/gtsc_l1.c 'return *l1->out.answer == GTSC_L1_answer_WAIT ? COHERENCE_WAIT : COHERENCE_REFETCH;' \
    'return COHERENCE_HIT;' && checked 'I[2-7]' gtsc-rc -w components
plant gtsc/gtsc_l1.c '*l1->in.msg_ok = msg->proto[1] >> GTSC_OK_SHIFT & 1;' '*l1->in.msg_ok = 1;' &&
    forbidden gtsc-rc,check-coherence --test SB --seeds 400
plant gtsc/gtsc_l1.c '    return served;
}

static bool may_ask' '    return true;
}

static bool may_ask' && checked 'I[56]' gtsc-rc -w bfs
plant gtsc/gtsc_l2.c 'ask(l2, GTSC_L2_op_EVICT, index_of(l2, line));
    commit(l2);' 'ask(l2, GTSC_L2_op_EVICT, index_of(l2, line));' &&
    checked 'I[356]' gtsc-rc -w components $small_l2
plant gtsc/gtsc_l2.c '*l2->out.resp_rts << 32;' '(*l2->out.resp_rts + 5) << 32;' &&
    checked 'I[235]' gtsc-rc -w bfs
exit $bad
