#!/usr/bin/env bash
# inputs.sh [--files] [LEVEL [UNIT...]] - what the result of a level for a unit depends on: a line
# "LEVEL UNIT HASH" each, of the contents of all files and the unit's rows that the level uses; with
# --files "LEVEL UNIT FILE" for each of those files.  Without UNIT all units, without LEVEL all
# levels: check, coverage, system, fuzz, gates, mutate, prove.
# inputs.sh --write FOLDER - leaves each hash in FOLDER/LEVEL/<family>/<unit>, and no file touched
# whose hash is the same: make compares times.
# A level records the hash in its result, and the report compares.  Times play no part in it.
set -eu
cd "$(dirname "$0")/../.."
levels="check coverage system fuzz gates mutate prove"
mode=hash folder=
case ${1:-} in
--files) mode=files; shift ;;
--write) mode=write folder=${2:?inputs.sh --write FOLDER}; shift 2 ;;
esac
level=${1:-}
if [ -n "$level" ]; then
    [[ " $levels " == *" $level "* ]] || { echo "inputs.sh: '$level' is no level; they are $levels" >&2; exit 2; }
    levels=$level
    shift
fi
units=$(tb/rows.sh units "$@") || exit 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C
find -L rtl cmodel tb -type f | sort | xargs sha256sum >"$work/sums"
tb/rows.sh units >"$work/all"
tb/rows.sh runs >"$work/runs"
for kind in set mutate gates prove; do tb/rows.sh $kind | sed "s/^/$kind /"; done >"$work/rows"
awk '{print $2}' "$work/sums" >"$work/names"

# Modules that a Verilog file names, of those in its folder and rtl/common; files that a C file
# includes, from cmodel or from here.
grep -E '^rtl/.*\.s?vh?$' "$work/names" | xargs awk '
    FNR == 1 {family = FILENAME; sub(/\/[^\/]*$/, "", family)}
    {sub(/\/\/.*/, ""); n = split($0, word, /[^A-Za-z0-9_$]+/)
     for (i = 1; i <= n; i++) if (word[i] != "") print FILENAME, family "/" word[i] ".v\n" FILENAME, "rtl/common/" word[i] ".v"}' |
    sort -u >"$work/uses"
grep -E '^(cmodel/units|tb)/.*\.(c|h|cpp)$' "$work/names" | xargs grep -H '^#include "' |
    sed -E 's/^([^:]*):#include "([^"]*)".*/\1 cmodel\/\2\n\1 \2/' >>"$work/uses"

awk -v levels="$levels" -v units="$(tr '\n' ' ' <<<"$units")" -v out="$work" '
# What `file` and all that it uses are, into `chosen`.
function take(file,   n, used, i) {
    if (!(file in sum) || (file in chosen)) return
    chosen[file]
    n = split(uses[file], used, " ")
    for (i = 1; i <= n; i++) take(used[i])
}
function take_matching(pattern,   file) {
    for (file in sum) if (file ~ pattern) chosen[file]
}
function take_rtl(unit) {take("rtl/" unit ".v"); take("rtl/" unit ".sv")}
function stem(unit,   part) {split(unit, part, "/"); return "cmodel/units/" unit "/" part[2]}
function take_model(unit) {take(stem(unit) ".c"); take_table(unit)}
function take_table(unit) {
    take(stem(unit) ".ports.h")
    take("tb/variant.mk"); take("tb/verilator.mk"); take("tb/params.sed"); take("tb/clock.sed"); take("tb/asynchronous.v")
}
function take_tests(unit) {take(stem(unit) ".stimulus.c"); take(stem(unit) ".vec")}
function take_harness() {take_matching("^tb/[^/]*[.][ch]$"); take("tb/rtl_binding.cpp")}
function take_simulator() {take_matching("^cmodel/(base|isa|machine|mechanisms|ptx|workloads|cli)/")}
# The units that run with this one, and where.
function take_runs(unit,   run, n, word, i, name) {
    name = unit; sub(/.*\//, "", name)
    for (run in runs) if (index(run " ", " " name " ")) {
        rows = rows "run " run "\n"
        n = split(run, word, " ")
        for (i = 3; i <= n; i++) {take_model(full[word[i]]); take_rtl(full[word[i]])}
    }
}
function choose(level, unit) {
    take_rtl(unit); take_table(unit)
    if (level == "gates") {
        take("tb/ladder/gates.mk"); take("tb/ladder/function.mk"); take("tb/ladder/from_reset.awk")
        return
    }
    take_model(unit)
    if (level == "prove") {take_matching("^tb/prove/"); delete chosen["tb/prove/properties.sh"]; return}
    if (level == "system") {take_runs(unit); take_simulator(); take_harness(); take("tb/ladder/system.sh"); return}
    take_tests(unit); take_harness()
    if (level == "fuzz") {
        take(stem(unit) ".corpus.tar.xz")
        take_matching("^tb/ladder/fuzz")
        return
    }
    take(stem(unit) ".reasons")
    if (level == "check") take("cmodel/cli/cmd_check.c")
    if (level == "coverage") take_matching("^tb/ladder/(cover|modules/|unit_at|source)")
    if (level == "mutate") take_matching("^tb/ladder/(mut|unit_at|source|function|from_reset)")
}
FILENAME ~ /sums$/ {sum[$2] = $1; next}
FILENAME ~ /uses$/ {if ($2 in sum && $2 != $1) uses[$1] = uses[$1] " " $2; next}
FILENAME ~ /runs$/ {runs[$0]; next}
FILENAME ~ /rows$/ {row[$1, $2] = row[$1, $2] $0 "\n"; next}
FILENAME ~ /all$/ {name = $1; sub(/.*\//, "", name); full[name] = $1}
END {
    n_units = split(units, unit, " ")
    n_rungs = split(levels, level, " ")
    for (r = 1; r <= n_rungs; r++) for (u = 1; u <= n_units; u++) {
        for (file in chosen) delete chosen[file]
        rows = row[level[r] == "coverage" || level[r] == "check" ? "set" : level[r], unit[u]]
        choose(level[r], unit[u])
        to = unit[u]; sub(/\//, "@", to); to = "of." level[r] "." to
        for (file in chosen) print to, file, sum[file]
        printf "%s", rows >(out "/rows." to)
        close(out "/rows." to)
    }
}' "$work/sums" "$work/uses" "$work/runs" "$work/rows" "$work/all" | sort >"$work/files"

# A file of.LEVEL.UNIT of each: what it is made of in order, then its rows.
cd "$work"
awk 'function finish(   line) {
         while ((getline line <("rows." to)) > 0) print line >to
         close("rows." to); close(to)
     }
     $1 != to {if (to != "") finish(); to = $1}
     {print $2, $3 >to}
     END {if (to != "") finish()}' files
if [ $mode = files ]; then
    awk 'FNR == 1 {split(FILENAME, part, "."); sub(/.*@/, "", part[3])}
         NF == 2 && length($2) == 64 {print part[2], part[3], $1}' of.*
    exit
fi
sha256sum of.* | sed -E 's/^([0-9a-f]{32})[0-9a-f]* +of\.([a-z]+)\.([^@]*)@(.*)/\2 \3 \4 \1/' >hashes
cd - >/dev/null
if [ $mode = hash ]; then
    awk '{print $1, $3, $4}' "$work/hashes"
    exit
fi
while read -r level family unit hash; do
    file=$folder/$level/$family/$unit
    [ "$(cat "$file" 2>/dev/null)" = "$hash" ] && continue
    mkdir -p "${file%/*}" && echo "$hash" >"$file"
done <"$work/hashes"
