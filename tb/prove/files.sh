#!/usr/bin/env bash
# files.sh [--param K=V] [--seconds N] [--unwind N] RTL C TABLE - proves that a C model and a module are
# the same, for all inputs and all states, by CBMC: three files anywhere (absolute paths), RTL in .v or
# .sv, the model in .c, the table in .h.  They are made a unit of a project in a temporary folder.
# Where they differ, the state and the inputs are printed from which they do.  What a proof by one step
# from any state does not cover in C is refused with its line.  Exit status: 0 proven, 1 refuted, 2 bad
# use, 5 not decided in the time allowed, 6 one of the files does not build.
set -u
cd "$(dirname "$0")/../.."
fail() { echo "warplock: $*" >&2; exit 2; }

set=- seconds=60 unwind= rtl= model= table=
while [ $# -gt 0 ]; do
    case $1 in
    --param) set=${set#-} set=${set:+$set,}$2; shift 2 ;;
    --seconds) seconds=$2; shift 2 ;;
    --unwind) unwind=unwind=$2; shift 2 ;;
    *.v | *.sv) [ -z "$rtl" ] || fail "'$1' is a second file of RTL; put what it instantiates into one"; rtl=$1; shift ;;
    *.c) [ -z "$model" ] || fail "'$1' is a second file of C; include it from the first"; model=$1; shift ;;
    *.h) [ -z "$table" ] || fail "'$1' is a second table"; table=$1; shift ;;
    *) fail "'$1' is neither RTL (.v, .sv) nor C (.c) nor a table (.h)" ;;
    esac
done
for kind in "rtl a file of RTL (.v, .sv)" "model a C model (.c)" "table a table (.ports.h)"; do
    variable=${kind%% *}
    file=${!variable}
    [ -n "$file" ] || fail "name ${kind#* }, too"
    [ -r "$file" ] || fail "$file: cannot be read"
done

