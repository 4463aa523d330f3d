#!/usr/bin/env python3
"""page.py - a page of what agreement.py --csv has written: our cycles against theirs, the errors of
each group, and every kernel that is further away than 5 %.

usage: page.py FILE.csv PAGE.html
It takes the look of all pages from cmodel/base/page.html.  It must not know how figures are made.
"""
import csv, html, math, os, sys

HERE = os.path.dirname(os.path.abspath(__file__))
TEMPLATE = os.path.join(HERE, "..", "..", "cmodel", "base", "page.html")

SIDE, LEFT, BOTTOM = 460, 60, 40  # of the scatter, px
BIN_PERCENT = 1
MOST_PERCENT = 15  # the last bin of a histogram holds all beyond
COLOURS = ("#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#8c564b", "#e377c2", "#17becf", "#bcbd22", "#ff7f0e",
           "#7f7f7f", "#393b79", "#637939")


def read(path):
    with open(path, newline="") as f:
        rows = list(csv.DictReader(f))
    for r in rows:
        r["ours"], r["theirs"], r["ratio"] = int(r["ours"]), int(r["theirs"]), float(r["ratio"])
    return rows


def error_percent(row):
    return 100 * (row["ratio"] - 1)


def tag(name, text="", **attributes):
    words = "".join(' %s="%s"' % (k.rstrip("_").replace("_", "-"), v) for k, v in attributes.items())
    return "<%s%s>%s</%s>" % (name, words, text, name)


# ---- our cycles against theirs ----

def scatter(rows, colour):
    least = min(min(r["ours"], r["theirs"]) for r in rows)
    most = max(max(r["ours"], r["theirs"]) for r in rows)
    low, high = math.floor(math.log10(max(least, 1))), math.ceil(math.log10(most))
    high = max(high, low + 1)

    def along(cycles):
        return SIDE * (math.log10(max(cycles, 1)) - low) / (high - low)

    def point(x, y):
        return {"x": round(LEFT + x, 1), "y": round(SIDE - y, 1)}

    parts = []
    for power in range(low, high + 1):
        at = along(10 ** power)
        for x1, y1, x2, y2 in ((at, 0, at, SIDE), (0, at, SIDE, at)):
            a, b = point(x1, y1), point(x2, y2)
            parts.append(tag("line", x1=a["x"], y1=a["y"], x2=b["x"], y2=b["y"], stroke="#ddd"))
        parts.append(tag("text", "10<tspan dy='-4'>%d</tspan>" % power, text_anchor="middle", **point(at, -16)))
        parts.append(tag("text", "10<tspan dy='-4'>%d</tspan>" % power, text_anchor="end", **point(-6, at - 4)))
    for factor, dash in ((1, ""), (1.15, "4 3"), (1 / 1.15, "4 3")):
        up = SIDE * math.log10(factor) / (high - low)
        a, b = point(0, up), point(SIDE, SIDE + up)
        parts.append(tag("line", x1=a["x"], y1=a["y"], x2=b["x"], y2=b["y"], stroke="#888", stroke_dasharray=dash))
    for r in rows:
        at = point(along(r["theirs"]), along(r["ours"]))
        words = "%s/%s: %d against %d" % (r["case"], r["point"], r["ours"], r["theirs"])
        parts.append(tag("circle", tag("title", html.escape(words)), cx=at["x"], cy=at["y"], r=3, fill=colour[r["group"]],
                         fill_opacity=0.6))
    parts.append(tag("text", "their cycles", text_anchor="middle", **point(SIDE / 2, -34)))
    parts.append(tag("text", "our cycles", **point(8, SIDE - 16)))
    size = (LEFT + SIDE + 20, SIDE + BOTTOM)
    return tag("figure", tag("svg", "".join(parts), width=size[0], height=size[1],
                             viewBox="0 -8 %d %d" % (size[0], size[1] + 8)))


# ---- errors ----

def histogram(rows, colour):
    bins = [0] * (2 * MOST_PERCENT // BIN_PERCENT + 1)
    for r in rows:
        error = max(-MOST_PERCENT, min(MOST_PERCENT, error_percent(r)))
        bins[round((error + MOST_PERCENT) / BIN_PERCENT)] += 1
    width, height, parts = 8, 48, []
    for i, n in enumerate(bins):
        tall = height * n / max(bins)
        if n:
            where = "%+d %%%s" % (i * BIN_PERCENT - MOST_PERCENT, " and beyond" if i in (0, len(bins) - 1) else "")
            parts.append(tag("rect", tag("title", "%s: %d" % (where, n)), x=i * width, y=round(height - tall, 1),
                             width=width - 1, height=round(tall, 1), fill=colour))
    middle = (len(bins) * width) / 2
    parts.append(tag("line", x1=middle, x2=middle, y1=0, y2=height, stroke="#888", stroke_dasharray="2 2"))
    return tag("svg", "".join(parts), width=len(bins) * width, height=height)


def table_row(*cells):
    return tag("tr", "".join(cells))


def number(text):
    return tag("td", text, class_="number")


def groups_table(groups, colour):
    titles = ("group", "kernels", "within 5 %", "within 15 %", "mean ratio", "errors, -%d to +%d %%" % (MOST_PERCENT, MOST_PERCENT))
    lines = [table_row(*(tag("th", t) for t in titles))]
    for name, rows in groups.items():
        mean = math.exp(sum(math.log(r["ratio"]) for r in rows) / len(rows))
        within = [sum(abs(error_percent(r)) <= p + 1e-7 for r in rows) for p in (5, 15)]
        lines.append(table_row(tag("td", tag("b", html.escape(name), style="color: " + colour[name])), number(len(rows)),
                               number(within[0]), number(within[1]), number("%.3f" % mean),
                               tag("td", histogram(rows, colour[name]))))
    return tag("table", "".join(lines))


def beyond_table(rows):
    far = sorted((r for r in rows if abs(error_percent(r)) > 5 + 1e-7), key=lambda r: -abs(math.log(r["ratio"])))
    lines = [table_row(*(tag("th", t) for t in ("case", "kernel", "ours", "theirs", "ratio")))]
    for r in far:
        look = "wrong" if abs(error_percent(r)) > 15 else "differs"
        lines.append(table_row(tag("td", html.escape(r["case"])), tag("td", html.escape(r["point"])), number(r["ours"]),
                               number(r["theirs"]), tag("td", "%.3f" % r["ratio"], class_="number " + look)))
    return tag("h2", "%d kernels further away than 5 %%" % len(far)) + tag("table", "".join(lines))


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__.split("\n\n")[1].split("\n")[0])
    rows = read(sys.argv[1])
    if not rows:
        sys.exit("page: %s holds no kernel; agreement.py --csv writes it" % sys.argv[1])
    groups = {}
    for r in rows:
        groups.setdefault(r["group"], []).append(r)
    colour = {name: COLOURS[i % len(COLOURS)] for i, name in enumerate(groups)}
    body = scatter(rows, colour) + tag("h2", "Errors by group") + groups_table({**groups}, colour) + beyond_table(rows)
    name = os.path.splitext(os.path.basename(sys.argv[1]))[0]
    with open(TEMPLATE) as f:
        page = f.read()
    with open(sys.argv[2], "w") as f:
        f.write(page.replace("{title}", html.escape("Cycles of %s against another simulator's" % name)).replace("{body}", body))


if __name__ == "__main__":
    main()
