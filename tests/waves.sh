#!/usr/bin/env bash
# waves.sh - waveforms answer the question: a bug planted in RTL is found inside a
# simulation and shown where it is; every layout names signals that exist; tracing changes
# no statistic and what it shows adds up to them; wrong use gives one line.
#   waves.sh [planted] [layouts] [same] [wrong_use]
set -u
cd "$(dirname "$0")/.."
. tests/fst.inc
tree=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
say() { echo "waves: $*"; bad=1; }

# ---- bugs planted in a copy of the tree ----

plant_tree() {
    mkdir -p "$work/tree/build"
    cp -r cmodel rtl tb "$work/tree"
    cp -r build/warplock build/tools build/verilated "$work/tree/build"
    find "$work/tree/build" -type f -exec touch {} +
}

# on_page FST LAYOUT: the marker is on the page that GTKWave opens: it takes the layout's start only
# when the wave fills the page from there; a page of 940 pixels has 4.7 * 2^-zoom units of time.
on_page() {
    fst2vcd "$1" 2>/dev/null | awk -v layout="$2" '
        BEGIN {while ((getline line <layout) > 0) {
                   split(line, word, " ")
                   if (word[1] == "[timestart]") start = word[2]
                   if (line ~ /^\*/) {page = 4.7 * 2 ^ -substr(word[1], 2); marker = word[2]}}}
        /^#/ {last = substr($1, 2) + 0}
        END {if (start > last - page) start = 0
             exit !(page > 0 && start <= marker && marker <= start + page)}'
}

# plant UNIT FILE SED OPTIONS FIELD: the run must fail, FIELD be what differs, first in the
# layout, with its mismatch bit 1 at the marker; the replays must fail, too.
plant() {
    local unit=$1 file=$2 edit=$3 options=$4 field=$5 fst layout marker signal
    cp "$file" kept
    sed -i "$edit" "$file"
    cmp -s kept "$file" && say "'$edit' changes nothing in $file"
    rm -rf build/fail
    timeout 120 build/warplock run -w bfs --size $graph -c fermi15 $options >out 2>&1
    [ $? = 1 ] || { say "'$edit': the run did not end with a mismatch"; tail -n 5 out; }
    read -r _ _ fst layout <<<"$(grep '^wave: ' out)"
    if [ ! -s "$fst" ] || [ ! -s "$layout" ]; then
        say "'$edit': no waveform or layout"; grep -v '^  ' out
    else
        marker=$(awk '/^\*/ {print $2; exit}' "$layout")
        signal=$(grep -m 1 "\.${field}_mismatch$" "$layout")
        head -n 25 "$layout" | grep -q "\.${field}_mismatch$" || say "'$edit': $field is not in the layout's first lines"
        [ "$(fst_value "$fst" "$signal" "$marker")" = 1 ] || say "'$edit': $signal is not 1 at $marker"
        on_page "$fst" "$layout" || say "'$edit': GTKWave does not open $fst at $marker"
        [ -z "$(comm -23 <(layout_names "$layout") <(fst_names "$fst"))" ] || say "'$edit': $layout names signals that do not exist"
    fi
    grep -E '^(again|short): ' out | sed -E 's/^[a-z]+: //; s/ \(.*//' >commands
    [ "$(wc -l <commands)" = 2 ] || say "'$edit': no two replays"
    while read -r command; do
        $command >out2 2>&1
        [ $? = 1 ] || { say "'$command' does not fail again"; cat out2; }
    done <commands
    mv kept "$file"
}

