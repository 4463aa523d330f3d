#!/usr/bin/env bash
# project.sh - a user's project outside the tree: begun, checked at every level, run inside a kernel;
# and what is refused.
set -u
cd "$(dirname "$0")/.."
w=$PWD/build/warplock
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0

# expect STATUS PATTERN COMMAND...: exit status, and a line of output that matches.
expect() {
    local status=$1 pattern=$2 got; shift 2
    "$@" >"$work/out" 2>&1
    got=$?
    if [ "$got" != "$status" ] || ! grep -qE -- "$pattern" "$work/out"; then
        echo "project: $* gave $got, expected $status and /$pattern/:"; tail -n 20 "$work/out"; bad=1
    fi
}
refuse() { expect 2 "$@"; [ "$(wc -l <"$work/out")" = 1 ] || { echo "project: more than one line:"; cat "$work/out"; bad=1; }; }

cd "$work" || exit 1
refuse "'2x' cannot be a name" "$w" new unit 2x
refuse "'module' cannot be a name" "$w" new unit module
refuse "'a;b' cannot be a name" "$w" new unit 'a;b'
refuse "'hot' is a port of the unit" "$w" new unit hot
refuse 'there is a unit named fup20' "$w" new unit fup20
refuse 'a mechanism needs a unit' "$w" new mechanism mine
expect 0 'cmodel/units/mine/hotline/hotline.vec' "$w" new unit hotline
cd hotline || exit 1
refuse 'is there already|there is a unit named hotline' "$w" new unit hotline

# Every level, as the unit stands.
expect 0 'PASS hotline  c.rtl' "$w" check hotline --steps 50000
expect 0 'PASS hotline  c.golden' "$w" check hotline --backend c+golden --steps 2000
expect 0 'PASS hotline  c.netlist' "$w" check hotline --backend c+netlist --steps 20000
expect 0 '1 proven' "$w" prove hotline
expect 0 'PROVEN' "$w" properties hotline
expect 0 'PASS .*100.0 %' "$w" mutate hotline --count 12
expect 0 'hotline.C1  agrees' "$w" cost hotline
expect 0 'build/waves/hotline.png' env -u DISPLAY "$w" waves hotline

# Inside a kernel, beside the tree's own.
expect 0 'hotwatch.c' "$w" new mechanism hotwatch
expect 0 'saxpy.ptx' "$w" new workload saxpy
expect 0 'limit=12' "$w" list mechanisms hotwatch
expect 0 'hotline x 15 on c.rtl: .* all equal' "$w" run -w saxpy --size tiny -m fup20,hotwatch:limit=5 -b hotline=lockstep
expect 0 'hotwatch +misses [1-9]' "$w" run -w bfs --size tiny -m hotwatch

# A sweep's points are run with the project, wherever; what of the project's changes makes them new.
cat >mine.json <<'EOT'
{"title": "mine", "machine": "fermi15", "size": "tiny", "workloads": ["saxpy"],
 "metrics": [{"name": "cycles", "of": "statistics.cycles"}, {"name": "misses", "of": "mechanisms.hotwatch.misses"}],
 "schemes": [{"name": "none"}, {"name": "hot", "mechanisms": "hotwatch"}]}
