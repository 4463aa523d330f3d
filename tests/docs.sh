#!/usr/bin/env bash
# docs.sh - every decision, section and vector that a comment cites has its row in docs/, every
# link and path of a page leads somewhere, and every parameter and key that carries a decision is
# there; every vector names its section, and docs/vectors.md is what the vectors make of it, docs/reference.md what the sources do.
set -u
cd "$(dirname "$0")/.."
bad=0
git ls-files -co --exclude-standard | grep -vE '^debian/|^tests/fuzz/|^tests/docs\.|\.svg$|^LICENSE$' |
    while read -r file; do [ -f "$file" ] && echo "$file"; done | xargs -d '\n' perl tests/docs.pl || bad=1

# It must see what is wrong: fifteen lines for these.
planted=build/docs_planted.md
mkdir -p build
cat >"$planted" <<'EOF'
D-DAC-99, [D-G99] (D4), (D99)
after wang2015 3.12.9, D-DAC-12 and 3.12.99; caps-prefetch 3.2
 * tabbakh2018-coherence 3.6.8,
 * 3.6.99 (not 9.9.9); TV-NONE-1
as DESIGN "Sockets" says: [a page](nowhere.md), `cmodel/nowhere.c`, `NOTHING` of fup28, `l1d.nothing`
.document = "aci-iacm-blpp", .section = "3.7, 3.77"
EOF
found=$(perl tests/docs.pl "$planted" | wc -l)
[ "$found" = 15 ] || { echo "docs: $found of 15 planted citations are found"; bad=1; }
rm -f "$planted"

# docs/vectors.md is what the vectors make of it, and each of them names its section.
made=build/vectors_made.md
perl tests/vectors.pl cmodel/units/*/*/*.vec >"$made" || bad=1
cmp -s "$made" docs/vectors.md || { echo "docs: docs/vectors.md is not what the vectors make of it; make docs"; bad=1; }
folder=build/docs_planted
mkdir -p "$folder"
cp cmodel/units/rdu/rdu/rdu.ports.h "$folder/rdu.ports.h"
printf '# 3.7.3, 3.7.4\nunit rdu\n\n# 3.7.4: held\ntest held\nrst\n\ntest planted\nrst\n' >"$folder/rdu.vec"
said=$(perl tests/vectors.pl "$folder/rdu.vec" 2>&1 >"$made")
[ "$said" = "docs: $folder/rdu.vec: no comment names the section of test planted" ] || { echo "docs: a vector without a section is not found: $said"; bad=1; }

# docs/reference.md is what the sources make of it; a counter without a word about its metric is found.
perl tests/reference.pl >"$made" || bad=1
cmp -s "$made" docs/reference.md || { echo "docs: docs/reference.md is not what the sources make of it; make docs"; bad=1; }
mkdir -p "$folder/docs" && cp -r tests cmodel synth "$folder/" && sed '/^l2.fills,/d' docs/nvidia_metrics.csv >"$folder/docs/nvidia_metrics.csv"
said=$(cd "$folder" && perl tests/reference.pl 2>&1 >/dev/null)
[ "$said" = "reference: l2.fills has no row in docs/nvidia_metrics.csv: give a metric, or why there is none" ] || { echo "docs: a counter without a metric is not found: $said"; bad=1; }
rm -rf "$made" "$folder"
exit $bad
