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
  "title": "</script> & <b>", "document": "none", "machine": "fermi15", "size": "tiny", "seeds": [1, 2],
  "set": ["l1d.mshrs={mshrs}"], "parameters": [{"name": "mshrs", "values": [2, 32]}, {"name": "wait", "values": [60, 1]}],
  "workloads": ["vecadd", "bfs"],
  "metrics": [{"name": "ipc", "of": "statistics.derived.ipc", "over_baseline": true, "digits": 4},
              {"name": "cycles", "of": "statistics.cycles", "mean": "arithmetic", "digits": 0},
              {"name": "misses", "of": "statistics.derived.l1d_load_miss_rate", "mean": "weighted", "weight": "statistics.sm_total.warp_instructions", "scale": 100, "digits": 3},
              {"name": "waits", "of": "statistics.issue_slots._.score_load", "mean": "harmonic", "digits": 1}],
  "schemes": [{"name": "GTO"}, {"name": "slow", "set": ["ldst.latency={wait}"]}, {"name": "best", "best_of": ["GTO", "slow"], "by": "ipc"}],
  "claims": [{"metric": "ipc", "scheme": "slow", "value": 0.95, "tolerance": 0.01, "at": {"mshrs": 2, "wait": 60}, "section": "here"},
             {"metric": "ipc", "scheme": "slow", "value": 1.2, "at": {"mshrs": 32, "wait": 60}, "section": "there"},
             {"metric": "cycles", "scheme": "slow", "over": "GTO", "value": 1.001, "at": {"mshrs": 2, "wait": 1}, "section": "1"}],
  "plots": [{"kind": "bars", "metric": "ipc"}, {"kind": "bars", "metric": "cycles"}, {"kind": "bars", "metric": "misses"}, {"kind": "bars", "metric": "waits"},
            {"kind": "lines", "metric": "ipc", "x": "mshrs"}, {"kind": "lines", "metric": "ipc", "x": "wait"},
            {"kind": "heat", "metric": "ipc", "x": "mshrs", "y": "wait", "scheme": "slow"}, {"kind": "slots"}, {"kind": "misses"}]
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

# Every number of the page, beside what its runs' statistics in the database come to.
cat >expected.py <<'EOT'
import json, math, sqlite3, zlib
experiment = json.load(open('page.json'))
db = sqlite3.connect('warplock.db')
metrics, workloads = experiment['metrics'], experiment['workloads']
runs = {}    # setting, workload, scheme: the statistics of its seeds
for setting, workload, scheme, size, data in db.execute(
        "SELECT setting, workload, scheme, s.size, s.data FROM member m JOIN statistics s USING (key) WHERE experiment = 'page' ORDER BY m.seed"):
    runs.setdefault((setting, workload, scheme), []).append(json.loads(zlib.decompress(data) if len(data) != size else data))
settings = [json.loads(p) for (p,) in db.execute("SELECT parameters FROM setting WHERE experiment = 'page' ORDER BY setting")]
def counter(run, name):
    if '._.' in name:
        outer, inner = name.split('._.')
        return sum(counter(one, inner) for one in counter(run, outer))
    for key in name.split('.'): run = run[key]
    return run
def cell(setting, m, w, s):    # and its weight
    if s == 2: s = max((0, 1), key=lambda one: cell(setting, 0, w, one)[0])
    seeds = runs[setting, w, s]
    mean = lambda name: sum(counter(r, name) for r in seeds) / len(seeds)
    return mean(metrics[m]['of']), mean(metrics[m].get('weight', 'statistics.cycles'))
def value(setting, m, w, s):
    v = cell(setting, m, w, s)[0]
    return v / cell(setting, m, w, 0)[0] if metrics[m].get('over_baseline') else v * metrics[m].get('scale', 1)
def mean(setting, m, s):
    v = [value(setting, m, w, s) for w in range(len(workloads))]
    weight = [cell(setting, m, w, s)[1] for w in range(len(workloads))]
    return {'geometric': lambda: math.exp(sum(map(math.log, v)) / len(v)), 'arithmetic': lambda: sum(v) / len(v),
            'harmonic': lambda: len(v) / sum(1 / x for x in v),
            'weighted': lambda: sum(a * b for a, b in zip(v, weight)) / sum(weight)}[metrics[m].get('mean', 'geometric')]()
