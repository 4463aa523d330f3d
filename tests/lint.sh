#!/usr/bin/env bash
# lint.sh [units] - a unit has all its files, a folder has its unit, and the style rules hold;
# `units`: what units are made of alone.
set -u
cd "$(dirname "$0")/.."
bad=0
say() { echo "lint: $*"; bad=1; }

# A unit has its files, and no others (cmodel/units/unit_file.md).
units=$(tb/rows.sh units) || exit 1
twice=$(sed 's|.*/||' <<<"$units" | sort | uniq -d)
[ -z "$twice" ] || { say "two units are named $twice"; exit 1; }
for unit in $units; do
    name=${unit##*/} folder=cmodel/units/$unit
    for file in "rtl/$unit.v" "$folder/$name".{ports.h,c,stimulus.c,vec,golden.py,gtkw}; do
        [ -f "$file" ] || say "unit $name has no $file"
    done
    for file in "$folder"/*; do
        case ${file#"$folder/$name"} in
        .ports.h | .c | .stimulus.c | .vec | .golden.py | .gtkw | .unit | .reasons | .props.v | .seq | .corpus.tar.xz) ;;
        *) say "$file has no place in a unit's folder; cmodel/units/unit_file.md lists the endings" ;;
        esac
    done
done
# Sets of words, since a process for each question would take most of the time.
# has SET WORD; read_set SET: the first word of each line of the input.
has() { local -n set_of=$1; [ -n "${set_of[$2]:-}" ]; }
read_set() {
    local -n set_of=$1
    local word
    while read -r word _; do [ -z "$word" ] || set_of[$word]=1; done
}
declare -A is_unit waves clocks proven sequential parts
read_set is_unit <<<"$units"
wave=$(tb/rows.sh wave) || { bad=1; wave=$units; }
read_set waves <<<"$wave"
clock=$(tb/rows.sh clock 2>/dev/null) || { bad=1; clock=$units; } # what rows.sh refuses it has said
read_set clocks <<<"$clock"
for unit in $units; do
    has waves "$unit" || say "$unit has no wave row; waves/waves.sh draft ${unit##*/} makes one, and a layout"
    has clocks "$unit" || say "$unit has no clock row; write clock MHZ and the table of its document that gives it"
