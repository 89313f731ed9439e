// @ts-check
// What happened while the score moved: deploys, decisions of the gate, alerts, silences, another formula.

import { h, hidden } from "../../core/dom.js";
import { getAll } from "../../core/api.js";
import { link } from "../../core/router.js";
import { shape } from "../../parts/score.js";
import { fullMoment, millis, moment } from "../../parts/time.js";
import { dialog } from "../../parts/dialog.js";
import { deployMarkers } from "./deploy-markers.js";

/**
 * @typedef {object} Marker
 * @property {string} id
 * @property {number} at ms
 * @property {string} kind decision, alert, silence, formula or deploy
 * @property {string} sign a decision, which has a shape, or what stands on the button
 * @property {[one: string, many: string]} name what it is, for the legend and for counting
 * @property {number} [count] of what it stands for, unless that is one
 * @property {string} tone safe, warn, block or ""
 * @property {string} text
 * @property {string} [href]
 * @property {number} [until] ms, of a silence
 */

/** @typedef {import("../../core/types.js").GateDecision} GateDecision */

/** @param {GateDecision} one @returns {Marker} */
function ofDecision({ id, decided_at: at, decision, csc_score: score, resource, user }) {
    const what = resource ? ` for ${resource}` : "";
    return {
        id, at: millis(at), kind: "decision", sign: decision,
        name: [`${decision} of the gate`, `${decision} of the gate`], tone: decision.toLowerCase(),
        text: `Gate said ${decision} at ${score}${what}${user ? `, asked by ${user}` : ""}`, href: link(["gate", id]),
    };
}

/** @param {import("../../core/alert-types.js").Delivery} one @returns {Marker} */
function ofDelivery({ id, createdAt, title, event, clusterId }) {
    const over = /recovered|resolved/i.test(event);
    return {
        id, at: millis(createdAt), kind: "alert", sign: over ? "A✓" : "A",
        name: over ? ["alert over", "alerts over"] : ["alert", "alerts"], tone: over ? "safe" : "block",
        text: `Alert: ${title || event}`, href: link(["alerts", "deliveries"], { cluster: clusterId }),
    };
}

/** @param {import("../../core/alert-types.js").Silence} one @returns {Marker} */
function ofSilence({ id, createdAt, until, reason, createdBy, clusterId }) {
    return {
        id, at: millis(createdAt), until: millis(until), kind: "silence", sign: "S", tone: "",
        name: ["silence", "silences"],
        text: `Silence${reason ? `: ${reason}` : ""}${createdBy ? ` (${createdBy})` : ""}`,
        href: link(["alerts", "silences"], { cluster: clusterId }),
    };
}

/**
 * Where the marks of old formulas end.
 * @param {import("../../core/types.js").Point[]} points
 * @returns {Marker[]}
 */
export function formulaMarkers(points) {
    /** @type {Marker[]} */
    const found = [];
    points.forEach(({ formula, timestamp }, i) => {
        const before = points[i - 1]?.formula;
        if (i > 0 && before !== formula) {
            found.push({
                id: `formula-${timestamp}`, at: millis(timestamp), kind: "formula", sign: "F", tone: "",
                name: ["other formula", "other formulas"],
                text: `Another formula makes the score from here on (before: version ${before ?? "of now"})`,
            });
        }
    });
    return found;
}

const MOST = 1000;

/**
 * All markers of a stretch of time, by time.
 * @param {string} clusterId
 * @param {number} from
 * @param {number} to
 * @param {AbortSignal} signal
 * @returns {Promise<Marker[]>}
 */
export async function readMarkers(clusterId, from, to, signal) {
    const times = { clusterId, from: new Date(from).toISOString(), to: new Date(to).toISOString() };
    const most = { signal, most: MOST };
    // What somebody may not read, or cannot be read now, is no marker.
    const none = () => [];
    const [deploys, decisions, deliveries, silences] = await Promise.all([
        getAll("/api/deploys", times, most).catch(none),
        getAll("/api/decisions", times, most).catch(none),
        getAll("/api/notifications/deliveries", times, most).catch(none),
        getAll("/api/notifications/silences", { clusterId, from: times.from, limit: null }, most).catch(none),
    ]);
    const seen = (/** @type {{at: number, until?: number}} */ one) => one.at <= to && (one.until ?? one.at) >= from;
    return [
        ...deployMarkers(deploys, deploys.length < MOST),
        ...decisions.map(ofDecision),
        ...deliveries.filter(({ clusterId: of }) => of === clusterId).map(ofDelivery),
        ...silences.filter(({ clusterId: of }) => of === null || of === clusterId).map(ofSilence),
    ].filter(seen).sort((one, other) => one.at - other.at);
}

