#!/usr/bin/env bash
# mechanisms_drd.sh - race detection inside the simulator: litmus tests stay sequentially
# consistent, and do not when a rule of it is left out; statistics are the same on every
# backend and however the machine is stepped; other machines are refused.
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

for mechanism in drd-nospec drd-nospec-1k drd-nospec-half; do
    timeout 200 $w litmus -m $mechanism --seeds 60 >"$work/out" 2>&1 || { say "litmus $mechanism"; cat "$work/out"; }
done

same drd-nospec-1k wave rdu avu
stepped drd-nospec wave
stepped drd-nospec-half bfs

# A rule left out: the litmus tests see a forbidden outcome.
leave_out() { # FROM TO
    rebuilt cmodel/mechanisms/drd.c "$1" "$2" || return
    timeout 200 "$planted" litmus -m drd-nospec --seeds 100 >"$work/out" 2>&1
    [ $? = 1 ] && grep -q FORBIDDEN "$work/out" || say "no forbidden outcome without '$1'"
}
leave_out 'return hit ? COHERENCE_HIT : COHERENCE_REFETCH;' 'return COHERENCE_HIT;'
leave_out '    *sm->in.sig_valid = reply->has_sig;' '    *sm->in.sig_valid = 0;'
leave_out 'memcpy(sm->in.sig, reply->sig, sm->drd->sig_words * sizeof(uint64_t));' ''

timeout 60 $w run -w vecadd --size tiny -c tabbakh2018-ch4 --set machine.sms=1 -m drd-nospec >"$work/out" 2>&1
[ $? = 2 ] && grep -q 'serves 2 to 16 SMs' "$work/out" || { say 'one SM is not refused'; cat "$work/out"; }
exit $bad
