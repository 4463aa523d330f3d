#!/usr/bin/env bash
# planted_readings.sh - a sentence read wrongly the same way in C and Verilog stays hidden from any
# comparison of the two: a vector must hold it.  Each misreading is planted into the C model of a copy of
# the tree, and the vector named beside it must fail, by the model alone.
set -u
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/build" "$work/cmodel"
cp -r cmodel/units "$work/cmodel"
cp -r rtl tb "$work"
cp -r build/warplock build/tools build/verilated "$work/build"
find "$work/build" -type f -exec touch {} +
cd "$work/cmodel/units" || exit 1
bad=0 found=0

# misread UNIT TEST FILE FROM TO: with FROM in FILE made TO, TEST of UNIT's vectors fails.
misread() {
    local unit=$1 test=$2 file=$3 from=$4 to=$5
    local play=(../../build/warplock replay "$unit/${unit##*/}.vec" --test "$test" --backend c)
    [ $# = 5 ] || { echo "planted_readings: $test has $# fields"; bad=1; }
    cp "$file" kept
    FROM=$from TO=$to perl -0pi -e 's/\Q$ENV{FROM}\E/$ENV{TO}/' "$file"
    cmp -s kept "$file" && { echo "planted_readings: '$from' is not in $file"; bad=1; }
    "${play[@]}" >out 2>&1
    if [ $? = 1 ] && grep -q "^MISMATCH.*test $test, step" out; then
        found=$((found + 1))
    else
        echo "planted_readings: '$from' made '$to' in $file was not found by $test"; cat out; bad=1
    fi
    mv kept "$file"
}
# 3.7.5 of aci-iacm-blpp: a tie of the least entropy goes to the lowest position; "lower" is strict.
scan=adi/adi_scan.h
misread adi/adi_engine tie-of-entropies $scan 'fold(s->ce[item]) < scan->low_e)' 'fold(s->ce[item]) <= scan->low_e)'
misread adi/adi_engine entropy-equals-usefulness $scan 'scan->low_e < scan->low_u ?' 'scan->low_e <= scan->low_u ?'
# 3.2.2 to 3.2.4 of caps-prefetch, in the tables by themselves and in the algorithm as a whole.
dist=caps/caps_dist/caps_dist.c top=caps/caps_top/caps_top.c
misread caps/caps_dist stages_verify $dist 'return !s->judge_same;' 'return !s->judge_same || in->ld_wic < in->percta_lead;'
misread caps/caps_top below_the_leader_right caps/caps_top_once.h 'seen->right = true;' 'seen->right = in->ld_wic > seen->base.lead;'
misread caps/caps_dist over_refreshes $dist 'if (TOUCH_ON_VERIFY) {' 'if (TOUCH_ON_VERIFY && in->ld_n <= 4) {'
misread caps/caps_top over_refreshes $top '++;
    }
    lru_rank_touch(s->dist_age, DIST_ENTRIES, way);' '++;
    }
    if (right) lru_rank_touch(s->dist_age, DIST_ENTRIES, way);'
misread caps/caps_dist same_throttled_by_this_one $dist 'counted(s, e) > THR' 's->count[e->way] > THR'
misread caps/caps_top same_throttled_by_this_one $top 's->dist_count[seen->way] <= THR) {
        start_job(in, s->dist_stride[seen->way], false, done);' 's->dist_count[seen->way] <= THR + !seen->right) {
        start_job(in, s->dist_stride[seen->way], false, done);'
misread caps/caps_percta invalidation_keeps_ranks caps/caps_percta/caps_percta.c 'action == ALLOCATE || action == UPDATE ||
' 'action != NOTHING ||
'
for unit in caps_prefetch_gen caps_top; do
    misread caps/$unit newest_job_is_discarded caps/caps_walk.h 'if (job->valid && !drop) {' \
        's->job_tail = (uint8_t)((s->job_tail + (drop ? JOB_ENTRIES - 1 : 0)) % JOB_ENTRIES);
    if (job->valid) {'
done
misread caps/pas_sched launch_before_demotion caps/pas_lists.h '    if (change_residents(s, &events)) {
        append_pending(s, (unsigned)in->warp_launch_wid);
    }
    out->demoted = demote(s, in->blocked);' '    const bool launches = change_residents(s, &events);
    out->demoted = demote(s, in->blocked);
    if (launches) {
        append_pending(s, (unsigned)in->warp_launch_wid);
    }'
misread caps/pas_sched demoted_before_the_launch caps/pas_moves.h '.first = moving & ~head & ~launches,
                                          .last = launches}' '.first = launches, .last = moving & ~head & ~launches}'
# wang2015, D-LRU-1 and A.6; PCs that differ in their highest bit alone.
misread dacache/dac_victim lowest-of-invalid dacache/dac_victim/dac_victim.c 'in->lru_stack[i] < out->vway;' 'in->lru_stack[i] < WAYS;'
misread dacache/dac_vc keys-one-bit-apart dacache/dac_vc/dac_vc.c 's->pc[i] == in->pc &&' '!((s->pc[i] ^ in->pc) << 20) &&'
misread oaws/oaws_dlc every-bit-of-the-PC oaws/oaws_dlc_entries.h 's->pc[i] == pc &&' '!((s->pc[i] ^ pc) << 25) &&'
for unit in age_rank gto_sched; do
    misread sched/$unit no-such-slot-of-five sched/ranks.h 'if (slot >= WARPS || ranks' 'slot = slot == WARPS ? 0 : slot;
    if (slot >= WARPS || ranks'
done
# 3.6.4, 3.6.9, 3.6.10 and 3.7.5 of tabbakh2018.
l1=gtsc/gtsc_l1/gtsc_l1.c
misread gtsc/gtsc_l1 waiter-at-the-end-of-the-lease $l1 '!passes && x->ts <= rts' '!passes && x->ts < rts'
misread gtsc/gtsc_l1 volatile-load-leaves-the-line $l1 'default: /* VOLATILE */' 'default: has_copy(x) ? drop(x) : (void)0;'
misread gtsc/gtsc_l2 atomic-merges-nothing gtsc/gtsc_l2/gtsc_l2.c 'out->merge_ok = in->op == op_WRITE &&' 'out->merge_ok = write &&'
misread rdu/avu fill-starts-new-count rdu/avu/avu.c '        s->tag[in->fill_line] = s->mshr_tag[in->fill_mshr];
        s->hcnt[in->fill_line] = 0;' '        s->tag[in->fill_line] = s->mshr_tag[in->fill_mshr];'
# aci-iacm-blpp 3.13.7 and lakshminarayana2014-graph 3.4.4.
misread iacm/rpd_bypass bypass-ages-not iacm/rpd_bypass/rpd_bypass.c 'gets < 0 && !BYPASS_AGES' 'gets <= 0 && !BYPASS_AGES'
misread graph/rtt untracked-starts-over graph/rtt/rtt.c 'const bool restarts = reuse_is_last(s)' 'const bool restarts = s->phase == phase_HALVE && s->at != ENTRIES - 1'
echo "$found misreadings found, each by its vector"
exit $bad
