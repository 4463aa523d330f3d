#!/usr/bin/env bash
# docs.sh - every decision, section and vector that a comment cites has its row in docs/, every
# link and path of a page leads somewhere, and every parameter and key that carries a decision is
# there.
set -u
cd "$(dirname "$0")/.."
bad=0
git ls-files -co --exclude-standard | grep -vE '^tests/fuzz/|^tests/docs\.|\.svg$|^LICENSE$' |
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
exit $bad
