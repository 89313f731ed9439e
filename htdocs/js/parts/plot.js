// @ts-check
// The library that draws lines, dygraphs, and what it needs to be told. It is served from where Debian's
// package puts it, and loaded when the first chart is drawn.

/** @typedef {"ready" | "missing" | "late"} Library missing: it is not on the server; late: it may come yet */

/** @type {Promise<Library> | null} */
let loaded = null;
let permitted = false;

/**
 * dygraphs writes the labels of its axes, and emptiness, as HTML. Where the browser has Trusted Types, this
 * lets texts through that cannot be markup, and nothing else on the whole page.
 */
function permitPlainTexts() {
    if (!permitted) {
        window.trustedTypes?.createPolicy("default", {
            createHTML: (/** @type {string} */ text) => (/[<&]/.test(text) ? null : text),
        });
        permitted = true;
    }
}

/** Its legend writes style attributes, which the policy of the page refuses; the page tells the values itself. */
function dropLegend() {
    const { Legend } = /** @type {{[name: string]: unknown}} */ (Dygraph.Plugins);
    Dygraph.PLUGINS = /** @type {unknown[]} */ (Dygraph.PLUGINS).filter((one) => one !== Legend);
}

/** @returns {Promise<Library>} */
async function load() {
    const { href } = new URL("vendor/dygraph.min.js", document.baseURI);
    try {
        permitPlainTexts();
        // A plain script; as a module it puts Dygraph into the window just the same.
        await import(href);
        dropLegend();
        return "ready";
    } catch {
        const there = fetch(href, { method: "HEAD", cache: "no-store" });
        return await there.then(({ status }) => status === 404, () => false) ? "missing" : "late";
    }
}

/**
 * Loads the library, unless it is there. What is late is tried again with the next call.
 * @returns {Promise<Library>}
 */
export async function plotLibrary() {
    loaded = loaded ?? load();
    const library = await loaded;
    if (library === "late") {
        loaded = null;
    }
    return library;
}

/**
 * Colours of the style sheet, as a canvas takes them.
 * @type {Record<string, string>}
 */
const palette = {};

/** Reads the colours of the theme that is on now. */
function readPalette() {
    const probe = document.createElement("span");
    document.body.append(probe);
    for (const name of ["accent", "muted", "line", "control", "text", "safe-soft", "warn-soft", "block-soft"]) {
        probe.style.color = `var(--${name})`;
        palette[name] = getComputedStyle(probe).color;
    }
    probe.remove();
}

const HOUR = 3_600_000;
const labels = {
    time: new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" }),
    seconds: new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit" }),
    day: new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" }),
    month: new Intl.DateTimeFormat(undefined, { month: "short", year: "numeric" }),
};

/**
 * What stands at a mark of the time axis.
 * @param {number} ms
 * @param {number} span of the axis, in ms
 * @returns {string}
 */
function axisLabel(ms, span) {
    const date = new Date(ms);
    const midnight = date.getHours() === 0 && date.getMinutes() === 0;
    if (span < HOUR / 6) {
        return labels.seconds.format(date);
    }
    if (span > 200 * 24 * HOUR) {
        return labels.month.format(date);
    }
    return midnight || span > 8 * 24 * HOUR ? labels.day.format(date) : labels.time.format(date);
}

/** @typedef {[Date, number | null, number | null]} Row time, lowest score, mean score */
/** @typedef {{from: number, to: number, text: string}} Band */
/** @typedef {{at: number, text: string}} Pin */

/**
 * @typedef {object} Drawing what is in the chart besides the line
 * @property {Band[]} bands stretches of time
 * @property {Pin[]} pins moments
 */

/**
 * Thresholds, stretches of time and moments, below the line.
 * @param {CanvasRenderingContext2D} canvas
 * @param {{x: number, y: number, w: number, h: number}} area
 * @param {Dygraph} graph
 * @param {Drawing} drawing
 */
