// @ts-check
// How the score went: a chart to zoom and to pick moments on, and the same as a table.

import { h, morph } from "../../core/dom.js";
import { poll, repeat } from "../../core/poll.js";
import { plot, plotLibrary } from "../../parts/plot.js";
import { chip, decisionOf } from "../../parts/score.js";
import { failure, loading } from "../../parts/states.js";
import { paged, table } from "../../parts/table.js";
import { duration, moment } from "../../parts/time.js";
import { formulaMarkers, markerButtons, markerLegend, markerList, readMarkers } from "./markers.js";
import { rangeOf, RANGES, SPOKEN } from "./range.js";

/** @typedef {import("../../core/types.js").Point} Point */
/** @typedef {import("./markers.js").Marker} Marker */

/** How long after a point the line is interrupted. */
const GAP_MS = 1000;

/**
 * After how long without a push the line is interrupted: three times what is usual.
 * @param {Point[]} points
 * @param {number} step seconds
 * @returns {number} ms
 */
function gapOf(points, step) {
    const waits = points.slice(1).map(({ timestamp }, i) => Date.parse(timestamp) - Date.parse(points[i].timestamp));
    const usual = waits.sort((one, other) => one - other)[waits.length >> 1] ?? 0;
    return Math.max(step * 3000, usual * 3, 900_000);
}

/**
 * Rows of the chart; where nothing was pushed for a while, the line has a gap.
 * @param {Point[]} points
 * @param {number} step seconds
 * @returns {import("../../parts/plot.js").Row[]}
 */
export function chartRows(points, step) {
    const gap = gapOf(points, step);
    /** @type {import("../../parts/plot.js").Row[]} */
    const rows = [];
    let before = NaN;
    for (const { timestamp, score, mean } of points) {
        const at = Date.parse(timestamp);
        if (at - before > gap) {
            rows.push([new Date(before + GAP_MS), null, null]);
        }
        rows.push([new Date(at), score, mean ?? null]);
        before = at;
    }
    return rows;
}

/** @param {Point} point @param {number} step */
function reading({ timestamp, score, mean, last, pods, nodes, risks }, step) {
    const more = step ? [` lowest in ${duration(step * 1000)}, mean ${mean}, at its end ${last}`] : [];
    return [moment(timestamp), " ", h("b", null, score), " ", chip(decisionOf(score)), more,
        h("span", { class: "muted" }, ` · ${pods} pods · ${nodes} nodes · ${risks} risks`)];
}

/** @type {import("../../parts/table.js").Column<Point>[]} */
const COLUMNS = [
    { label: "Time", cell: ({ timestamp }) => moment(timestamp), head: true },
    { label: "Score", cell: ({ score }) => score, number: true },
    { label: "Decision", cell: ({ score }) => chip(decisionOf(score)) },
    { label: "Mean", cell: ({ mean }) => mean ?? "–", number: true },
    { label: "Pods", cell: ({ pods }) => pods, number: true },
    { label: "Nodes", cell: ({ nodes }) => nodes, number: true },
    { label: "Risks", cell: ({ risks }) => risks, number: true },
];

const HINT = "Drag to zoom, double-click for the whole range. A click compares that moment with the end of what " +
    "is compared, Shift and click sets that end.";
const CHART_NAME = "Chart of the score. The same is in the table below it.";
const ADDRESS = ["range", "from", "to", "points"];

/**
 * @typedef {object} Compare what the card has to do with comparing
 * @property {() => {at: number, text: string}[]} pins the moments that are compared
 * @property {(at: number, shift: boolean) => void} picked somebody has clicked on a moment
 */

/** The card with the chart. */
export class HistoryCard {
    /** @type {Point[] | null} */
    points = null;
    /** @type {import("../../parts/plot.js").Row[]} */
    rows = [];
    /** @type {Marker[]} */
    markers = [];
    /** @type {unknown} */
    problem = null;
    /** @type {import("../../parts/plot.js").Plot | null} */
    chart = null;
    /** @type {import("../../parts/plot.js").Library | null} null: not known yet */
    library = null;
    page = 1;
    root = h("section", { class: "card history", "aria-labelledby": "history", preserve: true });
    canvas = h("div", { class: "plot", role: "img", "aria-label": CHART_NAME });
    lane = h("div", { class: "lane", role: "group", "aria-label": "Events on the chart" });
    legend = h("div");
    readout = h("p", { class: "readout" });
    stage = h("div", { preserve: true }, this.canvas, this.lane, this.legend, this.readout);

    /**
     * @param {import("../../core/router.js").Context} context
     * @param {string} clusterId
     * @param {Compare} compare
     */
    constructor(context, clusterId, compare) {
        this.context = context;
        this.clusterId = clusterId;
        this.compare = compare;
        this.query = context.place.query;
        this.range = rangeOf(this.query);
        this.reads = this.pollPoints();
        this.events = this.pollMarkers();
        this.startChart();
        this.draw();
    }

    pollPoints() {
        return poll("/api/score-history", () => {
            this.range = rangeOf(this.query);
            const { from, to, step, live } = this.range;
            const until = live ? null : new Date(to).toISOString();
            return { clusterId: this.clusterId, step: step || null, from: new Date(from).toISOString(), to: until };
        }, {
            every: 10_000,
            signal: this.context.signal,
            active: this.context.active,
            show: (data) => {
                this.points = data;
                this.problem = null;
                this.show();
            },
            failed: (error) => {
                this.problem = error;
                this.draw();
            },
            well: () => {
                if (this.library === "late") {
                    this.startChart();
                }
            },
        });
    }