done
# What is proven of a unit, and the rows that say where: a unit that holds state has both.
read_set sequential < <(sed -n 's/^UNIT(\([a-z0-9_]*\), SEQUENTIAL,.*/\1/p' cmodel/units/*/*/*.ports.h)
if rows=$(tb/rows.sh property 2>/dev/null); then
    read_set proven <<<"$rows"
    for unit in $units; do
        name=${unit##*/} folder=cmodel/units/$unit
        has proven "$unit" && rows=yes || rows=no
        [ -f "$folder/$name.props.v" ] && properties=yes || properties=no
        [ $rows = $properties ] || say "$name must have both property rows and a .props.v, or neither"
        has sequential "$name" && [ $rows$properties = nono ] &&
            say "$name is sequential: write $folder/$name.props.v, what always holds of its state, and a property row"
    done
fi
# A module that another of its folder instantiates is a part, not a unit.
read_set parts < <(grep -HE '^ *[a-z0-9_]+ +(#\(|[a-z])' rtl/*/*.v |
    sed -E 's|^rtl/([^/]*)/([^.]*)\.v: *([a-z0-9_]+) .*|\1/\2 \1/\3|' | awk '$1 != $2 {print $2}')
for room in rtl/*/*.v; do
    [ "${room%/*}" = rtl/common ] && continue
    name=${room#rtl/} name=${name%.v}
    has is_unit "$name" || has parts "$name" || say "$room is neither a unit of cmodel/units/units.list nor instantiated by one"
done
for room in cmodel/units/*/*/; do
    room=${room#cmodel/units/}
    has is_unit "${room%/}" || say "cmodel/units/${room%/} has no line in cmodel/units/units.list"
done
for file in $(grep -L '^`default_nettype none' rtl/*/*.v); do
    say "$file does not open with \`default_nettype none"
done
for count in $(grep -c '^module ' rtl/*/*.v); do
    [ "${count##*:}" = 1 ] || say "${count%:*} must have exactly one module"
done
while IFS=: read -r file module; do
    name=${file##*/}
    [ "${module%%[^a-zA-Z0-9_]*}" = "${name%.v}" ] || say "$file: module and file name differ"
done < <(grep -H '^module ' rtl/*/*.v | sed 's/:module */:/')
for file in $(grep -lE 'FORMAL|\b(assert|assume|initial)\b' rtl/*/*.v); do
    say "$file: proof code belongs into the unit's .props.v, and values at the start into the reset"
done
for file in $(grep -lE '\breg\b[^;(]* = |<= rst|&& !rst|!rst &&' rtl/*/*.v); do
    say "$file: the form of a reset is if (rst) ... else ..."
done
# What is proven at full size, or what smaller parameters leave open: a row of the standard parameters
# (of any length, for properties), or a comment over the rows.
while read -r file kind; do
    say "$file: no $kind row is at the standard parameters in runs of any length: say over the rows why they are enough, or what they leave open"
done < <(for unit in $units; do
    [ -f "cmodel/units/$unit/${unit##*/}.unit" ] && awk '/^#/ {said = 1; if (/No row `prove`/) first["prove"] = 1; next}
         $1 == "prove" || $1 == "property" {
             if (!($1 in rows)) first[$1] += said
             rows[$1] = 1
             if ($2 == "-" && $3 !~ /^bmc/) first[$1] = 1
             next
         }
         {said = 0}
         END {
             if (!first["prove"]) print FILENAME, "prove"
             if (rows["property"] && !first["property"]) print FILENAME, "property"
         }' "cmodel/units/$unit/${unit##*/}.unit"
done)
[ "${1:-}" != units ] || exit $bad

make -s plain || say "cmodel/machine, cmodel/ptx or cmodel/mechanisms has warnings"
# The C style, by one version of the tool: others lay out differently.
style=$(command -v clang-format-16)
c_files() {
    git ls-files -co --exclude-standard -- '*.c' '*.h' '*.cpp' |
        grep -vE '\.ports\.h$|_list\.h$|config_keys\.h$|\.vlt\.h$|workloads/cuda\.h|^tb/templates/' |
        while read -r f; do [ -f "$f" ] && echo "$f"; done
}
if [ -n "$style" ]; then
    c_files | xargs "$style" --dry-run --Werror >build/format.log 2>&1 ||
        say "clang-format-16 -i would change $(sed -n 's/^\([^ :]*\):[0-9].*/\1/p' build/format.log | sort -u | head -3 |
            tr '\n' ' '): see build/format.log"
else
    echo "lint: no clang-format-16 here (Debian 12 has it): the layout of C is not checked"
fi
# Layering: an include may only point down.  A folder, and the folders it must not include.
while read -r folder above; do
    grep -rnE "#include \"(${above// /|})/" "cmodel/$folder" --include='*.[ch]' | grep -v 'stimulus.c:.*"tb/stimulus.h"' &&
        say "cmodel/$folder looks up"
done <<'TABLE'
base       isa machine ptx sass units mechanisms workloads litmus cuda cli tb
isa        machine ptx sass units mechanisms workloads litmus cli tb
units      base isa machine ptx sass mechanisms workloads litmus cli tb
machine    ptx sass mechanisms workloads litmus cuda cli tb
ptx        mechanisms litmus cuda cli tb
cuda       sass units mechanisms workloads litmus experiments cli tb
sass       mechanisms litmus cli tb
workloads  mechanisms litmus cli tb
mechanisms ptx sass workloads litmus experiments cli tb
experiments isa machine ptx sass units mechanisms workloads litmus sweep cli tb
sweep      isa machine ptx sass units mechanisms workloads litmus cli tb
TABLE
# Inside the machine: a header, and who may include it.  The first line that fits a header holds
# for it; * stands for any path.
# The waveforms' probe shows what is inside an SM, and some tests look there.
into_sm='cmodel/machine/probe.c tests/unit/test_gpu_front_machine.h'
top='cmodel/machine/+([a-z_]).[ch]'
shopt -s extglob
check_includes() { # header pattern, patterns of files
    local header=$1 file included allowed pattern
    shift
    while IFS=: read -r file included; do
        [[ $included == $header && -z ${judged[$file $included]:-} ]] || continue
        judged[$file $included]=1 allowed=no
        for pattern in "$@"; do
            [[ $file == $pattern ]] && allowed=yes
        done
        [ $allowed = yes ] || say "$file may not include $included"
    done <<<"$includes"
}
includes=$(grep -roE '#include "machine/[^"]+' --include='*.[ch]' cmodel tests tb synth | sed 's/#include "//')
declare -A judged
set -f # the patterns are not for this shell's folder
while read -r header who; do
    check_includes "$header" ${who//TOP/$top}
done <<TABLE
machine/sm/sm_private.h      cmodel/machine/sm/* $into_sm
machine/sm/sm.h              cmodel/machine/sm/* cmodel/machine/gpu.h
machine/sm/sm_cluster.h      cmodel/machine/sm/* cmodel/machine/gpu_cluster.c
machine/sm/sm_ahead.h        cmodel/machine/sm/sm_ahead.c cmodel/machine/gpu_spin.c
machine/sm/*                 cmodel/machine/sm/* tests/unit/test_gpu_coalesce.c
machine/gpu_private.h        TOP
machine/gpu.h                TOP cmodel/machine/stats/* cmodel/machine/host/* cmodel/litmus/* cmodel/cuda/* cmodel/cli/* tests/*
machine/checker/checker_private.h cmodel/machine/checker/*
machine/workers.h            TOP
machine/probe.h              TOP cmodel/cli/* tests/*
machine/l2/atomic.h          cmodel/machine/l2/* cmodel/machine/sm/sm_ahead.c cmodel/ptx/* tests/*
machine/l2/perform.h         cmodel/machine/l2/* cmodel/machine/memory/hostmem.c
machine/l2/l2.h              cmodel/machine/l2/* cmodel/machine/gpu.h tests/unit/test_component_l2.c
machine/l2/*                 cmodel/machine/l2/*
machine/noc/network.h        cmodel/machine/noc/* cmodel/machine/gpu.h tests/unit/test_component_noc.c
machine/noc/packet.h         cmodel/machine/noc/* cmodel/machine/sm/*
machine/noc/message.h        cmodel/machine/noc/message.c cmodel/machine/+(sm|l2|memory|plug)/*
machine/memory/dram_queue.h  cmodel/machine/memory/dram* cmodel/machine/l2/*
machine/memory/dram_front.h  cmodel/machine/memory/dram* cmodel/machine/gpu.h tests/unit/test_component_dram.c
machine/memory/dram*.h       cmodel/machine/memory/dram* tests/unit/test_gpu_dram*.c
machine/memory/hostmem.h     cmodel/machine/memory/hostmem.c cmodel/machine/gpu.h tests/unit/test_component_hostmem.c
TABLE
set +f
awk 'FNR == 1 && !/^\/\*|^\/\/|^#/ {print "lint: " FILENAME " does not open with a comment"; bad = 1} END {exit bad}' \
    $(find cmodel tb tests \( -name '*.c' -o -name '*.h' -o -name '*.cpp' -o -name '*.sh' \) | sort) || bad=1
exit $bad
