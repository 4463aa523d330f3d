#!/usr/bin/env bash
# planted.sh - bugs planted in a copy of the tree: each must be found, reported with
# port and step, and come back under the replay command that the report gives.
set -u
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/build/tools" "$work/build/verilated"
cp -r cmodel rtl tb tests "$work"
cp build/warplock "$work/build"
cp build/tools/portcheck "$work/build/tools"
cp build/verilated/libverilated.a "$work/build/verilated"
touch -r build/tools/portcheck "$work/build/verilated/libverilated.a"
cd "$work"
bad=0

# plant UNIT FILE SED PATTERN: after the edit, check must fail with PATTERN, replay must fail too.
plant() {
    local unit=$1 file=$2 edit=$3 pattern=$4
    cp "$file" kept
    sed -i "$edit" "$file"
    cmp -s kept "$file" && { echo "planted: '$edit' changes nothing in $file"; bad=1; }
    timeout 120 build/warplock check "$unit" --steps 1000000 >out 2>&1
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
plant icm_monitor rtl/index/icm_monitor.v 's/nacc_q    <= {NACC_W{1.b0}};/nacc_q    <= nacc_d;/' 'state .*nacc.* c 0x0 +rtl 0x'
plant icm_monitor cmodel/units/index/icm_monitor/icm_monitor.c 's/touched\[/touched[0 * /' 'MISMATCH icm_monitor'

# A register in the RTL alone is refused by the build.
cp rtl/index/icm_monitor.v kept
sed -i 's/assign overrun = /reg secret_q; always @(posedge clk) secret_q <= ~rst \& acc_v;\n    assign overrun = secret_q ^ /' rtl/index/icm_monitor.v
if make -s -f tb/variant.mk UNIT=index/icm_monitor >out 2>&1 || ! grep -q 'the table of icm_monitor declares' out; then
    echo "planted: a register outside the table was accepted"; cat out; bad=1
fi
mv kept rtl/index/icm_monitor.v
exit $bad
