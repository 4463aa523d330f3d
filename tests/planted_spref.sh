#!/usr/bin/env bash
# planted_spref.sh - each guard of SPREF left out (lakshminarayana2014-graph 3.1.4, 3.1.7, 3.1.13) lets a
# wrong address or value through, and a random loop of spref/fuzz.py shows it: its number stands beside
# the guard.  SEARCH=N looks for the first such loop of N instead, after fuzz.py has changed.
# Two guards are backed by others, so that no value is wrong without them: of a register that is advanced
# twice (the entry is taken for the pass), of a loop with two backward branches (a warp that comes by the other
# one begins anew).
set -u
cd "$(dirname "$0")/.."
. tests/rebuilt.inc
work=$(mktemp -d)
trap 'rm -rf "$work" "$planted"' EXIT
bad=0
say() { echo "planted_spref: $*"; bad=1; }

# What a run reads is left out here (READS=0): a guard is shown by a wrong value.
shows() { # LOOPS NUMBER OPTIONS: the loop is right without the guard's absence, and wrong with it
    local first=$2 n=1
    [ -n "${SEARCH:-}" ] && { first=0; n=$SEARCH; }
    READS=0 FIRST_DIFFERENCE=1 tests/spref/fuzz.py "$1" "$first" "$n" "$3" >"$work/fuzz.out" 2>&1
    grep -qE '^kernel [0-9]+, .*(status 0 and [0-9]|in some iteration what it did not)' "$work/fuzz.out" ||
        { sed -n 1p "$work/fuzz.out"; return 1; }
    [ -n "${SEARCH:-}" ] && sed -n 's/^kernel \([0-9]*\), .*/\1/p' "$work/fuzz.out"
    return 0
}

# In the machine: the seam at issue.
for part in loops reads; do
    # shellcheck disable=SC2086
    $compiled -Itests -c -o "$work/$part.o" "tests/spref/$part.c" || say "tests/spref/$part.c does not compile"
done
glue() { # NUMBER OPTIONS OLD NEW
    replaced cmodel/mechanisms/spref/spref_issue.c "$3" "$4" && linked "$work/loops.o" "$work/reads.o" || return
    shows "$planted" "$1" "$2" || say "without '$3' loop $1 is as ever"
}
glue 52 '' '} else if ((active & ~s->group[slot]) != 0) {' '} else if (false) {'
glue 299 '' 'return late || (loads && spref_register_of(s, slot, (uint32_t)*s->port.out_dst)->awaited);' 'return false;'
glue 1290 '' '!spref_register_of(s, slot, (uint32_t)s->port.out_src[0])->poisoned;' 'true;' # a register that was not loaded whole
glue 579 :distance=1 'core_is_allocated(s->core, load->address[lane], bytes)' 'bytes != 0' # what is in no buffer

# In the unit: a copy of the tree, whose unit is built from what stands there.
tree=$work/tree
mkdir -p "$tree/build"
cp -r cmodel rtl tb tests "$tree"
cp -r build/warplock build/tests/spref_loops build/tools build/verilated "$tree/build"
find "$tree/build" -type f -exec touch {} +
unit() { # NUMBER FILE OLD NEW
    local file=$tree/cmodel/units/spref/$2
    cp "$file" "$work/kept"
    perl -e '($file, $old, $new) = @ARGV; open(my $in, "<", $file) or exit 1; local $/; my $text = <$in>;
        (() = $text =~ /\Q$old\E/g) == 1 or exit 1; $text =~ s/\Q$old\E/$new/;
        open(my $out, ">", $file) or exit 1; print $out $text' "$file" "$3" "$4" || say "$2 has no '$3', or more than one"
    shows "$tree/build/spref_loops" "$1" '' || say "without '$3' of $2 loop $1 is as ever"
    mv "$work/kept" "$file"
}
unit 142 spref_targets.h 'in->ro && !in->pred && !branched' 'in->ro && !in->pred && (!branched || in->pass)' # behind a branch
unit 1029 spref_targets.h 'in->ro && !in->pred && !branched' 'in->ro && !branched'              # a load under a predicate
unit 322 spref_targets.h '!branched && seen.setps == 0' '!branched'                          # behind the setp
unit 865 spref_targets.h 'in->addr_done && constant && power' 'in->addr_done && (constant || in->op) && power' # an end that moves
unit 161 spref_tags.h 'v->tag = in->pass == pass_FIRST ? FRESH : CONST;' 'v->tag = in->pass ? CONST : FRESH;' # carried round the loop
unit 137 spref_tags.h 'if (in->pred || op[0].tag' 'if (op[0].tag'                            # a write under a predicate
unit 111 spref_tags.h '        v->lid = NO_FORM;' '        v->lid = id;' # a longer chain
unit 37 spref_counts.h 'whole > MOST ? MOST : (uint8_t)whole' '(uint8_t)(whole & MOST)'     # truncated counts
unit 351 spref_steps.h '(!s->back[warp] || s->st[warp] == st_OFF)' '(s->st[warp] == st_OFF)' # left early, entered again
unit 48 spref_steps.h 'if (!in->br_taken) {' 'if (false) {'
unit 450 spref_top/spref_top.c 'return steps && (!in->step_ok || step != s->index_step);' \
    'return steps && step == s->index_step && in->op > op_NONE;' # an index that steps astray
unit 121 spref_tags.h 's->index == NO_REG ? first : s->index == in->dst;' 's->index == NO_REG ? first : true;' # another than the index steps by a register
unit 433 spref_tags.h 'is_const(b) && in->imm_valid && scale_of(in, &scale)' 'is_const(b) && (scale_of(in, &scale) || !in->imm_valid)' # times a register
unit 993 spref_tags.h 'else if (a->tag == STRIDE && is_const(b)) {' 'else if (a->tag == STRIDE) {' # the index and the index
unit 310 spref_tags.h 'else if (adds && in->raw_upd && !own1) {' 'else if ((adds || in->op == op_SHL) && in->raw_upd && !own1) {' # r = r << c
exit $bad