EOT
points() { sqlite3 -readonly mine.db "SELECT count(*) || ' ' || coalesce(sum(state = 'done'), 0) FROM point"; }
swept() { # points there and done at the end, why
    "$w" sweep mine.json -q -d mine.db || { echo "project: $2: the sweep failed"; bad=1; }
    [ "$(points)" = "$1" ] || { echo "project: $2: $(points) points and done, not $1"; bad=1; }
}
swept "2 2" "two schemes"
swept "2 2" "nothing has changed"
echo '/* more */ const int more_of_hotwatch = 1;' >>cmodel/mechanisms/mine/hotwatch.c
swept "4 4" "a mechanism has changed"
echo '/* more */' >>cmodel/units/mine/hotline/hotline.c
"$w" sweep mine.json -q -d mine.db --on list >commands
[ "$(wc -l <commands)" = 2 ] || { echo "project: the list of a changed unit:"; cat commands; bad=1; }
(cd / && env -u WARPLOCK_PROJECT sh) <commands || { echo "project: a command of the list failed"; bad=1; }
swept "6 6" "a list's results"
again=$(sqlite3 -readonly mine.db "SELECT command FROM point WHERE mechanisms = 'hotwatch' LIMIT 1")
(cd / && eval "${again/warplock/$w}" >"$work/out" 2>&1) || { echo "project: $again:"; cat "$work/out"; bad=1; }
echo '/* more */' >>cmodel/units/mine/hotline/hotline.c
"$w" sweep mine.json -q -d mine.db --on list >commands
echo '/* more */' >>cmodel/units/mine/hotline/hotline.c
sh <commands
"$w" sweep mine.json -q -d mine.db --on list >commands
[ "$(sqlite3 -readonly mine.db "SELECT count(*) FROM failed WHERE reason LIKE '%has changed since the sweep began%'")" = 2 ] ||
    { echo "project: points of a changed unit were run under an old key"; bad=1; }
cd "$work" || exit 1
expect 0 'hotline' "$w" --project hotline list units
expect 0 'PASS fup20' "$w" --project hotline check fup20 --steps 1000
expect 2 "no unit named 'hotline'" "$w" check hotline
cd hotline || exit 1

# A difference is found, and a wrong RTL not proven.
rtl=rtl/mine/hotline.v
sed -i 's/if (clear)/if (clear \&\& !hit)/' $rtl
expect 1 'MISMATCH' "$w" check hotline --steps 1000
expect 1 'REFUTED' "$w" prove hotline
sed -i 's/if (clear && !hit)/if (clear)/' $rtl

# What is wrong with a project is said, with the file.  A room that is missing, or is something else:
for room in $rtl cmodel/units/mine/hotline/hotline.{ports.h,stimulus.c}; do
    mv "$room" "$work/kept"
    refuse "$room: is not there; a unit has it" "$w" check hotline
    mv "$work/kept" "$room"
done
echo 'mine/gone' >>cmodel/units/units.list
refuse 'rtl/mine/gone.v: is not there; a unit has it .*, or no line in units.list' "$w" check gone
sed -i '$d' cmodel/units/units.list
mv experiments "$work/kept" 2>/dev/null
echo >experiments
refuse 'hotline/experiments: is a file; in a project that name is a folder' "$w" list units
rm experiments && { [ ! -e "$work/kept" ] || mv "$work/kept" experiments; }
mv cmodel/units/units.list "$work/kept" && mkdir cmodel/units/units.list
refuse 'units/units.list: the tree has a file of that name' "$w" list units
rmdir cmodel/units/units.list && mv "$work/kept" cmodel/units/units.list
# Names that make or a shell would read otherwise; what an editor has left is left alone.
for name in 'a b.v' '$(touch pwned).v' "it's.v" '-f.v' 'a;b.v' 'a:b.v' $'line\nfeed.v'; do
    touch -- "rtl/mine/$name"
    expect 2 'make reads such a name otherwise; use letters, digits' "$w" check hotline
    rm -- "rtl/mine/$name"
