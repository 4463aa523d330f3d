#!/usr/bin/env bash
# planted.sh - bugs planted in a copy of the tree: each must be found, reported with
# port and step, and come back under the replay command that the report gives.
set -u
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/build"
cp -r cmodel rtl tb tests "$work"
cp -r build/warplock build/tools build/verilated "$work/build"
find "$work/build" -type f -exec touch {} +
cd "$work"
bad=0

# plant UNIT FILE SED PATTERN [OPTIONS...]: after the edit, check must fail with PATTERN, replay
# must fail too.
plant() {
    local unit=$1 file=$2 edit=$3 pattern=$4; shift 4
    cp "$file" kept
    sed -i "$edit" "$file"
    cmp -s kept "$file" && { echo "planted: '$edit' changes nothing in $file"; bad=1; }
    timeout 600 build/warplock check "$unit" --steps 200000 "$@" >out 2>&1
    if [ $? != 1 ] || ! grep -qE "$pattern" out; then
        echo "planted: '$edit' in $file was not reported as /$pattern/"; cat out; bad=1
    else
        again=$(grep '^again: .*build/fail' out | sed 's/^again: //')
        $again >out2 2>&1
        [ $? = 1 ] || { echo "planted: '$again' does not fail again"; cat out2; bad=1; }
    fi
    mv kept "$file"
}
plant fup20 rtl/index/fup20.v "s/group\[3\*LOGN +: LOGN\]/{1'b0, group[3*LOGN +: LOGN-1]}/" 'output set_index +c 0x.* rtl 0x'
plant icm_monitor rtl/index/icm_monitor.v 's/nacc_q    <= {NACC_W{\(1.b0\)}};/nacc_q    <= {NACC_W{~\1}};/' 'state .*nacc.* c 0x0 +rtl 0x'
plant icm_monitor cmodel/units/index/icm_monitor/icm_monitor.c 's/touched\[/touched[0 * /' 'MISMATCH icm_monitor'
# Keys of which the highest bit is not compared; a restart that a kernel launch forgets.
model=cmodel/units/dacache/dac_vc/dac_vc.c
plant dac_vc $model 's/s->pc\[i\] == in->pc &&/!((s->pc[i] ^ in->pc) << 20) \&\&/' 'MISMATCH dac_vc'
model=cmodel/units/oaws/oaws_dlc_entries.h
plant oaws_dlc $model 's/s->pc\[i\] == pc &&/!((s->pc[i] ^ pc) << 25) \&\&/' 'MISMATCH oaws_dlc'
model=cmodel/units/adi/adi_engine/adi_engine.c
plant adi_engine $model '/at_home && !is_flushing/,/begin_vic/s/begin_vic(s);/{ bool kept = s->again; begin_vic(s); s->again = kept; }/' \
    'state .*again' --param M=6,NV=60,NS=60,NI=100,IDLE_IN_CYCLES=1,ADI_RESET_ON_KERNEL=1,ADI_DEC_CYC=3

# Both forms of a unit are the same function: a model of several cycles that is another is noticed,
# be there an RTL or not; so is one that answers when its table does not say so.
alone() { # UNIT FILE SED PATTERN
    cp "$2" kept
    sed -i "$3" "$2"
    cmp -s kept "$2" && { echo "planted: '$3' changes nothing in $2"; bad=1; }
    build/warplock check "$1" --backend c --steps 20000 >out 2>&1
    [ $? != 0 ] && grep -qE "$4" out || { echo "planted: '$3' in $2 was not reported as /$4/"; cat out; bad=1; }
    mv kept "$2"
}
alone caps_dist cmodel/units/caps/caps_dist/caps_dist.c 's/return !s->judge_same;/return s->judge_same;/' \
    'forms +differ: caps_dist: .*mispredict'
alone caps_dist cmodel/units/caps/caps_dist/caps_dist.c 's/out->verify = e.verify;/out->verify = in->ld_valid;/' \
    'verify without a ld_valid taken'

# A register in the RTL alone is refused by the build.
cp rtl/index/icm_monitor.v kept
sed -i 's/assign overrun *= /reg secret_q; always @(posedge clk) secret_q <= ~rst \& acc_valid;\n    assign overrun = secret_q ^ /' rtl/index/icm_monitor.v
if make -s -f tb/variant.mk UNIT=index/icm_monitor >out 2>&1 || ! grep -q 'the table of icm_monitor declares' out; then
    echo "planted: a register outside the table was accepted"; cat out; bad=1
fi
mv kept rtl/index/icm_monitor.v
exit $bad