# Enough warps in each SM that a scheduler has a choice.
graph=graph=degree,vertices=4096,edges=24576,block=512
planted() {
    plant_tree
    cd "$work/tree"
    # A register, many steps after all that is kept: the replay starts from a state.
    plant gto_sched rtl/sched/gto_sched.v 's/warp_exit_valid && warp_exit_wid == last_wid_q/warp_exit_valid \&\& warp_exit_wid == last_wid_q \&\& warp_exit_wid != 5/' \
        "-m gto -b gto_sched=lockstep --past 16" last_valid
    grep -q '^load last_wid=' build/fail/gto_sched-*0.seq || say "the replay starts from no state"
    grep -q 'gto_sched.rtl.last_valid_d$' build/fail/gto_sched-*0.gtkw || say "the waveform lacks what is inside the RTL"
    # An output, wrong under some inputs only; the ring still reaches back to the reset.
    plant gto_sched rtl/sched/gto_sched.v 's/assign greedy  *= last_ok;/assign greedy   = last_ok \& ~ready[6];/' \
        "-m gto -b gto_sched=lockstep" greedy
    # A unit without state.
    plant fup20 rtl/index/fup20.v "s/group\[LOGN +: LOGN\]/{1'b0, group[LOGN +: LOGN-1]}/" \
        "-m fup20 -b fup20=lockstep" set_index
    cd "$tree"
}

# ---- layouts ----

layouts() {
    local unit fault
    for unit in $(tb/rows.sh units | sed 's|.*/||'); do
        waves/waves.sh record "$unit" || { say "the scenario of $unit does not play"; continue; }
        fault=$(wave_fault "build/waves/$unit.fst" "$(ls cmodel/units/*/"$unit/$unit.gtkw")")
        [ -z "$fault" ] || say "$fault"
    done
}

# ---- tracing changes nothing, and adds up ----

same() {
    local out=$work/same run="build/warplock run -w atax --size tiny -c fermi15 -m fup20,gto"
    mkdir -p "$out"
    $run --json "$out/plain.json" >/dev/null
    $run --json "$out/units.json" --wave "$out/units.fst" >/dev/null
    $run --json "$out/lockstep.json" -b fup20=lockstep,gto_sched=rtl --wave "$out/l.fst" --wave-unit 'sm[01].*' >/dev/null
    $run --json "$out/machine.json" --wave "$out/machine.fst" --wave-machine >/dev/null
    $run --json "$out/again.json" --wave "$out/again.fst" --wave-machine --threads 2 >/dev/null
    for name in units lockstep machine again; do
        cmp -s "$out/plain.json" "$out/$name.json" || say "the statistics differ with the waveform '$name'"
        [ "$name" = again ] || [ -z "$(comm -23 <(layout_names "$out/${name/lockstep/l}.gtkw") <(fst_names "$out/${name/lockstep/l}.fst"))" ] ||
            say "the layout of '$name' names signals that do not exist"
    done
    # What the probe shows of each cycle, summed, is what the machine counted.
    for pair in misses:load_misses hits:load_hits merges:load_merges; do
        shown=$(fst_integral "$out/machine.fst" "^machine.sm[0-9]+.l1d.${pair%:*}\$" 1000)
        counted=$(grep -oE "\"${pair#*:}_(coherent|divergent)\": [0-9]+" "$out/plain.json" | awk '{if (!($1 in seen)) n += $2; seen[$1]} END {print n + 0}')
        [ "$shown" = "$counted" ] || say "L1D ${pair%:*}: the waveform has $shown, the statistics $counted"
    done
    $run --wave "$out/w.fst" --wave-machine --wave-window 500:600 >/dev/null
    fst2vcd "$out/w.fst" 2>/dev/null | awk '/^#/ {t = substr($1, 2) + 0; if (!n++) first = t; before = last; last = t}
        END {exit !(first == 500000 && before == 600000 && last == 601000)}' || say "the window 500:600 is not what was written"
}

# ---- wrong use ----

# expect STATUS PATTERN COMMAND...: exit status, and one line that matches.
expect() {
    local status=$1 pattern=$2 got; shift 2
    "$@" >"$work/out" 2>&1
    got=$?
    if [ "$got" != "$status" ] || ! grep -qE -- "$pattern" "$work/out" || [ "$(wc -l <"$work/out")" != 1 ]; then
        say "$* gave $got, expected $status and one line /$pattern/:"; cat "$work/out"
    fi
}
vec() { printf '%b' "$1" >"$work/v.seq"; }

