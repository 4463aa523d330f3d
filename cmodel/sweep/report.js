/* report.js - the figures of a report, drawn with Vega-Lite from the numbers in the page.
 *
 * The page's element #data holds everything (report_data.c); nothing is fetched.  Colours of text
 * and axes are the page's own, so that dark, light and paper look right. */
"use strict";
(() => {
const data = JSON.parse(document.getElementById("data").textContent);
const schemes = data.schemes.map(s => s.name);
let setting = 0;
/* Names of rows, in which parameters have a setting's values. */
const rowsAt = at => data.workloads.map(name => name.replace(/\{(\w+)\}/g, (whole, parameter) => {
    const p = data.parameters.findIndex(one => one.name === parameter);
    return p < 0 ? whole : data.settings[at][p];
}));

/* ---- which setting of the sweep ---- */

const chosen = data.parameters.map(p => 0);
function settingAt(choice) {
    return data.settings.findIndex(values => choice.every((c, p) =>
        data.parameters[p].derived || values[p] === data.parameters[p].values[c]));
}
/* Zipped parameters go together: what was changed last decides. */
function choose(parameter, index) {
    chosen[parameter] = index;
    let at = settingAt(chosen);
    if (at < 0) {
        const wanted = data.parameters[parameter].values[index];
        at = data.settings.findIndex(values => values[parameter] === wanted);
        data.parameters.forEach((p, i) => {
            chosen[i] = Math.max(0, p.values.indexOf(data.settings[at][i]));
        });
    }
    setting = at;
    drawAll();
}
function makeChoices() {
    const box = document.getElementById("choices");
    data.parameters.forEach((p, i) => {
        if (p.values.length < 2 || p.derived) return;
        const label = document.createElement("label");
        const select = document.createElement("select");
        p.values.forEach((v, n) => select.add(new Option(v, n)));
        select.onchange = () => choose(i, Number(select.value));
        select.dataset.parameter = i;
        label.append(p.title + " ", select);
        box.append(label);
    });
}
function showChoices() {
    document.querySelectorAll("#choices select").forEach(s => { s.value = chosen[s.dataset.parameter]; });
}

/* ---- numbers ---- */

const place = (m, w, s) => (m * data.workloads.length + w) * schemes.length + s;
const value = (at, m, w, s) => data.values[at][place(m, w, s)];
const mean = (at, m, s) => data.means[at][m * schemes.length + s];
const shown = (m, v) => v === null ? "no value" : v.toFixed(data.metrics[m].digits);
const axisTitle = m => data.metrics[m].title +
    (data.metrics[m].over_baseline ? " over " + schemes[data.baseline] : "");
const wrap = (text, n = 60) => text.split(" ").reduce((lines, word) => {
    const last = lines[lines.length - 1];
    if (last !== undefined && last.length + word.length < n) lines[lines.length - 1] = last + " " + word;
    else lines.push(word);
    return lines;
}, []);

/* ---- figures: a function of the plot gives its specification ---- */

/* What the page is wide: narrow ones get fewer entries a line, and smaller curves. */
const wide = () => Math.max(280, document.getElementById("figures").clientWidth);
const legend = size => ({orient: "top", columns: Math.max(2, Math.floor(wide() / size)), symbolLimit: 60, columnPadding: 16});
const colour = {field: "scheme", type: "nominal", sort: schemes, title: null, legend: legend(110)};
function bars(plot) {
    const m = plot.metric, names = rowsAt(setting), rows = [];
    names.forEach((workload, w) => schemes.forEach((scheme, s) => {
        const v = value(setting, m, w, s);
        if (v !== null) rows.push({workload, scheme, value: v, shown: shown(m, v), cell: [setting, w, s]});
    }));
    schemes.forEach((scheme, s) => {
        const v = mean(setting, m, s);
        if (v !== null) rows.push({workload: "mean", scheme, value: v, shown: shown(m, v)});
    });
    const marks = data.claims.filter(c => c.setting === setting && c.metric === m && c.over === null)
        .map(c => ({workload: "mean", scheme: schemes[c.scheme], document: c.document, verdict: c.verdict, section: c.section}));
    const x = {field: "workload", type: "nominal", sort: [...names, "mean"], title: null, axis: {labelAngle: -30}};
    const offset = {field: "scheme", type: "nominal", sort: schemes};
    return {
        width: {step: Math.max(5, Math.min(14, 90 / schemes.length))}, height: 260,
        padding: {left: 20, right: 5, top: 5, bottom: 5}, /* names that slope out */
        layer: [
            {data: {values: rows}, mark: {type: "bar", cursor: "pointer"}, encoding: {
                x, xOffset: offset, color: colour,
                y: {field: "value", type: "quantitative", title: wrap(axisTitle(m), 40)},
                tooltip: [{field: "workload"}, {field: "scheme"}, {field: "shown", title: data.metrics[m].name}]}},
            {data: {values: marks}, mark: {type: "tick", thickness: 3, color: "currentColor", width: 12}, encoding: {
                x, xOffset: offset, y: {field: "document", type: "quantitative"},
                tooltip: [{field: "scheme"}, {field: "document", title: "the document says"}, {field: "verdict"}, {field: "section"}]}},
        ],
    };
}
/* The settings that differ from the chosen one in these parameters only (and what goes with them). */
function along(...swept) {
    const groups = swept.map(p => data.parameters[p].axis);
    return data.settings.map((values, at) => at).filter(at => data.parameters.every((p, i) =>
        p.derived || groups.includes(p.axis) || data.settings[at][i] === data.settings[setting][i]));
}
const isNumber = p => data.parameters[p].values.every(v => typeof v === "number");
function lines(plot) {
    const m = plot.metric, rows = [];
    along(plot.x).forEach(at => schemes.forEach((scheme, s) => {
        const v = mean(at, m, s);
        if (v !== null) rows.push({x: data.settings[at][plot.x], scheme, value: v, shown: shown(m, v)});
    }));
    const ticks = data.parameters[plot.x].values;
    return {
        width: Math.min(520, wide() - 90), height: 260, data: {values: rows}, mark: {type: "line", point: true},
        encoding: {
            x: {field: "x", type: isNumber(plot.x) ? "quantitative" : "ordinal", sort: ticks, title: data.parameters[plot.x].title,
                axis: isNumber(plot.x) ? {values: ticks, labelOverlap: true} : {}, scale: {zero: false}},
            y: {field: "value", type: "quantitative", title: wrap("mean of " + axisTitle(m), 40), scale: {zero: false}},
            color: colour,
            tooltip: [{field: "x", title: data.parameters[plot.x].name}, {field: "scheme"}, {field: "shown", title: data.metrics[m].name}]},
    };
}
function heat(plot) {
    const m = plot.metric, rows = along(plot.x, plot.y).map(at => ({
        x: data.settings[at][plot.x], y: data.settings[at][plot.y], value: mean(at, m, plot.scheme)}))
        .filter(r => r.value !== null).map(r => ({...r, shown: shown(m, r.value)}));
    const axis = p => ({type: "ordinal", sort: data.parameters[p].values, title: data.parameters[p].title});
    return {
        width: {step: 48}, height: {step: 28}, data: {values: rows},
        encoding: {x: {field: "x", ...axis(plot.x)}, y: {field: "y", ...axis(plot.y)}},
        layer: [
            {mark: "rect", encoding: {
                color: {field: "value", type: "quantitative", title: schemes[plot.scheme], scale: {scheme: "viridis", zero: false}},
                tooltip: [{field: "x", title: data.parameters[plot.x].name}, {field: "y", title: data.parameters[plot.y].name},
                          {field: "shown", title: data.metrics[m].name}]}},
            {mark: {type: "text", fontSize: 10, stroke: "#000", strokeWidth: 2, strokeOpacity: .55}, encoding: {text: {field: "shown"}, color: {value: "#fff"}}},
            {mark: {type: "text", fontSize: 10}, encoding: {text: {field: "shown"}, color: {value: "#fff"}}}],
    };
}
/* Of each cell the mean of its seeds' shares. */
function stack(classes, of, title) {
    const names = rowsAt(setting), rows = [], cells = new Map();
    data.points.filter(p => p.at[0] === setting && p[of]).forEach(p => {
        const at = p.at.join();
        cells.set(at, [...(cells.get(at) || []), p]);
    });
    const total = counts => counts.reduce((a, b) => a + b, 0);
    for (const seeds of cells.values()) {
        const [, w, s] = seeds[0].at;
        classes.forEach((kind, c) => {
            const count = total(seeds.map(p => p[of][c]));
            const share = total(seeds.map(p => p[of][c] / total(p[of]))) / seeds.length;
            if (count > 0) rows.push({workload: names[w], scheme: schemes[s], kind, order: c, count, share,
                                      percent: (100 * share).toFixed(2) + " %", cell: seeds[0].at});
        });
    }
    if (rows.length === 0) return null;
    return {
        data: {values: rows},
        facet: {column: {field: "workload", type: "nominal", sort: names, title: null, header: {labelFontSize: 11}}},
        spacing: 6,
        spec: {width: {step: 15}, height: 220, mark: {type: "bar", cursor: "pointer"}, encoding: {
            x: {field: "scheme", type: "nominal", sort: schemes, title: null, axis: {labelAngle: -60}},
            y: {field: "share", type: "quantitative", title: title, axis: {format: "%"}, stack: "zero", scale: {domainMax: 1}},
            order: {field: "order"},
            color: {field: "kind", type: "nominal", sort: classes, title: null, scale: {scheme: "tableau20"}, legend: legend(190)},
            tooltip: [{field: "workload"}, {field: "scheme"}, {field: "kind"}, {field: "percent", title: "share"}, {field: "count"}]}},
    };
}
const kinds = {
    bars, lines, heat,
    slots: () => stack(data.slot_classes, "slots", "issue slots"),
    misses: () => stack(data.load_classes, "loads", "accesses of loads to the L1D"),
};

/* ---- drawing ---- */

const text = {labelColor: "currentColor", titleColor: "currentColor"};
const line = {domainColor: "currentColor", tickColor: "currentColor", gridColor: "#8884"};
const look = {
    background: "transparent", font: "sans-serif", view: {stroke: "#8886"}, axis: {...text, ...line, titleFontWeight: "normal"},
    legend: {...text, titleFontWeight: "normal"}, header: text, title: {color: "currentColor"}, text: {color: "currentColor"},
    range: {category: {scheme: schemes.length > 10 ? "tableau20" : "tableau10"}},
};
async function draw(plot, figure) {
    const spec = kinds[plot.kind](plot);
    figure.hidden = spec === null;
    if (spec === null) return;
    const box = figure.querySelector("div");
    const result = await vegaEmbed(box, {$schema: "https://vega.github.io/schema/vega-lite/v5.json", config: look, ...spec}, {
        renderer: "svg", mode: "vega-lite", downloadFileName: data.name + "-" + plot.kind,
        actions: {export: {svg: true, png: true}, source: false, compiled: false, editor: false}});
    result.view.addEventListener("click", (event, item) => {
        if (item && item.datum && item.datum.cell) showCell(item.datum.cell);
    });
}
async function drawAll() {
    showChoices();
    const figures = document.querySelectorAll("figure[data-plot]");
    for (const figure of figures) await draw(data.plots[Number(figure.dataset.plot)], figure);
    document.body.dataset.drawn = "yes";
}

/* ---- one point ---- */

async function inflate(base64) {
    const bytes = Uint8Array.from(atob(base64), c => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Response(stream).json();
}
function flatten(object, path, out) {
    for (const [key, member] of Object.entries(object)) {
        const name = path ? path + "." + key : key;
        if (member !== null && typeof member === "object") flatten(member, name, out);
        else out.push([name, String(member)]);
    }
    return out;
}
function element(tag, text, ...inside) {
    const e = document.createElement(tag);
    if (text !== null) e.textContent = text;
    e.append(...inside);
    return e;
}
function counterTable(rows) {
    const filter = element("input", null), body = element("tbody", null);
    filter.placeholder = "part of a counter's name";
    const fill = () => {
        const wanted = filter.value.toLowerCase();
        const some = rows.filter(r => wanted ? r[0].toLowerCase().includes(wanted) : !/^statistics\.sms\./.test(r[0]));
        body.replaceChildren(...some.slice(0, 600).map(r => element("tr", null, element("td", r[0]), element("td", r[1]))));
    };
    filter.oninput = fill;
    fill();
    return [filter, element("table", null, body)];
}
async function describe(point) {
    const parts = [element("h3", rowsAt(point.at[0])[point.at[1]] + ", " + schemes[point.at[2]] + ", seed " + point.seed + ": " + point.state)];
    if (point.command) parts.push(element("pre", point.command));
    parts.push(element("p", "key " + point.key + (point.seconds !== null ? ", " + point.seconds.toFixed(2) + " s" : "")));
    const packed = data.statistics[point.key];
    if (packed) parts.push(...counterTable(flatten(await inflate(packed), "", [])));
    else parts.push(element("p", "All its statistics: warplock results --point " + point.key.slice(0, 12)));
    return parts;
}
async function showCell(cell) {
    const dialog = document.getElementById("point"), inside = dialog.querySelector("div");
    const points = data.points.filter(p => p.at.every((v, i) => v === cell[i]));
    inside.replaceChildren();
    for (const point of points) inside.append(...await describe(point));
    if (!dialog.open) dialog.showModal();
}

makeChoices();
if (typeof vegaEmbed === "function") {
    drawAll();
} else {
    document.getElementById("figures").prepend(element("p", "This program was built without the plotting library: there are tables alone."));
    document.querySelectorAll("figure[data-plot]").forEach(f => { f.hidden = true; });
}
document.getElementById("point").addEventListener("click", e => { if (e.target === e.currentTarget) e.currentTarget.close(); });
/* For links: #setting/workload/scheme opens that point. */
const wanted = location.hash.slice(1).split("/").map(Number);
if (wanted.length === 3 && wanted.every(Number.isInteger)) showCell(wanted);
})();