function underlay(canvas, area, graph, { bands, pins }) {
    const y = (/** @type {number} */ score) => graph.toDomYCoord(score);
    const zone = (/** @type {string} */ name, /** @type {number} */ from, /** @type {number} */ to) => {
        canvas.fillStyle = palette[name];
        canvas.fillRect(area.x, y(to), area.w, y(from) - y(to));
    };
    canvas.save();
    canvas.globalAlpha = 0.45;
    zone("safe-soft", 70, 101);
    zone("warn-soft", 50, 70);
    zone("block-soft", 0, 50);
    canvas.fillStyle = palette.control;
    canvas.globalAlpha = 0.25;
    for (const { from, to } of bands) {
        const x = Math.max(area.x, graph.toDomXCoord(from));
        canvas.fillRect(x, area.y, Math.max(2, Math.min(area.x + area.w, graph.toDomXCoord(to)) - x), area.h);
    }
    canvas.globalAlpha = 1;
    canvas.fillStyle = palette.text;
    canvas.strokeStyle = palette.text;
    canvas.font = "600 12px system-ui, sans-serif";
    pins.forEach(({ at, text }, i) => {
        const there = graph.toDomXCoord(at);
        if (there < area.x || there > area.x + area.w + 1) {
            return;
        }
        const x = Math.min(Math.round(there), area.x + area.w - 1) + 0.5;
        canvas.setLineDash([5, 4]);
        canvas.beginPath();
        canvas.moveTo(x, area.y);
        canvas.lineTo(x, area.y + area.h);
        canvas.stroke();
        const width = canvas.measureText(text).width + 4;
        canvas.fillText(text, x + 4 + width > area.x + area.w ? x - width : x + 4, area.y + 12 + 14 * i);
    });
    canvas.restore();
}

/**
 * @typedef {object} Plot
 * @property {Dygraph} graph
 * @property {(rows: Row[], from: number, to: number) => void} show
 * @property {() => void} redraw
 */

/**
 * A chart of scores in `element`, which it fills and follows in size.
 * @param {HTMLElement} element
 * @param {{drawing: () => Drawing, zoomed: (from: number, to: number) => void,
 *   picked: (at: number, shift: boolean) => void, pointed: (row: number | null) => void,
 *   drawn: (graph: Dygraph) => void, signal: AbortSignal}} how
 *   zoomed: somebody has chosen a stretch of time; picked: a moment; pointed: the row below the pointer
 * @returns {Plot}
 */
export function plot(element, { drawing, zoomed, picked, pointed, drawn, signal }) {
    const colours = () => {
        readPalette();
        return { colors: [palette.accent, palette.muted], axisLineColor: palette.line, gridLineColor: palette.line };
    };
    const graph = new Dygraph(element, [[new Date(0), null, null]], {
        labels: ["time", "lowest", "mean"], legend: "never", valueRange: [0, 102], animatedZooms: false,
        labelsUTC: false, connectSeparatedPoints: false, drawGapEdgePoints: true, strokeWidth: 1.75,
        series: { mean: { strokeWidth: 1, strokePattern: [2, 3] } }, highlightCircleSize: 4,
        axes: {
            y: { axisLabelWidth: 28, pixelsPerLabel: 40 },
            x: { pixelsPerLabel: 90, axisLabelFormatter: (/** @type {Date} */ at, /** @type {unknown} */ _g,
                /** @type {unknown} */ _o, /** @type {Dygraph} */ one) => {
                const [from, to] = one.xAxisRange();
                return axisLabel(Number(at), to - from);
            } },
        },
        underlayCallback: (/** @type {CanvasRenderingContext2D} */ canvas,
            /** @type {{x: number, y: number, w: number, h: number}} */ area, /** @type {Dygraph} */ one) =>
            underlay(canvas, area, one, drawing()),
        zoomCallback: (/** @type {number} */ from, /** @type {number} */ to) => zoomed(from, to),
        clickCallback: (/** @type {MouseEvent} */ event, /** @type {number} */ x) => picked(x, event.shiftKey),
        highlightCallback: (/** @type {unknown} */ _e, /** @type {unknown} */ _x, /** @type {unknown} */ _p,
            /** @type {number} */ row) => pointed(row),
        unhighlightCallback: () => pointed(null),
        drawCallback: (/** @type {Dygraph} */ one) => drawn(one),
        ...colours(),
    });
    /** @param {Record<string, unknown>} options What comes late finds no graph any more. */
    const update = (options) => {
        if (!signal.aborted) {
            graph.updateOptions(options);
        }
    };
    const recolour = () => update(colours());
    document.addEventListener("themechange", recolour, { signal });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", recolour, { signal });
    const resized = new ResizeObserver(() => graph.resize());
    resized.observe(element);
    signal.addEventListener("abort", () => {
        resized.disconnect();
        graph.destroy();
    });
    return {
        graph,
        show: (rows, from, to) => update({ file: rows, dateWindow: [from, to] }),
        redraw: () => update({}),
    };
}