    pollMarkers() {
        const { signal, active } = this.context;
        return repeat({ every: 30_000, signal, active, failed: () => null, work: async (until) => {
            const { from, to } = rangeOf(this.query);
            this.markers = await readMarkers(this.clusterId, from, to, until);
            this.redraw();
            this.draw();
        } });
    }

    /** Draws when the library is there; a chart wants to be made where it is seen. */
    async startChart() {
        this.library = await plotLibrary();
        this.show();
    }

    makeChart() {
        const { signal, setQuery } = this.context;
        this.chart = plot(this.canvas, {
            drawing: () => ({ bands: this.bands(), pins: this.compare.pins() }),
            zoomed: (from, to) => setQuery(
                { from: new Date(from).toISOString(), to: new Date(to).toISOString(), range: null }, true),
            picked: (at, shift) => this.compare.picked(this.momentOf(at), shift),
            pointed: (row) => this.point(row),
            drawn: (graph) => this.drawLane(graph),
            signal,
        });
        this.canvas.addEventListener("dblclick", () => setQuery({ from: null, to: null }, true), { signal });
        this.point(null);
    }

    /**
     * What is at a place of the chart: a step stands at its beginning and shows its lowest score, which came later.
     * @param {number} at ms
     */
    momentOf(at) {
        const found = this.points?.find(({ timestamp }) => [at, at - GAP_MS].includes(Date.parse(timestamp)));
        return Date.parse(found?.worst_at ?? "") || at;
    }

    /** All markers, also those that are told by the points. */
    allMarkers() {
        return [...this.markers, ...formulaMarkers(this.points ?? [])].sort((one, other) => one.at - other.at);
    }

    bands() {
        return this.markers.filter(({ until }) => until)
            .map(({ at, until, text }) => ({ from: at, to: until ?? at, text }));
    }

    /** @param {Dygraph} graph */
    drawLane(graph) {
        const { x, w } = graph.getArea();
        const markers = this.allMarkers();
        morph(this.lane, markerButtons(markers, (at) => graph.toDomXCoord(at), [x, x + w]));
        morph(this.legend, markerLegend(markers));
    }

    /** @param {number | null} row */
    point(row) {
        const at = row === null ? NaN : Number(this.rows[row]?.[0]);
        const found = this.points?.find(({ timestamp }) => Date.parse(timestamp) === at);
        morph(this.readout, found ? reading(found, this.range.step) : h("span", { class: "muted" }, HINT));
    }

    show() {
        const { points, library, context } = this;
        this.draw();
        // Where it is not in the page, as behind another tab, a chart cannot be measured.
        if (points?.length && library === "ready" && !context.signal.aborted && this.canvas.isConnected) {
            if (!this.chart) {
                this.makeChart();
            }
            this.rows = chartRows(points, this.range.step);
            this.chart?.show(this.rows, this.range.from, this.range.to);
        }
    }

    tools() {
        const { setQuery } = this.context;
        const press = (/** @type {string} */ name) => h("button", {
            type: "button", "aria-pressed": String(this.range.name === name), "aria-label": SPOKEN[name],
            onclick: () => setQuery({ range: name, from: null, to: null }, true),
        }, name);
        const every = (/** @type {Event} */ event) => setQuery({
            points: /** @type {HTMLInputElement} */ (event.target).checked ? "all" : null,
        });
        return h("div", { class: "page-head" }, h("h2", { id: "history" }, "Score history"),
            !this.range.live && h("button", {
                type: "button", class: "small", onclick: () => setQuery({ from: null, to: null }, true),
            }, "Zoom out"),
            h("div", { class: "spacer" }),
            h("div", { class: "segments", role: "group", "aria-label": "Range" }, RANGES.map(press)),
            h("label", { class: "row small" },
                h("input", { type: "checkbox", checked: this.query.get("points") === "all", onchange: every }),
                "Every push"));
    }

    /** @param {Point[]} points */
    table(points) {
        const { rows, pager } = paged([...points].reverse(), this.page, 50, (to) => {
            this.page = to;
            this.draw();
        });
        const events = this.allMarkers();
        const caption = "Score history, the newest first";
        return h("details", { class: "as-table" }, h("summary", null, "As a table"),
            table({ caption, columns: COLUMNS, rows, key: ({ timestamp }) => timestamp }), pager,
            h("h3", null, "Events"),
            events.length > 0 ? markerList(events) : h("p", { class: "muted" }, "None in this range."));
    }

    draw() {
        const { points, problem, library } = this;
        const none = points?.length === 0;
        const chartless = library === "missing" || library === "late";
        this.stage.hidden = chartless || none || !points;
        morph(this.root, this.tools(),
            !points && (problem ? failure(problem, () => this.reads.now()) : loading("the history")),
            none && h("p", { class: "state" }, "Nothing was pushed in this range."),
            points?.length === 1 && h("p", { class: "hint above" },
                "There is one point in this range: the line begins with the next one."),
            chartless && h("p", { class: "notice" }, library === "late"
                ? "The chart could not be loaded. This page goes on trying. "
                : "The chart needs the Debian package libjs-dygraphs on the server. ", "The table shows the same."),
            this.stage,
            points && this.table(points));
    }

    /** Draws the moments that are compared. */
    redraw() {
        this.chart?.redraw();
    }

    /** @param {import("../../core/router.js").Place} place */
    changed(place) {
        const of = (/** @type {URLSearchParams} */ query) => ADDRESS.map((name) => query.get(name)).join();
        const same = of(this.query) === of(place.query);
        this.query = place.query;
        if (!same) {
            this.range = rangeOf(this.query);
            this.page = 1;
            this.reads.now();
            this.events.now();
            this.draw();
        }
    }
}
