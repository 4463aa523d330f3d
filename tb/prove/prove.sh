#!/usr/bin/env bash
# prove.sh [UNIT ...] - proves C model = RTL for the `prove` rows (cmodel/units/unit_file.md) of all
# units, or of the named ones.  A line for each: PROVEN, REFUTED (with what differs), or OPEN when the processor
# time allowed was not enough; and a JSON line in build/prove/<unit>@<point>.json, which stands
# until what CBMC reads, or the row, changes.  What kissat decides is `certified` when drat-trim,
# a checker that shares nothing with it, has verified each of its proofs in as much time again.
# SHORT=1 leaves out rows that are allowed more than a minute.  Exit status: 0 all proven, 1 refuted, 5 some open, 6 a unit did not build.
set -u
cd "$(dirname "$0")/../.."
memory_kbytes=6000000
status=0
declare -A count=([proven]=0 [certified]=0 [refuted]=0 [timeout]=0)
rows=$(tb/rows.sh prove "$@") || exit 2
for wanted in "$@"; do
    grep -qE "/$wanted " <<<"$rows" && continue
    full=$(tb/rows.sh units "$wanted")
    if [ ! -f "cmodel/units/$full/$wanted.c" ]; then
        echo "prove: $wanted has no C model (cmodel/units/$full/$wanted.c) that its RTL could be proven against" >&2
    else
        echo "prove: the file $wanted.unit has no prove row; write prove - SECONDS" >&2
    fi
    exit 2
done
tb/setup_provers.sh || exit 6
mkdir -p build/prove

worse() { [ "$1" -gt "$status" ] && status=$1; }

option() { # name default words...
    local name=$1 value=$2 word
    shift 2
    for word in "$@"; do [ "${word%%=*}" = "$name" ] && value=${word#*=}; done
    echo "$value"
}

# A value of a record in build/prove.
field() { jq -r ".$1" "$2"; }

# Sets `spent` to the seconds of processor time that ended children have had.
clock() {
    local user system
    times >build/prove/times
    { read -r _; read -r user system; } <build/prove/times
    spent=$(awk -v u="$user" -v s="$system" 'BEGIN {split(u "m" s, t, /[ms]+/); printf "%d", t[1] * 60 + t[2] + t[3] * 60 + t[4]}')
}

# One run of CBMC; 0 proven, 10 refuted, 124 out of time, else an error.
run_part() { # log seconds solver unwind arguments...
    local log=$1 seconds=$2 solver=$3 unwind=$4 code started
    shift 4
    [ "$seconds" -gt 0 ] || return 124
    clock
    started=$spent
    [ "$solver" = kissat ] && set -- "$@" --external-sat-solver tb/prove/kissat.sh
    (ulimit -v "$memory_kbytes" -t "$seconds"
     exec timeout $((10 * seconds)) build/tools/cbmc tb/prove/harness.c "$@" --no-standard-checks \
         --stop-on-fail --drop-unused-functions --slice-formula --max-field-sensitivity-array-size 1024 \
         --unwind "$unwind" --unwinding-assertions) >"$log" 2>&1
    code=$?
    if [ $code != 0 ] && [ $code != 10 ] && [ $code != 124 ]; then
        clock
        if [ $((spent - started + 2)) -gt "$seconds" ] || grep -q 'returned code: 137' "$log"; then
            code=124
        else
            code=6
        fi
    elif grep '^\*\*\*\* WARNING: no body' "$log"; then
        code=6 # a function without a body would return anything: nothing is proven or refuted
    fi
    return $code
}

# Has the checker verified each proof that a run of CBMC left?  0 yes, 1 not in the time allowed,
# 6 it refuses one.  A run that CBMC decides without kissat leaves none.
certify() { # log seconds
    local log=$1 seconds=$2 formula
    for formula in "$PROOFS"/*.cnf; do
        [ -f "$formula" ] || continue
        (ulimit -v "$memory_kbytes" -t "$seconds"
         exec build/tools/drat-trim "$formula" "${formula%.cnf}.drat" -i -t $((10 * seconds))) 2>&1 | tr -d '\r' >"$PROOFS/words"
        cat "$PROOFS/words" >>"$log"
        grep -qx 's NOT VERIFIED' "$PROOFS/words" && return 6
        grep -qx 's VERIFIED' "$PROOFS/words" || return 1
        certificates=$((certificates + 1))
    done
}

# What differs, at most eight: all of it where a minute is enough, else the one that the log
# on stdin (which also has the values) shows.
differences() { # unwind arguments...
    local unwind=$1 all
    shift
    all=$(timeout 60 build/tools/cbmc tb/prove/harness.c "$@" --no-standard-checks --drop-unused-functions \
        --slice-formula --unwind "$unwind" 2>&1 | sed -n 's/^\[[^]]*\] line [0-9]* \(.*\): FAILURE$/\1/p' | head -n 8)
    if [ -n "$all" ]; then
        echo "$all"
    else
        awk '/^Violated property:/ {n = 2; next} n && !--n {sub(/^ */, ""); print}'
    fi
}

say() { # unit point result seconds certified output that is left out
    local label="$1 $2"
    [ "$2" = standard ] && label="$1 -"
    [ -z "$6" ] || label+=" without $6"
    case $3 in
    proven)
        printf 'PROVEN   %-58s %4d s%s\n' "$label" "$4" "$([ "$5" = true ] && echo '  certified')"
        [ "$5" = true ] && count[certified]=$((count[certified] + 1)) ;;
    refuted) printf 'REFUTED  %s\n' "$label"; sed -n 's/^/         /p' "build/prove/$1@$2.differs"; worse 1 ;;
    timeout) printf 'OPEN     %-58s not decided in %d s\n' "$label" "$4"; worse 5 ;;
    esac
    count[$3]=$((count[$3] + 1))
}

