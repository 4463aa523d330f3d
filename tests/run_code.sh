#!/usr/bin/env bash
# run_code.sh - the sources by whose hash a sweep knows its program (Makefile, RUN_CODE) are all that
# a run is made of: what they include, and every function that they call.
set -u
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
say() { echo "run_code: $*"; bad=1; }
lists() { awk '{print $2}' build/run_code.sums | sort; }

lists | grep '\.c$' | while read -r source; do
    object=build/obj/${source%.c}.o
    [ -e "$object" ] && echo "$object"
done >"$work/objects"
[ "$(wc -l <"$work/objects")" -gt 300 ] || say "of the sources in build/run_code.sums are $(wc -l <"$work/objects") objects there"

# Headers of units are files of the tree, and part of the code as such.
sed 's/o$/d/' "$work/objects" | xargs cat | tr ' \\' '\n\n' | grep -E '^(cmodel|tb)/.*\.h$' | grep -v '^cmodel/units/' | sort -u >"$work/included"
comm -13 <(lists) "$work/included" >"$work/out"
[ ! -s "$work/out" ] || say "included, and not in RUN_CODE: $(xargs <"$work/out")"

# Whatever other objects define that these lack; FST files and pages are no results.
symbols() { xargs gcc-nm "$@" 2>/dev/null | awk 'NF >= 2 {print $NF}' | sort -u; }
find build/obj/cmodel build/obj/tb build/obj/synth -name '*.o' ! -name '*.html.o' ! -name '*.csv.o' | sort | comm -23 - <(sort "$work/objects") | symbols --defined-only >"$work/elsewhere"
[ -s "$work/elsewhere" ] || say "no symbols; is gcc-nm here?"
symbols -u <"$work/objects" | comm -23 - <(symbols --defined-only <"$work/objects") | comm -12 - "$work/elsewhere" >"$work/out"
[ ! -s "$work/out" ] || say "called, and not in RUN_CODE: $(xargs <"$work/out")"
exit $bad
