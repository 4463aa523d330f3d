#!/usr/bin/env bash
# prove.sh [UNIT ...] - proves C model = RTL for the rows of proofs.list (all, or those of the
# named units).  A line for each: PROVEN, REFUTED (with what differs), or OPEN when the time
# allowed was not enough.  A proof is kept until a source changes.  SHORT=1 leaves out rows
# that are allowed more than a minute.  Exit status: 0 all proven, 1 refuted, 5 some open,
# 6 a unit did not build.
set -u
cd "$(dirname "$0")/../.."
tb/setup_cbmc.sh || exit 6
status=0
proven=0
refuted=0
open=0
rows=$(sed 's/#.*//' tb/prove/proofs.list | awk 'NF')
for wanted in "$@"; do
    grep -qE "/$wanted " <<<"$rows" && continue
    echo "prove: no row of tb/prove/proofs.list is about '$wanted'" >&2
    exit 2
done

worse() { [ "$1" -gt "$status" ] && status=$1; }

prove() { # family/unit parameters seconds
    local unit=$1 set=${2//,/ } limit=$3 folder started=$SECONDS
    [ "$set" = - ] && set=
    make -s -f tb/variant.mk UNIT="$unit" SET="$set" c build/tools/transition || { worse 6; return; }
    folder=$(make -s -f tb/variant.mk UNIT="$unit" SET="$set" where)
    rm -f "$folder/proof.log"
    timeout "$limit" make -s -f tb/variant.mk UNIT="$unit" SET="$set" proof
    local code=$? label="${unit##*/} ${2}"
    if [ $code = 0 ]; then
        proven=$((proven + 1))
        printf 'PROVEN   %-44s %4d s\n' "$label" $((SECONDS - started))
    elif grep -q '^REFUTED' "$folder/proof.log" 2>/dev/null; then
        refuted=$((refuted + 1))
        worse 1
        printf 'REFUTED  %s\n' "$label"
        grep 'FAILURE$' "$folder/proof.log" | sed 's/^\[[^]]*\] line [0-9]* /         /; s/: FAILURE$//' | head -n 8
    elif [ $code = 124 ]; then
        open=$((open + 1))
        worse 5
        printf 'OPEN     %-44s not decided in %d s\n' "$label" "$limit"
    else
        printf 'BUILD    %s\n' "$label"
        tail -n 5 "$folder/proof.log" 2>/dev/null
        worse 6
    fi
}

while read -r unit set limit _; do
    [ $# -gt 0 ] && ! printf '%s\n' "$@" | grep -qx "${unit##*/}" && continue
    [ "${SHORT:-0}" = 1 ] && [ "$limit" -gt 60 ] && continue
    prove "$unit" "$set" "$limit"
done <<<"$rows"
echo "$proven proven, $refuted refuted, $open open"
exit $status
