#!/usr/bin/env bash
# properties.sh - the assertions about the RTL that are proven in seconds; and each unit with
# assertions once with a bug in it, which an assertion must find.
set -u
cd "$(dirname "$0")/.."
SHORT=1 tb/prove/properties.sh || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/cmodel"
cp -r rtl tb "$work"
cp -r cmodel/units "$work/cmodel"
cd "$work" || exit 1
bad=0

# plant UNIT FILE FROM TO: with the text FROM in FILE made TO, an assertion of UNIT fails.
plant() {
    local unit=$1 file=$2 from=$3 to=$4
    cp "$file" kept
    FROM=$from TO=$to perl -0pi -e 's/\Q$ENV{FROM}\E/$ENV{TO}/' "$file"
    cmp -s kept "$file" && { echo "properties: '$from' is not in $file"; bad=1; }
    PROPERTIES_FIRST=1 tb/prove/properties.sh "$unit" >out 2>&1
    if [ $? = 1 ] && grep -q "^FAILS    $unit .*cycle" out; then
        printf '%-16s found: %s\n' "$unit" "$(grep -m1 ^FAILS out)"
    else
        echo "properties: '$from' made '$to' in $file was not found"
        cat out
        bad=1
    fi
    mv kept "$file"
}
plant flush_ctrl rtl/adi/flush_ctrl.v 'if (flush_step) set_d' 'if (flush_req) set_d'
plant gtsc_reset_ctl rtl/gtsc/gtsc_reset_ctl.v 'if (wanted && all_seen)' 'if (wanted)'
plant icm_monitor rtl/index/icm_monitor.v '&nacc_d ? nacc_d : nacc_d' 'nacc_d'
plant age_rank rtl/sched/age_rank.v 'else if (exits && rank_q' 'else if (rank_q'
plant gto_sched rtl/sched/gto_sched.v 'warp_exit_valid && warp_exit_wid == last_wid_d' "1'b0"
plant avu_queue rtl/rdu/avu_queue.v 'push      = op == PUSH && !full' 'push      = op == PUSH'
plant pas_sched rtl/caps/pas_sched.v '.victim_valid(evict)' ".victim_valid(1'b0)"
plant cache_line_fsm rtl/adi/cache_line_fsm.v 'else if (flush || op == EVICT)                       after = DOOMED' 'else if (flush || op == EVICT) after = INVALID'
plant avu_rename rtl/rdu/avu_rename.v 'free_q[move_phys] <= 1' 'free_q[new_phys] <= 1'
plant gtsc_l1 rtl/gtsc/gtsc_l1.v 'install   = fills && !locked' 'install   = fills'
plant gtsc_l2 rtl/gtsc/gtsc_l2.v '|| |lease_end[SUM_W-1:TS_BITS]' ''
plant caps_prefetch_gen rtl/caps/caps_prefetch_gen.v 'full   = pf_pending_q[pf_tail_q]' "full   = 1'b0"
plant oaws_dlc rtl/oaws/oaws_dlc.v 'miss_base < acc_base' 'miss_base <= acc_base'
plant adi_engine rtl/adi/adi_engine.v 'flush_req     = flushing' 'flush_req     = flushing && !acc_valid'
exit $bad
