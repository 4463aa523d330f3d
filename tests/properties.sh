#!/usr/bin/env bash
# properties.sh - the assertions about the RTL that are proven in seconds; and units with a bug
# in them, which an assertion must find.  ALL=1 plants a bug in every unit that has assertions,
# also where that takes longer.
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
slow() { [ "${ALL:-0}" != 1 ] || "$@"; }
plant flush_ctrl rtl/adi/flush_ctrl.v 'if (flush_step) set_d' 'if (flush_req) set_d'
plant gtsc_reset_ctl rtl/gtsc/gtsc_reset_ctl.v 'if (wanted && all_seen)' 'if (wanted)'
plant icm_monitor rtl/index/icm_monitor.v '&nacc_d ? nacc_d : nacc_d' 'nacc_d'
plant age_rank rtl/sched/age_matrix.v 'if (resident_q[n] && younger[n])' 'if (younger[n])'
plant gto_sched rtl/sched/gto_sched.v 'warp_exit_valid && warp_exit_wid == last_wid_q' "1'b0"
plant avu_queue rtl/rdu/avu_queue.v 'push    = op == PUSH && !full' 'push    = op == PUSH'
plant pas_sched rtl/caps/pas_moves.v 'evict_next = woken && full && !demoted && !exited' "evict_next = 1'b0"
plant cache_line_fsm rtl/adi/cache_line_fsm.v 'else if (flush || op == EVICT)                       after = DOOMED' 'else if (flush || op == EVICT) after = INVALID'
plant avu_rename rtl/rdu/avu_rename.v 'if (allocates && free_bit[p])' 'if (!allocates && free_bit[p])'
plant gtsc_l1 rtl/gtsc/gtsc_l1.v 'install   = fills && !locked' 'install   = fills'
plant gtsc_l2 rtl/gtsc/gtsc_l2.v '|| lease_end[TS_BITS]' ''
plant caps_prefetch_gen rtl/caps/caps_prefetch_gen.v 'full = pf_pending_q[pf_tail_q]' "full   = 1'b0"
plant oaws_dlc rtl/oaws/oaws_dlc_steps.v '(high_same && low_more) ? the_acc_q' "(high_same && low_more) && 1'b0 ? the_acc_q"
plant adi_engine rtl/adi/adi_engine.v 'flush_req     = flushing' 'flush_req     = flushing && !acc_valid'
plant oaws_epoch rtl/oaws/oaws_epoch.v 'if (last || !enable)' 'if (last)'
plant oaws_budget rtl/oaws/oaws_budget.v 'if (overflow) ' "if (1'b0) "
plant oaws_store rtl/oaws/oaws_store.v 'stale_d     = enter_valid && enter_slot == walk_slot_q' "stale_d     = 1'b0"
plant dac_track rtl/dacache/dac_track.v "miss_d = 1'b0" 'miss_d = acc_valid && missed'
plant dac_stack rtl/dacache/dac_stack.v 'pos > climb ? pos - climb' '1 ? pos - climb'
plant balance_monitor rtl/index/balance_monitor.v 'full  = &b' "full  = 1'b0"
slow plant oaws_pred rtl/oaws/oaws_pred_steps.v 'accum_q[7:0] > CAP8 ? CAP8 : accum_q[7:0]' 'accum_q[7:0]'
plant dac_clp rtl/dacache/dac_clp.v 'kernel_start && !(|ins_match)' 'kernel_start'
plant dac_vc rtl/dacache/dac_vc.v 'valid_d = taken' 'valid_d = valid_q'
slow plant dac_part rtl/dacache/dac_part.v 'if (grow) begin
            cnt_d = HALF' 'if (grow) begin
            cnt_d = cnt_q'
slow plant caps_percta rtl/caps/caps_percta.v 'ld_hit && by_leader' 'ld_hit'
slow plant caps_dist rtl/caps/caps_dist.v 'trailing && !over && !hit' 'trailing && !over'
slow plant caps_top rtl/caps/caps_prefetch_gen.v 'full = pf_pending_q[pf_tail_q]' "full   = 1'b0"
slow plant rdu_signature rtl/rdu/rdu_signature.v 'sig_q | mask' '(found ? mask : sig_q | mask)'
slow plant avu rtl/rdu/avu.v 'same ? fresh : mshr_tag' 'mshr_tag'
slow plant avu rtl/rdu/avu.v 'else if (tested)                 granule_q <= after' "else if (tested) granule_q <= after + 1'b1"
slow plant spref_itercnt rtl/spref/spref_itercnt.v ' & {4{mask[g]}}' ''
slow plant spref_itercnt rtl/spref/spref_sum.v 'for (i = 0; i < 32;' 'for (i = 0; i < 31;'
slow plant spref_tagtrk rtl/spref/spref_tagtrk.v 'if (chosen[r]) begin' 'if (chosen[r] && !imm_valid) begin'
slow plant rdu rtl/rdu/rdu.v 'pop && ack_has_sig' 'answer && ack_has_sig'

# refused TEXT: a property that means no signal of the module, or means two.
refused() {
    local file=cmodel/units/iacm/idle_mon/idle_mon.props.v
    cp $file kept
    echo "$1" >>$file
    PROPERTIES_FIRST=1 tb/prove/properties.sh idle_mon >out 2>&1
    if [ $? != 6 ] || ! grep -q '^BUILD    idle_mon' out; then
        echo "properties: '$1' was not refused"
        cat out
        bad=1
    fi
    mv kept $file
}
refused "reg watches = 1'b0; always @(posedge clk) watches <= 1'b1;"
refused 'always @* if (started) assert (u_add.total == total);'
exit $bad
