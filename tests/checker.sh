#!/usr/bin/env bash
# checker.sh - `--check memory,race,init,race-global` finds each planted fault of tests/checker/planted.ptx, and says
# kernel, line, line of the source text, block, thread and address; it finds nothing where there is
# nothing: in clean kernels and in every workload, whose statistics stay as they are without it.
set -u
cd "$(dirname "$0")/.."
. tests/workloads.inc
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
say() { echo "checker: $*"; bad=1; }

# run KERNEL CHECKS: one block (or $blocks) of 256 threads and a buffer of a word each.
run() {
    printf '[launch]\nkernel = %s\ngrid = %s\nblock = 256\n[args]\nb = buffer b\n[buffer b]\nbytes = 1024\ninit = %s\n' \
        "$1" "${blocks:-1}" "${3:-zero}" >"$work/launch.ini"
    build/warplock run --ptx tests/checker/planted.ptx --launch "$work/launch.ini" --check "$2" >"$work/out" 2>"$work/err"
}
# finds KERNEL KIND CHECKS COUNT PATTERN: status 1, one line of the kind, so many accesses.
finds() {
    run "$1" "$3" "${6:-zero}"
    [ $? = 1 ] || say "$1: not status 1"
    [ "$(grep -c "check: $2: kernel $1, planted.ptx:" "$work/err")" = 1 ] || say "$1: not one line of $2"
    grep -q "$5" "$work/err" || { say "$1: no line with $5"; cat "$work/err"; }
    grep -q "check: 1 finding in $4 accesses$" "$work/err" || { say "$1: not 1 finding in $4 accesses"; cat "$work/err"; }
}
place='block (0,0,0), thread'
all=memory,race,init
finds outside_global memory $all 2 "planted.ptx:69 (planted.cu:11): 4-byte store at 0x[0-9a-f]*00 outside every buffer; nearest is \"b\" of 1024 bytes at .*, $place (254,0,0)\$"
finds outside_shared memory $all 1 "(planted.cu:22): 4-byte access at 0x400 outside shared memory, $place (255,0,0)\$"
finds outside_local memory $all 240 "(planted.cu:33): 4-byte access at 0x40 outside local memory, $place (16,0,0)\$"
finds misaligned memory $all 128 "(planted.cu:44): 4-byte access at misaligned address 0x[0-9a-f]*2, $place (1,0,0)\$"
finds race_write_read race race 256 "4-byte load at 0x.* of shared memory, which thread (.*) wrote at planted.ptx:[0-9]* (planted.cu:55) with no barrier between"
finds race_read_write race race 256 "(planted.cu:67): 4-byte store at .* of shared memory, which thread (.*) read at planted.ptx:[0-9]* (planted.cu:66) with no"
finds race_one_store race race 232 "(planted.cu:77): 4-byte store at 0x0 of .* wrote with another value at planted.ptx:[0-9]* (planted.cu:77)"
finds init_shared init $all 1 "(planted.cu:88): 4-byte load at 0x190 of shared memory, of which byte 0x190 was never written, $place (100,0,0)\$"
finds init_global init $all 1 "(planted.cu:99): 4-byte load at 0x[0-9a-f]*3fc of global memory that was never written, $place (255,0,0)\$" none

# Locks, flags and mbarriers order with their fences, and only with them; blocks of a grid race, too.
races() { # KERNEL CHECKS PATTERN [BLOCKS]
    blocks=${4:-1} run "$1" "$2"
    [ $? = 1 ] && grep -q "check: race: kernel $1, planted.ptx:.*$3" "$work/err" || { say "$1: no race $3"; cat "$work/err"; }
}
races race_lock race "(planted.cu:111): 4-byte load at 0x4 of shared memory, which thread .* wrote at"
races race_flag race-global "(planted.cu:121): 4-byte load at 0x.*4 of global memory, which thread (0,0,0) of block (0,0,0) wrote at .* with nothing between that orders them"
races race_blocks race-global "(planted.cu:130): 4-byte store at .* wrote at planted.ptx:[0-9]* (planted.cu:130)" 3
races race_mbarrier race "(planted.cu:141): 4-byte load at .* of shared memory, which thread"
run race_flag race || say "a race of global memory, unasked for"
for kernel in clean_lock clean_flag clean_mbarrier clean clean_named clean_atomics init_global; do
    run $kernel $all,race-global && ! grep -q 'check:' "$work/err" || { say "$kernel: a finding where there is none"; cat "$work/err"; }
done
# A kind that is not asked for is not looked for; a fault stays one.
run race_write_read memory,init || say "a race, unasked for"
run outside_shared race
[ $? = 2 ] && grep -q 'outside shared memory' "$work/err" || say "a fault goes on although memory is not looked at"
build/warplock run -w vecadd --check memory,races >"$work/out" 2>"$work/err"
[ $? = 2 ] || say "--check memory,races is accepted"
grep -q 'write memory, race and init' "$work/err" || say "no word about --check memory,races"

# Graph algorithms whose threads read what others of the same grid write, as they mean to.
relaxed=' bfs_dd bfs_wc colouring components drelax mis stcon '
for workload in $(all_workloads); do
    together "$workload" && continue
    case $relaxed in *" $workload "*) kinds=$all ;; *) kinds=$all,race-global ;; esac
    build/warplock run -w "$workload" --size tiny --set machine.sms=2 --set machine.sms_per_node=1 --check $kinds \
        --json "$work/checked.json" >"$work/out" 2>"$work/err" || { say "$workload with --check"; head -3 "$work/err"; }
done
build/warplock run -w gemm --size tiny --json "$work/plain.json" >"$work/out" 2>&1
build/warplock run -w gemm --size tiny --check $all --json "$work/checked.json" >"$work/out" 2>&1
[ "$(jq .statistics.cycles "$work/plain.json")" = "$(jq .statistics.cycles "$work/checked.json")" ] || say "--check changes the cycles of gemm"
[ $bad = 0 ] && echo "checker: each planted fault found, nothing else"
exit $bad
