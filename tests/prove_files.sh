#!/usr/bin/env bash
# prove_files.sh - `warplock prove my.v my.c my.ports.h`, outside any project: proven, refuted with the
# step that shows it, and what a proof cannot see in C is refused with its line.
set -u
cd "$(dirname "$0")/.."
w=$PWD/build/warplock
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
mkdir "$work/a folder" && cd "$work/a folder" || exit 1

# Counts up to MOST and stays: the same as x + 1 for all x but MOST.
cat >my.sv <<'EOT'
module my #(parameter MOST = 9) (input logic clk, input logic rst, input logic [3:0] add, output logic [3:0] sum);
  always_ff @(posedge clk) if (rst) sum <= '0; else if (sum <= MOST - add && add <= MOST) sum <= sum + add;
endmodule
EOT
cat >my.ports.h <<'EOT'
UNIT(my, SEQUENTIAL, "adds", "nothing")
PARAM(MOST, 9, 1, 15, "")
IN(add, 4, ANY, "")
OUT(sum, 4, REG, ALWAYS, "")
STATE(sum, 4, AT(sum), CLAIMED, "")
EOT
model() { # lines before seq, condition
    cat <<EOT
#define UNIT_TABLE "my.ports.h"
#include "units/model.h"
static void comb(const struct state *s, const struct in *in, struct out *out) { (void)in; out->sum = s->sum; }
$1
static void seq(struct state *s, const struct in *in)
{
    if ($2) {
        s->sum = (uint8_t)(s->sum + in->add);
    }
}
static void reset(struct state *s) { s->sum = 0; }
MODEL_SEQUENTIAL
EOT
}
model '' 's->sum + in->add <= MOST' >my.c
expect() { # status, pattern, words of prove...
    local status=$1 pattern=$2 got; shift 2
    "$w" prove "$@" >out 2>&1
    got=$?
    if [ "$got" != "$status" ] || ! grep -qE -- "$pattern" out; then
        echo "prove_files: $* gave $got, expected $status and /$pattern/:"; tail -n 20 out; bad=1
    fi
}
refuse() { expect 2 "$@"; [ "$(wc -l <out)" = 1 ] || { echo "prove_files: more than one line:"; cat out; bad=1; }; }

expect 0 '^PROVEN   my - .*certified' my.sv my.c my.ports.h
expect 0 '^PROVEN   my MOST=12' my.c my.ports.h my.sv --param MOST=12
# One beyond: the step that it shows must be one, by the words of the two files.
model '' 's->sum + in->add <= MOST + 1' >off.c
expect 1 '^REFUTED  my -' my.sv off.c my.ports.h
values=$(sed -n '/^one such step:/{n;p}' out)
sum=${values##* sum=} add=${values##* add=}
sum=${sum%% *} add=${add%% *}
[ $((sum + add)) = 10 ] || { echo "prove_files: sum=$sum add=$add shows nothing:"; cat out; bad=1; }

model 'static unsigned calls;' 'calls++ < 1000000 && s->sum + in->add <= MOST' >kept.c
refuse "kept.c:4: 'calls' keeps a value between steps" my.sv kept.c my.ports.h
model 'double elsewhere(double);' 'elsewhere(s->sum) < in->add' >body.c
refuse 'body.c:4: elsewhere has no body' my.sv body.c my.ports.h
model '' '__asm__("") , s->sum + in->add <= MOST' >asm.c
sed -i 's/if (__asm__("") , /__asm__("");\n    if (/' asm.c
refuse 'asm.c:7: assembly' my.sv asm.c my.ports.h
model 'static unsigned much(unsigned n) { unsigned i = 0; while (i * i < n + 90000) { i++; } return i; }' 'much(s->sum) > 0 && s->sum + in->add <= MOST' >loop.c
refuse 'loop.c: a loop, or a function .* more than 66 times; give --unwind' my.sv loop.c my.ports.h
model '' 's->summ == 0' >typo.c
expect 6 "a folder/typo.c:.*no member named .summ" my.sv typo.c my.ports.h
sed 's/OUT(sum, 4/OUT(sum, 5/' my.ports.h >wide.h
expect 6 'a folder/my.sv: port sum is output of 4 bits; the table says output of 5 bits' my.sv my.c wide.h
refuse 'name a table' my.sv my.c
refuse 'is a second file of RTL' my.sv my.sv my.c my.ports.h
refuse 'absent.v: No such file' absent.v my.c my.ports.h
sed 's/UNIT(my,/UNIT(other,/' my.ports.h >other.h
refuse 'has no module other' my.sv my.c other.h
sed 's/"my.ports.h"/"..\/x.h"/' my.c >up.c
refuse "UNIT_TABLE is '../x.h'" my.sv up.c my.ports.h
refuse 'in the `prove` rows' fup20 --seconds 5
exit $bad