/** @param {Marker} marker */
const sign = ({ kind, sign: text }) => (kind === "decision"
    ? shape(/** @type {import("../../core/types.js").Decision} */ (text)) : text);

/**
 * "2 rollouts started, 1 alert"
 * @param {Marker[]} markers
 */
function countWords(markers) {
    /** @type {Map<string, {name: [string, string], n: number}>} */
    const counts = new Map();
    for (const { name, count = 1 } of markers) {
        counts.set(name[0], { name, n: (counts.get(name[0])?.n ?? 0) + count });
    }
    return [...counts.values()].map(({ name, n }) => `${n} ${name[n === 1 ? 0 : 1]}`).join(", ");
}

/**
 * What a button shows: the worst of those that it stands for.
 * @param {Marker[]} markers
 */
const lead = (markers) => markers.find(({ tone }) => tone === "block") ??
    markers.find(({ tone }) => tone === "warn") ?? markers[0];

/** Lines of a dialog, and of what the mouse shows. */
const TOLD = 100;
const TITLED = 12;

/** @param {Marker[]} markers */
function tell(markers) {
    const more = markers.length - TOLD;
    dialog({ title: markers.length === 1 ? "At this moment" : `${markers.length} events around here`, body: (close) => [
        markers.length > 1 && h("p", null, countWords(markers)),
        h("ul", { class: "plain" }, markers.slice(0, TOLD).map((one) => h("li", null, fullMoment(one.at), h("br"),
            one.href ? h("a", { href: one.href }, one.text) : one.text))),
        more > 0 && h("p", { class: "muted" }, `And ${more} more: zoom in to tell them apart.`),
        h("div", { class: "actions" },
            h("button", { type: "button", "data-focus": true, onclick: () => close() }, "Close")),
    ] });
}

/** @param {Marker[]} markers */
const titleOf = (markers) => [...markers.slice(0, TITLED).map(({ text }) => text),
    ...markers.length > TITLED ? [`and ${markers.length - TITLED} more`] : []].join("\n");

/**
 * Buttons below the chart, those that would overlap made one.
 * @param {Marker[]} markers by time
 * @param {(at: number) => number} x where a moment is, in pixels
 * @param {[number, number]} edges in pixels
 * @returns {HTMLElement[]}
 */
export function markerButtons(markers, x, [left, right]) {
    /** @type {{x: number, all: Marker[]}[]} */
    const groups = [];
    for (const marker of markers) {
        const here = Math.max(left, x(marker.at));
        const last = groups[groups.length - 1];
        if (here > right) {
            continue;
        }
        if (last && here - last.x < 24) {
            last.all.push(marker);
        } else {
            groups.push({ x: here, all: [marker] });
        }
    }
    return groups.map(({ x: here, all }) => h("button", {
        type: "button", key: all[0].id, class: `marker ${lead(all).kind} ${lead(all).tone}`,
        style: { left: `${here}px` }, title: titleOf(all), onclick: () => tell(all),
    }, h("span", { "aria-hidden": "true" }, sign(lead(all)), all.length > 1 && all.length),
    hidden(all.length === 1 ? all[0].text : `${all.length} events: ${countWords(all)}`)));
}

/**
 * What the signs mean that are there.
 * @param {Marker[]} markers
 * @returns {HTMLElement | null}
 */
export function markerLegend(markers) {
    const signs = new Map(markers.map((one) => [`${one.kind} ${one.sign}`, one]));
    return signs.size === 0 ? null : h("ul", { class: "marker-legend", "aria-label": "What the marks mean" },
        [...signs].map(([key, one]) => h("li", { key },
            h("b", { class: one.tone }, sign(one)), ` ${one.name[0]}`)));
}

/**
 * The same as a list.
 * @param {Marker[]} markers
 * @returns {HTMLElement}
 */
export const markerList = (markers) => h("ul", { class: "marker-list" }, markers.map((one) => h("li", { key: one.id },
    moment(one.at), " ", one.href ? h("a", { href: one.href }, one.text) : one.text)));