def claim(c):
    m = [x['name'] for x in metrics].index(c['metric'])
    at = [{k: s[k] for k in c['at']} for s in settings].index(c['at'])
    here = mean(at, m, 1) / (mean(at, m, 0) if 'over' in c else 1)
    agrees = abs(here - c['value']) <= c.get('tolerance', .1) * c['value']
    return here, 'agrees' if agrees else 'direction only' if (here > 1) == (c['value'] > 1) else 'not reproduced'
def shares(setting, w, s, kind):    # of a cell: {class: (count, share)}
    out, seeds = {}, runs[setting, w, s]
    for run in seeds:
        if kind == 'slots':
            counts = {}
            for one in run['statistics']['issue_slots']:
                for name, n in one.items(): counts[name] = counts.get(name, 0) + n
        else:
            total = run['statistics']['sm_total']
            counts = {f'{x} {name}': total[f'load_{name}_{x}'] for x in ('coherent', 'divergent') for name in ('hits', 'merges', 'misses', 'bypasses')}
        for name, n in counts.items():
            count, share = out.get(name, (0, 0))
            out[name] = count + n, share + n / sum(counts.values()) / len(seeds)
    return out
EOT
python3 - <<'EOT' || bad=1
import base64, html.parser, json, math, sys, zlib
from expected import *
page = json.load(open('data.json'))
bad = n = 0
def say(what):
    global bad
    print('report:', what); bad = 1
def same(what, a, b):
    global n
    n += 1
    if a is None or abs(a - b) > 1e-12 * max(1, abs(b)): say(f'{what}: the page says {a}, the database {b}')
N, S = len(workloads), 3
for s in range(len(settings)):
    for m in range(len(metrics)):
        for c in range(S):
            same('a mean', page['means'][s][m * S + c], mean(s, m, c))
            for w in range(N): same('a value', page['values'][s][(m * N + w) * S + c], value(s, m, w, c))
verdicts = []
for c, shown in zip(experiment['claims'], page['claims']):
    here, verdict = claim(c)
    same('a claim', shown['here'], here)
    verdicts.append(verdict)
    if shown['verdict'] != verdict: say(f'the verdict of {c["section"]} is {shown["verdict"]}, not {verdict}')
if len(set(verdicts)) < 2 or abs(mean(0, 0, 1) - 1) < .01: say(f'an experiment that shows nothing: {verdicts}, {mean(0, 0, 1)}')
for p in page['points']:
    s, w, c = p['at']
    run = json.loads(zlib.decompress(base64.b64decode(page['statistics'][p['key']])))
    if run not in runs[s, w, c]: say(f'the statistics of {p["key"]} are another run\'s')
# What stands in the tables, as text.
class Tables(html.parser.HTMLParser):
    def __init__(self): super().__init__(); self.tables, self.text = [], None
    def handle_starttag(self, tag, attributes):
        if tag == 'table': self.tables.append([])
        elif tag == 'tr' and self.tables: self.tables[-1].append([])
        elif tag in ('td', 'th') and self.tables: self.text = ''
        elif tag == 'script': self.text = None
    def handle_data(self, data): self.text = self.text + data if self.text is not None else None
    def handle_endtag(self, tag):
        if tag in ('td', 'th') and self.text is not None: self.tables[-1][-1].append(self.text.strip()); self.text = None
parser = Tables()
parser.feed(open('page.html').read().split('id="data"')[0])
claims, tables = parser.tables[0], parser.tables[1:]
for c, row in zip(experiment['claims'], claims[1:]):
    here, verdict = claim(c)
    digits = next(m.get('digits', 2) for m in metrics if m['name'] == c['metric'])
    if 'over' in c: digits = max(digits, 2)    # a ratio
    if row[3] != f'{here:.{digits}f}' or row[6] != verdict: say(f'the row of a claim: {row}, not {here}, {verdict}')