# Files that are broken, of another kind or of another unit.
wrong_files() {
    local w=build/warplock shot=waves/shot.sh fst=build/waves/bxor.fst layout=cmodel/units/index/bxor/bxor.gtkw f="$work/f"
    waves/waves.sh record bxor || say "the scenario of bxor does not play"
    head -c $(($(stat -c %s $fst) - 200)) $fst >"$f.fst"
    sed '/^bxor.in/ {s/...$//; q}' $layout >"$f.gtkw"
    sed "s|^bxor.in|^1 $f.none\\n&|" $layout >"$f.filter.gtkw"
    expect 2 'needs FST GTKW PNG' $shot $fst
    expect 2 'f.none.fst: cannot be read; check the path' $shot "$f.none.fst" $layout "$f.png"
    expect 2 'f.fst: not a whole FST waveform; record it again' $shot "$f.fst" $layout "$f.png"
    expect 2 'README.md: not a whole FST waveform' $shot README.md $layout "$f.png"
    expect 2 'f.gtkw:[0-9]+: .*bxor.fst has no signal .bxor\.[^ ]*. \(1 missing\); take the layout' $shot $fst "$f.gtkw" "$f.png"
    expect 2 "cmodel/units/index/rxi/rxi.gtkw:18: .* has no signal .rxi.in.*draft it anew" $shot $fst cmodel/units/index/rxi/rxi.gtkw "$f.png"
    expect 2 'README.md: not a GTKWave save file' $shot $fst README.md "$f.png"
    expect 2 'f.filter.gtkw: .*f.none is no table of values and names' $shot $fst "$f.filter.gtkw" "$f.png"
    expect 2 'bxor.fst: not a text file' $w replay $fst
    expect 2 'bxor.gtkw:1: the first line must be `unit NAME`' $w replay $layout
    expect 2 'bxor.fst:1: .*this is no trace' $w run --trace $fst -c fermi15
    expect 2 "bxor.gtkw:[0-9]+: the list names no kernel; its lines are 'kernel-N.traceg'" $w run --trace $layout -c fermi15
    expect 2 'f.none:1: No such file.*check the path' $w run --trace "$f.none" -c fermi15
}

wrong_use() {
    local w=build/warplock run="build/warplock run -w bfs --size tiny -c fermi15"
    expect 2 'no unit has this name; there are sm0.l1d.index,.* and 9 more' $run -m fup20 --wave "$work/x.fst" --wave-unit sm99.l1d.index
    expect 2 'no unit has this name; -m plugs' $run --wave "$work/x.fst" --wave-unit sm0.l1d.index
    expect 2 'there is nothing to show' $run --wave "$work/x.fst"
    expect 2 'need --wave FILE' $run --wave-machine
    expect 2 'x.fst: cannot be written' $run -m fup20 --wave "$work/no/such/x.fst"
    vec 'unit icm_monitor\ntest a\nload nacc_q=1\nstep\n'; expect 2 "v.seq:3: icm_monitor has no state field 'nacc_q'" $w replay "$work/v.seq"
    vec 'unit icm_monitor\ntest a\nstep\nload\n';          expect 2 'v.seq:4: `load` after a step' $w replay "$work/v.seq"
    vec 'unit icm_monitor\ntest a\nload touched=1,2,3\nstep\n'; expect 2 'v.seq:3: touched=2 does not fit 1 bits' $w replay "$work/v.seq"
    vec 'unit icm_monitor\ntest a\nload\nstep\n';          expect 2 'v.seq: starts from a state .*c\+netlist cannot' $w replay "$work/v.seq" --backend c+netlist
    expect 0 'PASS' $w replay "$work/v.seq"
    expect 2 'cannot be written' $w replay "$work/v.seq" --wave "$work/no/x.fst"
    expect 2 'x.gtkw: cannot be written' $w replay "$work/v.seq" --wave "$work/x.fst" --layout "$work/no/x.gtkw"
    head -c 3000 /dev/urandom >"$work/v.seq";              expect 2 'v.seq' $w replay "$work/v.seq"
    wrong_files
    expect 2 "no unit 'nope'" waves/waves.sh draft nope
    expect 2 "no unit 'nope'" waves/waves.sh record nope
}

for part in ${@:-planted layouts same wrong_use}; do
    $part
done
exit $bad