mapfile -t names < <(sed -n 's/^UNIT(\([A-Za-z0-9_]*\),.*/\1/p' "$table")
[ ${#names[@]} = 1 ] || fail "$table: ${#names[@]} rows UNIT(name, ...); a table has one, see cmodel/units/table.h"
name=${names[0]}
[[ $name =~ ^[a-z][a-z0-9_]{0,30}$ ]] || fail "$table: UNIT($name): a unit's name has at most 31 of a-z, 0-9 and _, a letter first"
grep -qE "^[[:space:]]*module[[:space:]]+$name\b" "$rtl" || fail "$rtl: has no module $name, of which $table is the table"
mapfile -t includes < <(sed -n 's/^#define UNIT_TABLE "\([^"]*\)".*/\1/p' "$model")
[ ${#includes[@]} = 1 ] || fail "$model: write one line #define UNIT_TABLE \"units/mine/$name/$name.ports.h\" before it includes units/model.h"
include=${includes[0]}
[[ $include =~ ^[A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)*$ && ! $include =~ \.\. ]] || fail "$model: UNIT_TABLE is '$include'; write a path below a folder, of letters, digits and _"

# ---- the project ----
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
room=$work/cmodel/units/mine/$name
mkdir -p "$room" "$work/rtl/mine"
sed -n 's/^#define WARPLOCK_ABI /abi = /p' cmodel/base/abi.h >"$work/warplock.project"
echo "mine/$name" >"$work/cmodel/units/units.list"
cp "$rtl" "$work/rtl/mine/$name.${rtl##*.}" && cp "$model" "$room/$name.c" && cp "$table" "$room/$name.ports.h" || fail "the files cannot be copied to $work"
if [ "$include" != "units/mine/$name/$name.ports.h" ]; then
    [ ! -e "cmodel/$include" ] || fail "$model: UNIT_TABLE names a file of the tree, cmodel/$include; give the table a name of its own"
    mkdir -p "$(dirname "$work/cmodel/$include")" && cp "$table" "$work/cmodel/$include"
fi
# A unit has a stimulus, though no proof asks for it.
sed "s/@name@/$name/g; s/@family@/mine/g" 'tb/templates/adopted/cmodel/units/@family@/@name@/@name@.stimulus.c' >"$room/$name.stimulus.c"
printf 'clock 1 none\nforeign %s\nprove %s %s %s\n' "${rtl##*/}" "$set" "$seconds" "$unwind" >"$room/$name.unit"
export WARPLOCK_TREE= MAKEFLAGS= MAKELEVEL=
program=$PWD/build/warplock
# What the tools say, with the user's names for the files.
said() { sed -e "s|[^ ']*cmodel/units/mine/$name/$name\.c|$model|g; s|[^ ']*cmodel/units/mine/$name/$name\.ports\.h|$table|g; s|[^ ']*rtl/mine/$name\.s\{0,1\}v|$rtl|g" "$@"; }

model_line() { grep -nE -m1 -- "$1" "$model" | cut -d: -f1; }
no_body() {
    local line; line=$(model_line "\b$1\b")
    fail "$model${line:+:$line}: $1 has no body that could be translated; write it out in C"
}

"$program" --project "$work" ports "$name" >/dev/null 2>"$work/log"
case $? in
0) ;;
2) said "$work/log" >&2; exit 2 ;;
*)
    without=$(sed -n 's/.*undefined symbol: //p' "$work/log")
    [ -z "$without" ] || no_body "$without"
    said "$work/log" | grep -v '^make' >&2
    exit 6 ;;
esac
cd "$work/.warplock" || exit 6
export WARPLOCK_PROJECT=$work
make=(make -s -f tb/variant.mk "UNIT=mine/$name" "SET=$(sed 's/^-$//; s/,/ /g' <<<"$set")")
folder=$("${make[@]}" where 2>/dev/null | tail -n 1)
"${make[@]}" "$folder/checked" >"$work/log" 2>&1 || { said "$work/log" | grep -v '^make' >&2; exit 6; }

# ---- what a proof from one step cannot see ----
line=$(model_line '\b(asm|__asm__|__asm)\b')
[ -z "$line" ] || fail "$model:$line: assembly cannot be translated; write it in C"
mapfile -t question < <(make -s -f tb/prove/proof.mk "UNIT=mine/$name" "SET=${make[4]#SET=}" question | grep -v -- '-D\(MODEL\|RTL\)_FILE')
gcc -std=c17 -w -O0 -c -o "$work/model.o" "${question[@]}" "cmodel/units/mine/$name/$name.c" 2>/dev/null
kept=$(nm -f sysv "$work/model.o" | awk -F'|' '{gsub(/ /, "", $1); gsub(/ /, "", $7)} $4 ~ /OBJECT/ && $7 ~ /^(\.bss|\.data|\*COM\*)$/ {sub(/\.[0-9]+$/, "", $1); print $1; exit}')
if [ -n "$kept" ]; then
    line=$(model_line "\b$kept\b")
    fail "$model${line:+:$line}: '$kept' keeps a value between steps outside the table; make it a row of STATE, or const"
fi

"$program" --project "$work" prove "$name" >"$work/said" 2>"$work/log"
status=$?
log=$(ls build/prove/"$name"@*.log 2>/dev/null | head -n 1)
without=$(sed -n 's/^\*\*\*\* WARNING: no body for function //p' ${log:+"$log"} | sort -u | head -n 1)
[ -z "$without" ] || no_body "$without"
if grep -q 'a loop of the model runs more than' "$work/said"; then
    fail "$model: a loop, or a function that calls itself, runs more than ${unwind:-66} times; give --unwind N"
fi
said "$work/said" | grep -vE '^[0-9]+ proven|^fetching'
said "$work/log" >&2
# The last value of each part of the state and of the inputs, before the models run.
if [ $status = 1 ] && [ -n "$log" ]; then
    echo "one such step:"
    awk '/^ +(s|in|any|with)\.[A-Za-z0-9_]/ {
             sub(/^ +/, ""); sub(/ .*/, ""); sub(/u?l*$/, ""); gsub(/l\]/, "]")
             at = index($0, "="); name = substr($0, 1, at - 1)
             if (!(name in value)) order[++n] = name
             value[name] = substr($0, at + 1)
         }
         /^Violated property:/ {property = 3}
         property && !--property {sub(/^ */, ""); differs = $0}
         END {
             for (i = 1; i <= n; i++) {
                 side = order[i]; sub(/\..*/, "", side)
                 if (differs_in_reset() != (side == "any" || side == "with")) continue
                 part = order[i]; sub(/^[a-z]*\./, "", part)
                 text = text " " part "=" value[order[i]]
             }
             print "  " (text == "" ? " any" : text)
             print "   differs in " differs
         }
         function differs_in_reset(   k) {for (k in value) if (k ~ /^(any|with)\./) return 1; return 0}' "$log"
fi
exit $status