if len(tables) != len(settings) * len(metrics): say(f'{len(tables)} tables')
for i, table in enumerate(tables):
    s, m = divmod(i, len(metrics))
    for w, row in enumerate(table[1:]):
        want = [f'{mean(s, m, c) if w == N else value(s, m, w, c):.{metrics[m]["digits"]}f}' for c in range(S)]
        n += S
        if row != [(workloads + ['mean'])[w]] + want: say(f'a row of a table: {row}, not {want}')
print(f'report: {n} numbers of the page are the database\'s')
sys.exit(bad or n < 200)
EOT

# ---- what is drawn ----
browser=$(command -v chromium || command -v google-chrome) ||
    { echo "report: no chromium here: what is drawn is not looked at"; exit $bad; }
grep -q 'vega 5' page.html || { echo "report: built without figures: what is drawn is not looked at"; exit $bad; }
timeout 120 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$work/browser" --host-resolver-rules='MAP * ~NOTFOUND' \
    --virtual-time-budget=20000 --dump-dom "file://$work/page.html" >drawn.html 2>browser.log || say "the browser failed: $(tail -n 1 browser.log)"
python3 - <<'EOT' || bad=1
import json, re, sys
from expected import *
page, drawn = json.load(open('data.json')), open('drawn.html').read()
bad = 0
if 'data-drawn="yes"' not in drawn: print('report: the page did not come to the end of its drawing'); bad = 1
figures = len(re.findall(r'<svg[^>]*class="marks"', drawn))
if figures != len(page['plots']): print(f'report: {figures} figures of {len(page["plots"])} are drawn'); bad = 1
# Marks say in words what they are: names, and the value as it is shown.
marks = [{part.split(': ', 1)[0]: part.split(': ', 1)[1] for part in label.split('; ') if ': ' in part} for label in re.findall(r'aria-label="([^"]*)"[^>]*aria-roledescription="[^"]*"', drawn)]
n = {}
def is_number(text): return re.fullmatch(r'-?[0-9.]+(e-?[0-9]+)?', text) is not None
def drawn_as(figure, digits, **want):    # numbers of settings are exact, others as they are shown
    def says(mark, k, v):
        return k in mark and (mark[k] == v if isinstance(v, str) else is_number(mark[k]) and round(float(mark[k]), digits) == round(v, digits))
    n[figure] = n.get(figure, 0) + 1
    if not any(all(says(mark, k, v) for k, v in want.items()) for mark in marks):
        global bad
        print(f'report: {figure}: nothing drawn says {want}'); bad = 1
schemes = [s['name'] for s in experiment['schemes']]
for m, metric in enumerate(metrics):
    for c, scheme in enumerate(schemes):
        for w, workload in enumerate(workloads + ['mean']):
            v = mean(0, m, c) if workload == 'mean' else value(0, m, w, c)
            drawn_as('bars', metric['digits'], workload=workload, scheme=scheme, **{metric['name']: v})
for s, setting in enumerate(settings):
    for c, scheme in enumerate(schemes):
        for name, other in (('mshrs', 'wait'), ('wait', 'mshrs')):
            if setting[other] == settings[0][other]: drawn_as('lines', 4, scheme=scheme, **{name: setting[name], 'ipc': mean(s, 0, c)})
    drawn_as('heat', 4, mshrs=setting['mshrs'], wait=setting['wait'], shown=mean(s, 0, 1))
for figure in ('slots', 'misses'):
    for w, workload in enumerate(workloads):
        for c in (0, 1):
            for name, (count, share) in shares(0, w, c, figure).items():
                if count > 0: drawn_as(figure, 0, workload=workload, scheme=schemes[c], kind=name, share=f'{100 * share:.2f} %', count=count)
print(f'report: {figures} figures; drawn with the numbers of the database: ' + ', '.join(f'{v} of {k}' for k, v in n.items()))
sys.exit(bad)
EOT
[ $bad = 0 ] || { grep -o 'aria-label="[^"]*"' drawn.html | sort | uniq -c | sort -rn | head -40; }
exit $bad
