#!/usr/bin/env bash
# report.sh - the page of a report: its embedded data, its tables and what a browser draws of them
# hold the numbers of the database; nothing is fetched.  The browser's part is left out, with a
# line, where there is none.
set -u
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
say() { echo "report: $*"; bad=1; }
w=$PWD/build/warplock
cat >"$work/page.json" <<'EOT'
{
  "title": "</script> & <b>", "document": "none", "machine": "fermi15", "size": "tiny",
  "set": ["l1d.mshrs={mshrs}"], "parameters": [{"name": "mshrs", "values": [4, 32]}, {"name": "warps", "values": [8, 48]}],
  "workloads": ["vecadd", "bfs"],
  "metrics": [{"name": "ipc", "of": "statistics.derived.ipc", "over_baseline": true, "digits": 4},
              {"name": "cycles", "of": "statistics.cycles", "mean": "arithmetic", "digits": 0}],
  "schemes": [{"name": "GTO"}, {"name": "FUP", "mechanisms": "fup20", "set": ["sm.warps={warps}"]}],
  "claims": [{"metric": "ipc", "scheme": "FUP", "value": 1.01, "at": {"mshrs": 4, "warps": 8}, "section": "here"}]
}
EOT
cd "$work" || exit 1
"$w" sweep page.json -q || say "the sweep failed"
"$w" report page.json -o page.html >/dev/null || say "no page"
grep -qE '(src|href)="?https?:|url\(|@import' <(sed '/^<script>/,$d' page.html) && say "the page fetches something"
python3 - page.html >data.json <<'EOT'
import re, sys
print(re.search(r'id="data">(.*?)</script>', open(sys.argv[1]).read(), re.S).group(1))
EOT
jq -e . data.json >/dev/null || say "the data are no JSON"

# Every value of the page, beside what another way out of the database gives.
"$w" results page.json --json >results.json || say "no results"
"$w" results page.json --csv >results.csv
python3 - <<'EOT' || bad=1
import csv, json, sys
page, out = json.load(open('data.json')), json.load(open('results.json'))
bad = 0
def same(what, a, b):
    global bad
    if (a is None) != (b is None) or (a is not None and abs(a - b) > 1e-12 * max(1, abs(b))):
        print(f'report: {what}: the page says {a}, the database {b}'); bad = 1
n = 0
for s, setting in enumerate(out['settings']):
    for m, metric in enumerate(page['metrics']):
        of = setting['metrics'][metric['name']]
        for c, scheme in enumerate(page['schemes']):
            same('a mean', page['means'][s][m * 2 + c], of[scheme['name']]['mean'])
            for k, workload in enumerate(page['workloads']):
                raw = of[scheme['name']]['workloads'][workload]
                if metric['over_baseline']: raw /= of[page['schemes'][page['baseline']]['name']]['workloads'][workload]
                same('a value', page['values'][s][(m * 2 + k) * 2 + c], raw); n += 1
claims = [c for s in out['settings'] for c in s['claims']]
same('a claim', page['claims'][0]['here'], claims[0]['here'])
if page['claims'][0]['verdict'] != claims[0]['verdict']: print('report: verdicts differ'); bad = 1
rows = {(r['key']): r for r in csv.DictReader(open('results.csv'))}
for p in page['points']:
    same('cycles of a point', page['values'][p['at'][0]][(1 * 2 + p['at'][1]) * 2 + p['at'][2]], float(rows[p['key']]['cycles'])); n += 1
if n != 48: print(f'report: {n} values compared'); bad = 1
import base64, zlib
for key, packed in page['statistics'].items():
    text = zlib.decompress(base64.b64decode(packed))
    run = json.loads(text)
    want = float(rows[key]['cycles'])
    same('statistics', run['statistics']['cycles'], want)
sys.exit(bad)
EOT

# ---- what is drawn ----
browser=$(command -v chromium || command -v google-chrome) ||
    { echo "report: no chromium here: what is drawn is not looked at"; exit $bad; }
grep -q 'vega 5' page.html || { echo "report: built without figures: what is drawn is not looked at"; exit $bad; }
timeout 120 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$work/browser" --host-resolver-rules='MAP * ~NOTFOUND' \
    --virtual-time-budget=20000 --dump-dom "file://$work/page.html" >drawn.html 2>browser.log || say "the browser failed: $(tail -n 1 browser.log)"
python3 - <<'EOT' || bad=1
import json, re, sys
page, drawn = json.load(open('data.json')), open('drawn.html').read()
bad = 0
if 'data-drawn="yes"' not in drawn: print('report: the page did not come to the end of its drawing'); bad = 1
figures = len(re.findall(r'<svg[^>]*class="marks"', drawn))
if figures != len(page['plots']): print(f'report: {figures} figures of {len(page["plots"])} are drawn'); bad = 1
# Bars say in words what they are: workload, scheme, value as it is shown.
bars = set(re.findall(r'aria-label="([^"]*)"[^>]*aria-roledescription="bar"', drawn))
n = 0
for m, metric in enumerate(page['metrics']):
    for c, scheme in enumerate(page['schemes']):
        for k, workload in enumerate(page['workloads']):
            shown = f"{page['values'][0][(m * 2 + k) * 2 + c]:.{metric['digits']}f}"
            if any(f'workload: {workload};' in b and f"scheme: {scheme['name']};" in b + ';' and f'; {metric["name"]}: {shown};' in b + ';' for b in bars): n += 1
            else: print(f'report: no bar shows {metric["name"]} of {workload} under {scheme["name"]}, {shown}'); bad = 1
print(f'report: {figures} figures, {n} bars with the numbers of the database')
if n != 8: bad = 1
sys.exit(bad)
EOT
[ $bad = 0 ] || { grep -o 'aria-label="[^"]*"' drawn.html | sort | uniq -c | sort -rn | head -40; }
exit $bad
