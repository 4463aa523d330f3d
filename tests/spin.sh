#!/usr/bin/env bash
# spin.sh - the forward-progress watch: kernels that wait for ever are reported with what
# they wait for, those that wait long are not.  The watch looks after 2000 cycles, so that a
# wait of some tens of thousands is long.
set -u
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
say() { echo "spin: $*"; head -n 8 "$work/out"; bad=1; }

spin() { # KERNEL CTAS ARGUMENTS OPTIONS...: exit status in $got, output in $work/out
    local kernel=$1 ctas=$2 arguments=$3; shift 3
    printf '[launch]\nkernel = %s\ngrid = %s\nblock = %s\n%b[buffer flags]\nbytes = 4096\n' \
        "$kernel" "$ctas" "${threads:-32}" "${arguments:+[args]\n$arguments}" >"$work/launch.ini"
    timeout 120 build/warplock run --ptx tests/spin/spin.ptx --launch "$work/launch.ini" -c fermi15 \
        --set machine.spin_cycles=2000 "$@" >"$work/out" 2>&1
    got=$?
}
expect() { # STATUS PATTERN...: every pattern is in the output
    local status=$1 pattern; shift
    [ $got = "$status" ] || say "status $got, not $status"
    for pattern in "$@"; do grep -Eq "$pattern" "$work/out" || say "no /$pattern/"; done
}
flags='f = buffer flags\n'

# 8 CTAs fit an SM: 120 of 121.  The last one, which nobody waits for, would end the chain.
spin chain 120 "$flags"; expect 0 'CTAs|cycles'
for options in '--threads 1' '--threads 2' --every-cycle; do
    # shellcheck disable=SC2086
    spin chain 121 "$flags" $options
    expect 3 'STUCK: kernel chain \(spin.ptx\) spins.*\(0 of 121 CTAs done\)' \
        '1 CTAs wait for room, 120 fit the machine' \
        'SM 3 CTA 18 warp 0: line 22, load of 0x[0-9a-f]*4c \(flags \+ 76\), which stays 0x0' \
        'and [0-9]+ warps more'
    sed 's/ [0-9.]* cycles.s//' "$work/out" | grep -A999 STUCK >"$work/report"
    [ -s "$work/first" ] || cp "$work/report" "$work/first"
    cmp -s "$work/first" "$work/report" || say "another report with $options"
done
spin lock 1 ''; expect 3 'kernel lock \(spin.ptx\) spins' 'SM 0 CTA 0 warp 0: a loop without global'

# Two that change memory, to and fro: for ever, and so many times.
for options in '--threads 2' --every-cycle; do
    # shellcheck disable=SC2086
    spin pingpong 2 "$flags" $options
    expect 3 'kernel pingpong \(spin.ptx\) spins.*values go to and fro' \
        'SM 0 CTA 0 warp 0: line [0-9]*, load of 0x[0-9a-f]* \(flags \+ 0\)' 'SM 1 CTA 1 warp 0: line'
done
threads=64 spin handoff 1 ''; expect 3 'kernel handoff \(spin.ptx\) spins.*values go to and fro' 'SM 0 CTA 0 warp 0'
spin locked 3 "${flags}n = u32 0\\n"; expect 3 'kernel locked \(spin.ptx\) spins.*values go to and fro'
spin locked 3 "${flags}n = u32 30000\\n"; expect 0 'CTAs|cycles'
spin rally 2 "${flags}n = u32 300\\n"; expect 0 'CTAs|cycles'
spin climb 2 "${flags}n = u32 600\\n"; expect 0 'CTAs|cycles'
# What CTA 1 waits for is there for a moment in each round: it comes by in the end.
spin blink 2 "${flags}n = u32 103\\n"; expect 0 'CTAs|cycles'
spin late 3 "${flags}n = u32 20000\\n"; expect 0 'CTAs|cycles'
spin clocked 3 "${flags}n = u32 60000\\n"; expect 0 'CTAs|cycles'
exit $bad