done
[ -z "$(find . -name 'pwned*')" ] || { echo "project: a file's name was run"; bad=1; }
touch 'rtl/mine/#hotline.v#' 'rtl/mine/hotline.v~'
expect 0 '^storage' "$w" ports hotline
rm 'rtl/mine/#hotline.v#' 'rtl/mine/hotline.v~'
# A table that its reset clears is a list of registers to Yosys; its mutants' state is compared as well.
expect 0 'tally.vec' "$w" new unit tally
room=cmodel/units/mine/tally
rm $room/tally.{golden.py,props.v,gtkw}
printf 'clock 1 none\n' >$room/tally.unit
cat >$room/tally.ports.h <<'END'
UNIT(tally, SEQUENTIAL, "three counts", "none")
IN(up, 3, ANY, "counts")
OUT(any, 1, REG, ALWAYS, "one is not 0")
STATE_ARRAY(count, 2, 3, AT(count_q), CLAIMED, ALWAYS, "the counts")
END
cat >$room/tally.c <<'END'
#define UNIT_TABLE "units/mine/tally/tally.ports.h"
#include "units/model.h"
static void comb(const struct state *s, const struct in *in, struct out *out)
{
    (void)in;
    out->any = s->count[0] || s->count[1] || s->count[2];
}
static void seq(struct state *s, const struct in *in)
{
    for (unsigned i = 0; i < 3; i++) s->count[i] = (uint8_t)((s->count[i] + (in->up >> i & 1)) & 3);
}
static void reset(struct state *s) { memset(s, 0, sizeof *s); }
MODEL_SEQUENTIAL
END
printf '#define UNIT_TABLE "units/mine/tally/tally.ports.h"\n#include "tb/stimulus.h"\nSTIMULUS(1000, NULL, NULL)\n' >$room/tally.stimulus.c
printf 'unit tally\ntest none\nrst\nstep up=0 -> any=0\n' >$room/tally.vec
cat >rtl/mine/tally.v <<'END'
`default_nettype none
module tally (
    input  wire       clk, rst,
    input  wire [2:0] up,
    output wire       any
);
    reg [1:0] count_q [0:2];
    assign any = |count_q[0] || |count_q[1] || |count_q[2];
    genvar g;
    generate
        for (g = 0; g < 3; g = g + 1) begin : g_count
            always @(posedge clk)
                if (rst)        count_q[g] <= 2'd0;
                else if (up[g]) count_q[g] <= count_q[g] + 1'b1;
        end
    endgenerate
endmodule
`default_nettype wire
END
expect 0 'PASS tally' "$w" check tally --steps 2000
expect 0 'PASS .*100.0 %' "$w" mutate tally --count 12

# A mechanism of a name that the tree has.
printf '/* z.c */\n#include "mechanisms/mechanism.h"\nconst struct mechanism mechanism_z = {.name = "fup20"};\n' >cmodel/mechanisms/mine/z.c
expect 2 'two mechanisms are named fup20, one of them the project.s; rename that' "$w" run -w saxpy --size tiny -m fup20
rm cmodel/mechanisms/mine/z.c
rm warplock.project && mkdir warplock.project
refuse 'warplock.project: is a folder; it is a file that says abi' "$w" --project . list units
rmdir warplock.project && printf '; mine\nabi = 1\n' >warplock.project
sed -i 's/= 1/= 99/' warplock.project
refuse 'warplock.project: made for version 99 of the interface' "$w" check hotline
sed -i 's/abi = 99/color = red/' warplock.project
refuse 'warplock.project:2: write abi = 1' "$w" check hotline
printf 'abi = 1\n' >warplock.project
mkdir -p rtl/index && cp $rtl rtl/index/fup20.v
refuse 'rtl/index/fup20.v: the tree has a file of that name' "$w" check hotline
rm -r rtl/index
mv cmodel/units/mine/hotline/hotline.unit .
refuse 'hotline.unit: is not there' "$w" prove hotline
mv hotline.unit cmodel/units/mine/hotline/
echo 'mine/x;touch pwned' >>cmodel/units/units.list
refuse 'units.list:[0-9]+: write family/unit' "$w" check hotline
[ ! -e pwned ] || { echo "project: a name of a list was run"; bad=1; }
sed -i '$d' cmodel/units/units.list
echo 'index/hotline' >>cmodel/units/units.list
refuse 'two units are named hotline' "$w" check hotline
sed -i '$d' cmodel/units/units.list
sed -i 's/OUT(hot, 1/OUT(hot, 2/' cmodel/units/mine/hotline/hotline.ports.h
expect 6 'port hot is output of 1 bits; the table says output of 2 bits' "$w" check hotline
sed -i 's/OUT(hot, 2/OUT(hot, 1/' cmodel/units/mine/hotline/hotline.ports.h
echo 'int' >>cmodel/mechanisms/mine/hotwatch.c
expect 2 'mechanisms and workloads do not compile' "$w" run -w bfs --size tiny -m hotwatch
mkdir "$work/with blank" && cp warplock.project "$work/with blank"
refuse 'blanks, quotes' "$w" --project "$work/with blank" list units
refuse 'absent/warplock.project: No such file' "$w" --project "$work/absent" list units
exit $bad
