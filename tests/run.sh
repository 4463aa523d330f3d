#!/usr/bin/env bash
# run.sh - everything that can be checked in half an hour on two cores; logs in
# build/tests/log.  The netlists of large tables take minutes each to build: only those
# matching NETLISTS are checked here, `make netlists` checks all.
# Ends in one line: N passed, N failed.
set -u
cd "$(dirname "$0")/.."
log=build/tests/log
rm -rf "$log" && mkdir -p "$log"
steps=${STEPS:-200000}

# References in Python are started hundreds of times: by what set-up installed, since another
# python3 in PATH may be a script around it that takes longer than all steps.
mkdir -p build/tests/bin && ln -sf /usr/bin/python3 build/tests/bin/python3
export PATH=$PWD/build/tests/bin:$PATH

units=$(tb/rows.sh units) && sets=$(tb/rows.sh set) || exit 2
netlists=${NETLISTS:-^(index/[^p]|index/pmod|adi/adi_idx_mux|adi/flush_ctrl)}

list() {
    for unit in $units; do
        [[ $unit =~ $netlists ]] || continue
        unit=${unit##*/}
        printf 'netlist-%s\tbuild/warplock check %s --backend c+netlist --steps %s\n' "$unit" "$unit" $((steps / 10))
    done
    printf 'lint\ttests/lint.sh\n'
    printf 'docs\ttests/docs.sh\n'
    printf 'abi\ttests/abi.sh\n'
    printf 'project\ttests/project.sh\n'
    printf 'adopt\ttests/adopt.sh\n'
    printf 'tutorial\ttests/tutorial.sh\n'
    printf 'install\ttests/install.sh\n'
    printf 'lint-planted\ttests/lint_planted.sh\n'
    printf 'command-line\ttests/cli.sh\n'
    printf 'timed\ttests/timed.sh\n'
    printf 'coverage\ttests/coverage.sh\n'
    printf 'experiments\ttests/experiments.sh\n'
    printf 'report\ttests/report.sh\n'
    printf 'sweep\ttests/sweep.sh\n'
    printf 'run-code\ttests/run_code.sh\n'
    printf 'sweep-kill\ttests/sweep_kill.sh\n'
    printf 'slurm\ttests/slurm.sh\n'
    printf 'spin\ttests/spin.sh\n'
    printf 'checker\ttests/checker.sh\n'
    printf 'launch\ttests/launch.sh\n'
    printf 'cuda\ttests/cuda.sh\n'
    printf 'agreement\ttests/agreement.sh\n'
    printf 'cost\ttests/cost.sh\n'
    printf 'planted-bugs\ttests/planted.sh\n'
    printf 'planted-readings\ttests/planted_readings.sh\n'
    printf 'planted-machine\ttests/planted_machine.sh\n'
    printf 'goldens\ttests/golden.sh %s\n' $((steps / 200))
    printf 'translators\ttests/translators.sh %s fup20 icm_monitor flush_ctrl gto_sched\n' $((steps / 4))
    printf 'prove\ttests/prove.sh\n'
    printf 'prove-files\ttests/prove_files.sh\n'
    printf 'stale\ttests/stale.sh\n'
    printf 'ladder\ttests/ladder.sh\n'
    printf 'properties\ttests/properties.sh\n'
    printf 'rtl-parameters\ttests/rtl_parameters.sh\n'
    printf 'gtsc-protocol\ttests/gtsc_protocol.sh\n'
    printf 'waves\ttests/waves.sh\n'
    printf 'planted-coherence\ttests/planted_coherence.sh\n'
    printf 'planted-spref\ttests/planted_spref.sh\n'
    printf 'litmus\ttests/litmus.sh\n'
    for mechanisms in tests/mechanisms*.sh; do
        printf '%s\t%s\n' "$(basename "$mechanisms" .sh)" "$mechanisms"
    done
    for shard in 0 1 2 3 4 5 6 7; do
        printf 'system-%d\ttests/system.sh %d 8\n' $shard $shard
    done
    for shard in 0 1; do
        printf 'trace-%d\ttests/trace.sh %d 2\n' $shard $shard
    done
    printf 'tracez\ttests/tracez.sh\n'
    for shard in {0..15}; do
        printf 'every-workload-%d\ttests/every_workload.sh %d 16\n' $shard $shard
    done
    for program in build/tests/test_*; do
        [ -x "$program" ] && [ -f "$program" ] && printf '%s\t%s\n' "$(basename "$program")" "$program"
    done
    for unit in $units; do
        printf 'check-%s\tbuild/warplock check %s --steps %s\n' "${unit##*/}" "${unit##*/}" "$steps"
    done
    while read -r unit set; do
        unit=${unit##*/}
        printf 'check-%s@%s\tbuild/warplock check %s --param %s --steps %s\n' "$unit" "$set" "$unit" "$set" "$steps"
    done <<<"$sets"
}

one() {
    local name=${1%%$'\t'*} command=${1#*$'\t'} started=$SECONDS
    if timeout 900 bash -c "$command" >"$log/$name.log" 2>&1; then
        echo "ok    $name ($((SECONDS - started)) s)"
    else
        echo "FAIL  $name: $command"
        tail -n 40 "$log/$name.log" | sed 's/^/      /'
        touch "$log/$name.failed"
    fi
}
export -f one
export log

list >"$log/list"
xargs -d '\n' -P "$(nproc)" -I{} bash -c 'one "$1"' _ {} <"$log/list"
total=$(wc -l <"$log/list")
failed=$(find "$log" -name '*.failed' | wc -l)
echo
echo "$((total - failed)) passed, $failed failed"
[ "$failed" = 0 ]
