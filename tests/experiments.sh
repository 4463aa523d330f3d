#!/usr/bin/env bash
# experiments.sh - every experiment of the tree can be read, and each of its schemes plugs into the
# experiment's machine: a workload of no interest is run under it.
set -u
cd "$(dirname "$0")/.."
bad=0
say() { echo "experiments: $*"; bad=1; }
# The folders metrics, workloads and causes have lists that experiments name.
mapfile -t files < <(printf '%s\n' experiments/*/*.json | grep -v -e /metrics/ -e /workloads/ -e /causes/)
# machine, mechanisms and settings (a parameter in them at its first value), and the first experiment that
# has the three, between bars
schemes() {
    for file in "${files[@]}"; do
        jq -r --arg file "$file" '.machine as $machine | ((.parameters // []) | map(if .zip then .zip[] else . end)) as $parameters
            | def filled: reduce $parameters[] as $p (.;
                if . != null and $p.values != null then gsub("\\{\($p.name)\\}"; $p.values[0] | tostring) else . end);
            .schemes[] | select(.best_of == null and .chosen == null)
            | [($machine | filled), (.mechanisms | filled), ((.set // []) | map("--set " + . | filled) | join(" ")), $file] | join("|")' "$file"
    done | sort -t '|' -u -k1,3
}
n=0
while IFS='|' read -r machine mechanisms settings file; do
    n=$((n + 1))
    # shellcheck disable=SC2086
    timeout 60 build/warplock run -w vecadd --size tiny -c "$machine" -m "$mechanisms" $settings >build/experiments.out 2>&1 ||
        { say "$file: -m '$mechanisms' $settings"; tail -n 2 build/experiments.out; }
done < <(schemes)
[ $n -gt 100 ] || say "only $n schemes found"
build/warplock list experiments | grep -q ' No such\|\.json' && say "an experiment is refused: $(build/warplock list experiments | grep '\.json')"
# Lists are told from experiments by their folders in the tree, wherever that lies.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/workloads/build" && cp build/warplock "$work/workloads/build" && cp -r experiments "$work/workloads"
[ "$("$work/workloads/build/warplock" list experiments | wc -l)" = "$(build/warplock list experiments | wc -l)" ] ||
    say "a tree in a folder named workloads has $("$work/workloads/build/warplock" list experiments | wc -l) lines of experiments"
build/warplock results wang2015 2>&1 | grep -q "no experiment named 'wang2015'" || say "a list of workloads is taken for an experiment"
rm -r "$work/workloads"
# Each can be swept: its metrics name counters that its runs have.  (Listed, not run.)
swept() { build/warplock sweep -q --on=list -d "$work/list.db" "$1" >/dev/null 2>"$work/said" || { echo "$1: $(head -n 1 "$work/said")"; return 1; }; }
for file in "${files[@]}"; do
    said=$(swept "$file") || say "$said"
done
# It must see one whose metric is of no mechanism that it runs.
mkdir "$work/planted"
jq '.metrics += ["../metrics/leases.json"]' experiments/tabbakh2018-coherence/tabbakh2018-ch2.json >"$work/planted/planted.json"
cp -r experiments/{metrics,workloads,causes} "$work"
swept "$work/planted/planted.json" >"$work/out" && say "a metric whose counter no run has is not found"
grep -q "no counter 'mechanisms.tc.expired_misses'" "$work/out" || say "of a metric without a counter it is said: $(cat "$work/out")"
# The scoreboard sorts claims: two equal schemes have a ratio of 1, and DRAM four times as far costs.
cat >"$work/planted/board.json" <<'END'
{"title": "board", "document": "wang2015", "source": "none", "machine": "fermi15", "size": "tiny", "workloads": ["vecadd"],
 "metrics": [{"name": "time", "of": "statistics.cycles", "over_baseline": true}],
 "schemes": [{"name": "A"}, {"name": "B"}, {"name": "far", "set": ["dram.latency=400"]}],
 "claims": [{"metric": "time", "scheme": "B", "value": 1.0}, {"metric": "time", "scheme": "B", "value": 1.03},
  {"metric": "time", "scheme": "B", "value": 1.2}, {"metric": "time", "scheme": "far", "value": 90},
  {"metric": "time", "scheme": "far", "value": 1.0, "bound": "above", "words": true}, {"metric": "time", "scheme": "far", "value": 1.0, "bound": "below"},
  {"metric": "time", "scheme": "B", "value": 1.1}],
 "causes": [{"text": "Far.", "run": "warplock run -w vecadd"}]}
END
board() { build/warplock scoreboard -d "$work/board.db" "$work/planted/board.json" "$@"; }
build/warplock sweep -q --on=list -d "$work/board.db" "$work/planted/board.json" >"$work/out"
board | grep -q 'one after the other' && say "a time of points that did not run"
board --json | jq -e '.documents.wang2015 == {value: 0, near: 0, direction: 0, neither: 0, open: 7}' >"$work/out" || say "before the runs claims are not open"
build/warplock sweep -q -J 1 -d "$work/board.db" "$work/planted/board.json" >"$work/out" 2>&1
board --json | jq -e '[.experiments[0].claims[].kind] == ["value", "value", "neither", "direction", "value", "neither", "near"]' >"$work/out" ||
    say "the scoreboard says $(board --json | jq -c '[.experiments[0].claims[].kind]')"
board >"$work/out"
# Order: of the document's 1.00, 1.03, 1.20 and 1.10 of B and 90 of far, only far stands apart here: 1 of 3, 1 of 3, 1 of 4,
# 1 of 4 (1.00 and 1.03 are level) and 4 of 4 pairs, 43 % in the mean.
grep -q '^| \*\*all\*\* | 3 | 1 | 1 | 2 | 0 | 57 % | 57 % | 43 % | 4 | 0 |$' "$work/out" || say "the scoreboard counts $(grep 'all' "$work/out")"
# What is said in words counts in the first of both rows only, and stands in brackets.
grep -q '^| \*\*of these, printed as numbers\*\* | 2 | 1 | 1 | 2 | 0 | 50 % | 50 % | 43 % | 4 | 0 |$' "$work/out" ||
    say "of claims in numbers the scoreboard counts $(grep 'as numbers' "$work/out")"
grep -q '| (above 1.00) | ' "$work/out" || say "what is said in words is not in brackets"
grep -q '^Far. `warplock run -w vecadd`$' "$work/out" || say "the scoreboard leaves out a cause"
# What its points took, and all points of the page: here the same; a point of two experiments counts once.
for took in '14.5 29 s' '30 1 min' '1770 59 min' '1800 1.0 h'; do
    sqlite3 "$work/board.db" "UPDATE point SET seconds = ${took%% *}"
    board >"$work/out"
    grep -q "^Run [-0-9]* by program [0-9a-f]*: 2 points, ${took#* }\.$" "$work/out" || say "2 points of ${took%% *} s: $(grep '^Run' "$work/out")"
    grep -q "^2 points of 1 of 1 experiments took ${took#* }, one after" "$work/out" || say "all of ${took%% *} s each: $(grep 'one after' "$work/out")"
done
cp "$work/planted/board.json" "$work/planted/again.json"
build/warplock sweep -q -J 1 -d "$work/shared.db" "$work/planted/board.json" "$work/planted/again.json" >"$work/out" 2>&1
sqlite3 "$work/shared.db" 'UPDATE point SET seconds = 3600'
build/warplock scoreboard -d "$work/shared.db" "$work/planted/again.json" "$work/planted/board.json" >"$work/out"
grep -q '^2 points of 2 of 2 experiments took 2.0 h, one after the other\.$' "$work/out" || say "a point of two experiments: $(grep 'one after' "$work/out")"
rm "$work/planted/again.json"
# It has no place in an order either: without 1.20 there are 1 of 2, 1 of 2, 1 of 3 and 3 of 3 pairs, 58 %.
mkdir "$work/planted/words" && sed 's/"value": 1.2}/"value": 1.2, "words": true}/' "$work/planted/board.json" >"$work/planted/words/board.json"
build/warplock scoreboard -d "$work/board.db" "$work/planted/words/board.json" >"$work/out" 2>&1
grep -q '^| \*\*all\*\* | 3 | 1 | 1 | 2 | 0 | 57 % | 57 % | 58 % | 4 | 0 |$' "$work/out" || say "in words and in an order: $(grep 'all' "$work/out")"
# A claim that counts elsewhere is shown and left out of the counts, and what it counts as is there.
sed 's/"value": 1.2}/"value": 1.2, "again": "other"}/' "$work/planted/board.json" >"$work/planted/again.json"
mkdir "$work/planted/again" && mv "$work/planted/again.json" "$work/planted/again/board.json"
build/warplock scoreboard -d "$work/board.db" "$work/planted/again/board.json" >"$work/out" 2>&1
grep -q '^| \*\*all\*\* | 3 | 1 | 1 | 1 | 0 | 67 % ' "$work/out" && grep -q '| neither (counts in `other`) |$' "$work/out" ||
    say "a claim that counts elsewhere: $(grep -e '\*\*all' -e other "$work/out")"
jq -c '.document as $document | input_filename as $file | (.claims // [])[] | {document: $document, file: ($file | split("/")[-1] | rtrimstr(".json")),
    value, bound, again}' "${files[@]}" | jq -sr 'unique | . as $all | .[] | select(.again) | . as $one |
    select([$all[] | select(.file == $one.again and .again == null and .document == $one.document and .value == $one.value and
        .bound == $one.bound)] == []) | "\(.file): \(.value) counts in \(.again), which has no such value"' >"$work/out"
[ ! -s "$work/out" ] || say "$(cat "$work/out")"
# What a value says is not counted once more as a bound.
implied() { # FILE...
    jq -r 'input_filename as $file | .baseline as $base | .claims // [] | map(select(.again == null) |
            . + {of: [.metric, .scheme, (.over // $base), .workload, .at]}) as $claims | $claims[] | select(.bound) as $bound |
        $claims[] | select(.bound == null and .of == $bound.of and
            (if $bound.bound == "above" then .value >= $bound.value else .value <= $bound.value end)) |
        "\($file): \(.metric) of \(.scheme) \($bound.bound) \($bound.value) is in its value \(.value)"' "$@"
}
implied "${files[@]}" >"$work/out"
[ ! -s "$work/out" ] || say "$(cat "$work/out")"
jq '.claims += [.claims[2] + {bound: "above", value: 1.1}]' "$work/planted/board.json" >"$work/planted/implied.json"
implied "$work/planted/implied.json" | grep -q 'time of B above 1.1 is in its value 1.2' || say "a bound that a value implies is not found"
# A cause of other metrics is none of these claims', nor is one that the runs contradict; a metric must be there.
jq -c '.metrics += [{"name": "instructions", "of": "statistics.sm_total.warp_instructions"}]' "$work/planted/board.json" >"$work/planted/more.json"
build/warplock sweep -q -J 1 -d "$work/more.db" "$work/planted/more.json" >"$work/out" 2>&1
caused() { # CHANGE OF THE CAUSE, COUNTS OF CLAIMS NOT IN VALUE
    jq -c ".causes[0] += $1" "$work/planted/more.json" >"$work/more.json"
    mv "$work/more.json" "$work/planted/more.json"
    build/warplock scoreboard -d "$work/more.db" "$work/planted/more.json" >"$work/out" 2>"$work/said"
    grep -q "^| \*\*all.*| $2 |\$" "$work/out" || say "causes with $1: $(grep '\*\*all' "$work/out" "$work/said")"
}
caused '{"of": ["instructions"]}' '0 | 4'
caused '{"of": ["instructions", "time"]}' '4 | 0'
caused '{"figures": [{"metric": "time", "scheme": "B", "value": 2}]}' '0 | 4'
caused '{"figures": [{"metric": "time", "scheme": "B", "value": 1}]}' '4 | 0'
jq '.causes[0].of = ["no"]' "$work/planted/more.json" >"$work/planted/no.json"
build/warplock scoreboard -d "$work/more.db" "$work/planted/no.json" >"$work/out" 2>&1 && say "a cause of no metric is read"
grep -q "json:[0-9]*: there is no metric 'no'" "$work/out" || say "of a cause of no metric it is said: $(cat "$work/out")"
# What documents say is looked at anew; another question has no results.
sed -i 's/"value": 90/"value": 91/; s/"value": 1.2}/"value": 1.01}/' "$work/planted/board.json"
board 2>"$work/said" | grep -q '^| \*\*all\*\* | 4 | 1 | 1 | 1 | 0 ' || say "other claims about the same runs: $(cat "$work/said")"
sed -i 's/dram.latency=400/dram.latency=500/' "$work/planted/board.json"
board 2>"$work/said" | grep -q '^| \*\*all\*\* | 0 | 0 | 0 | 0 | 7 ' || say "results of another file are shown"
grep -q 'changed' "$work/said" || say "of a changed file it is said: $(cat "$work/said")"
build/warplock scoreboard -d "$work/board.db" no-such >"$work/out" 2>"$work/said"
[ $? = 2 ] && grep -q "no experiment named 'no-such'" "$work/said" || say "an unknown name: $(cat "$work/said")"
# Settings that were swept into other databases are taken from there, whole: what each holds is half of what one
# that has everything says.
jq -c '.set = ["l2.latency={far}"] | .parameters = [{"name": "far", "values": [100, 400]}] | .claims = [.claims[0] + {"at": {"far": 100}},
    .claims[3] + {"at": {"far": 400}}] | del(.causes)' "$work/planted/board.json" >"$work/planted/two.json"
build/warplock sweep -q -J 1 -d "$work/two.db" "$work/planted/two.json" >"$work/out" 2>&1
two() { build/warplock scoreboard --json "$@" "$work/planted/two.json" | jq -c '[.experiments[0].claims[].here]'; }
whole=$(two -d "$work/two.db")
for far in 100 400; do
    jq -c ".parameters[0].values = [$far] | del(.claims)" "$work/planted/two.json" >"$work/planted/only$far.json"
    build/warplock sweep -q -J 1 -d "$work/two$far.db" "$work/planted/only$far.json" >"$work/out" 2>&1
    build/warplock sweep -q --on=list -d "$work/two$far.db" "$work/planted/two.json" >"$work/out"
done
case $(two -d "$work/two100.db"),$(two -d "$work/two400.db") in
    "${whole%,*},null],[null,${whole#*,}") ;;
    *) say "of halves of $whole are shown $(two -d "$work/two100.db") and $(two -d "$work/two400.db")" ;;
esac
[ "$(two -d "$work/two100.db" -d "$work/two400.db")" = "$whole" ] || say "two halves are not $whole"
build/warplock scoreboard -d "$work/two100.db" -d "$work/two400.db" "$work/planted/two.json" | grep -q 'program [0-9a-f]*, some settings' ||
    say "it is not said that settings are of another database"
# A page that was kept has the figures of runs that are gone, where they are of the same question and no run has newer ones.
build/warplock scoreboard --json -d "$work/two.db" "$work/planted/two.json" >"$work/kept.json"
[ "$(build/warplock scoreboard -e "$work/kept.json" "$work/planted/two.json")" = "$(build/warplock scoreboard -d "$work/two.db" "$work/planted/two.json")" ] ||
    say "a page that was kept is another page"
mkdir "$work/near" && jq 'del(.claims)' "$work/planted/two.json" >"$work/near/two.json"
build/warplock scoreboard --json -d "$work/two.db" "$work/near/two.json" >"$work/kept.json"
build/warplock scoreboard -e "$work/kept.json" "$work/near/two.json" | grep -q '^4 points of 1 of 1 experiments took ' || say "of an experiment without claims it is forgotten how long it took"
mkdir "$work/twin" && cp "$work/planted/two.json" "$work/twin/three.json"
build/warplock sweep -q -d "$work/two.db" "$work/twin/three.json" >"$work/out" 2>&1
[ "$(build/warplock scoreboard -d "$work/two.db" "$work/planted/two.json" "$work/twin/three.json" | grep '^Run ' | sed 's/.*[0-9a-f]\(:.*\)/\1/; s/, .*//')" = \
    ": 4 points
: its points are other experiments' too and count there." ] || say "it is not said where the points of two experiments count"
build/warplock scoreboard --json -d "$work/two100.db" "$work/planted/two.json" >"$work/kept.json"
[ "$(two -e "$work/kept.json" -d "$work/two400.db")" = "$whole" ] || say "one half that was kept and one that was run are not $whole"
told() { build/warplock scoreboard -e "$1" -d "$work/two400.db" "$work/planted/two.json" | grep "^Run "; }
told "$work/kept.json" | grep -q '^Run [-0-9]* by program [0-9a-f]*\.$' || say "the same program on the same day is told as '$(told "$work/kept.json")'"
jq '.experiments[].swept = "2020-01-01 by program 0"' "$work/kept.json" >"$work/past.json"
told "$work/past.json" | grep -q '^Run [-0-9]* by program [0-9a-f]*; the rest 2020-01-01 by program 0\.$' ||
    say "it is not said that the rest was kept: '$(told "$work/past.json")'"
jq '.experiments[].claims[].here |= (values | . * 2)' "$work/kept.json" >"$work/twice.json"
[ "$(two -e "$work/twice.json" -d "$work/two.db")" = "$whole" ] || say "what was kept hides what was run"
jq '.experiments[].digest = "0"' "$work/kept.json" >"$work/other.json"
[ "$(two -e "$work/other.json")" = "[null,null]" ] || say "what was kept of another file is shown"
jq '.experiments[0].causes = [{text: "Far.", run: "warplock", not_so: ["it is near"]}]' "$work/kept.json" >"$work/near.json"
jq '.causes = [{"text": "Far.", "run": "warplock"}]' "$work/planted/two.json" >"$work/near/two.json"
build/warplock scoreboard -e "$work/near.json" "$work/near/two.json" | grep -q '^Not so: it is near$' || say "what runs contradicted is forgotten"
for bad_page in '{"experiments": 3}' '[' '{}'; do
    printf '%s' "$bad_page" >"$work/bad.json"
    build/warplock scoreboard -e "$work/bad.json" "$work/planted/two.json" >"$work/out" 2>"$work/said"
    [ $? = 2 ] && [ "$(wc -l <"$work/said")" = 1 ] && grep -q "bad.json:1: " "$work/said" || say "of a page '$bad_page' it is said: $(cat "$work/said")"
done
build/warplock scoreboard -e "$work/nowhere.json" >"$work/out" 2>"$work/said"
[ $? = 2 ] && grep -q 'nowhere.json: ' "$work/said" || say "of no page it is said: $(cat "$work/said")"
# The page of the documents is what was kept of their runs, and what their files say now.
build/warplock scoreboard -e docs/reproduction.json | cmp -s - docs/reproduction.md ||
    say "docs/reproduction.md is not what docs/reproduction.json gives: run what changed, then scoreboard --json -e docs/reproduction.json -d its database"

# Joint claims put the settings in order: with DRAM as far as the baseline's the ratio is 1, farther it is not.
cat >"$work/planted/joint.json" <<'END'
{"title": "joint", "machine": "fermi15", "size": "tiny", "workloads": ["vecadd"],
 "parameters": [{"name": "far", "values": [400, 100, 200]}],
 "metrics": [{"name": "time", "of": "statistics.cycles", "over_baseline": true}],
 "schemes": [{"name": "A"}, {"name": "B", "set": ["dram.latency={far}"]}],
 "joint": [{"metric": "time", "scheme": "B", "value": 1.0}, {"metric": "time", "scheme": "B", "value": 1.0, "bound": "below"}]}
END
build/warplock sweep -q -J 1 -d "$work/board.db" "$work/planted/joint.json" >"$work/out" 2>&1
build/warplock results -d "$work/board.db" "$work/planted/joint.json" >"$work/out" 2>&1
order=$(sed -n '/^at once/,/^$/p' "$work/out" | sed -n 's/^ *\([0-9]\) of 2 .*far=\([0-9]*\)$/\1:\2/p' | paste -sd ' ')
[ "$order" = "2:100 0:200 0:400" ] || say "joint claims put the settings in the order $order"
sed -i 's/"value": 1.0, "bound"/"at": {"far": 100}, &/' "$work/planted/joint.json"
build/warplock sweep -q -d "$work/board.db" "$work/planted/joint.json" >"$work/out" 2>"$work/said"
[ $? = 2 ] && grep -q "joint.json:5: .*'at'" "$work/said" || say "'at' in a joint claim: $(cat "$work/said")"
exit $bad