# Results of rows that there are no more.
drop_others() { # family/unit
    local name=${1##*/} file point
    for file in build/prove/"$name"@*.json; do
        point=${file#*@} point=${point%.json}
        [ "$point" != standard ] || point=-
        grep -qF "$1 $point " <<<"$rows" || rm -f "$file"
    done
}

prove() { # family/unit parameters seconds options...
    local unit=$1 name=${1##*/} set=$2 limit=$3 started question digest products parts solver unwind without certified before
    shift 3
    local point=$set log code=0 result=proven part inputs
    inputs=$(tb/ladder/inputs.sh prove "$name") && inputs=${inputs##* } || exit 2
    [ "$set" = - ] && set= point=standard
    local file=build/prove/$name@$point.json
    products=$(option products real "$@") parts=$(option parts 1 "$@") solver=$(option solver kissat "$@") unwind=$(option unwind 66 "$@") without=$(option without '' "$@")
    log=build/prove/$name@$point.log
    if [ -n "$without" ] && ! grep -qE "^OUT(_ARRAY)?\($without," "cmodel/units/$unit/$name.ports.h"; then
        echo "prove: $name.unit leaves $without out, which is no output of its table" >&2
        worse 2
        return
    fi
    local make=(make -s -f tb/prove/proof.mk UNIT="$unit" SET="${set//,/ }")
    if ! "${make[@]}" transition >"$log" 2>&1; then
        printf 'BUILD    %s %s\n' "$name" "$point"
        tail -n 5 "$log"
        worse 6
        return
    fi
    mapfile -t question < <("${make[@]}" question)
    [ "$products" = free ] && question+=(-DPROVE_FREE_PRODUCTS)
    [ -z "$without" ] || question+=(-DPROVE_WITHOUT_"$without")
    digest=$({ cpp -P "${question[@]}" tb/prove/harness.c; echo "$parts $solver $unwind drat"; } | sha256sum | cut -c1-32)
    if [ -s "$file" ] && [ "$(field of "$file")" = "$digest" ] &&
        { [ "$(field result "$file")" != timeout ] || [ "$(field limit_seconds "$file")" -ge "$limit" ]; }; then
        # What CBMC reads is the same, whatever else has changed.
        jq --arg inputs "$inputs" '.inputs = $inputs' "$file" >"$file.new" && mv "$file.new" "$file"
        say "$name" "$point" "$(field result "$file")" "$(field seconds "$file")" "$(field certified "$file")" "$without"
        return
    fi
    rm -f "$file"
    export PROOFS=build/prove/$name@$point.proofs
    certified=true certificates=0
    clock
    started=$spent
    for ((part = 0; part < parts && code == 0; part++)); do
        clock
        [ -t 2 ] && printf '\r\033[K%s %s: part %d of %d, %d s' "$name" "$point" $((part + 1)) "$parts" $((spent - started)) >&2
        rm -rf "$PROOFS" && mkdir -p "$PROOFS"
        run_part "$log" $((limit - spent + started)) "$solver" "$unwind" "${question[@]}" \
            -DPROVE_PARTS="$parts" -DPROVE_PART="$part"
        code=$?
        [ $code = 0 ] && [ $certified = true ] || continue
        clock
        before=$spent
        certify "$log" "$limit"
        case $? in
        0) ;;
        6) code=7 ;;
        *) certified=false ;;
        esac
        clock
        started=$((started + spent - before)) # the checker's time is not the prover's
    done
    rm -rf "$PROOFS"
    [ $code = 0 ] && [ $certificates -gt 0 ] || certified=false
    clock
    [ -t 2 ] && printf '\r\033[K' >&2
    case $code in
    0) ;;
    10) result=refuted
        if grep -q '^  unwinding assertion' "$log"; then
            echo "BUILD    $name $point: a loop of the model runs more than $unwind times; raise unwind= of its row"
            worse 6
            return
        fi
        differences "$unwind" "${question[@]}" <"$log" >"build/prove/$name@$point.differs" ;;
    124) result=timeout ;;
    7) printf "BUILD    %s %s: drat-trim refuses kissat's proof, see %s\n" "$name" "$point" "$log"
       worse 6
       return ;;
    *) printf 'BUILD    %s %s: cbmc failed, see %s\n' "$name" "$point" "$log"
       tail -n 3 "$log"
       worse 6
       return ;;
    esac
    jq -n --arg unit "$name" --arg point "$point" --arg result "$result" --arg solver "$solver" --arg of "$digest" --arg inputs "$inputs" \
        --argjson seconds $((spent - started)) --argjson limit_seconds "$limit" --argjson parts "$parts" \
        --argjson certified "$certified" --arg without "$without" \
        '$ARGS.named' >"$file"
    say "$name" "$point" "$result" "$(field seconds "$file")" "$certified" "$without"
}

for unit in $(cut -d ' ' -f 1 <<<"$rows" | uniq); do drop_others "$unit"; done
while read -r -a row; do
    [ "${SHORT:-0}" = 1 ] && [ "${row[2]}" -gt 60 ] && continue
    prove "${row[@]}"
done <<<"$rows"
echo "${count[proven]} proven (${count[certified]} certified), ${count[refuted]} refuted, ${count[timeout]} open"
exit $status
