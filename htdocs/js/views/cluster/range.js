// @ts-check
// Which stretch of time the chart shows, from the address, and in which steps.

import { serverNow } from "../../core/http.js";
import { instant } from "../../parts/time.js";

/**
 * Times in ms; step in seconds, 0: every push.
 * @typedef {{from: number, to: number, step: number, live: boolean, name: string}} Range
 */

const MINUTE = 60_000;

/** @type {[name: string, minutes: number][]} */
const NAMED = [
    ["1h", 60], ["6h", 360], ["24h", 1440], ["7d", 10_080], ["30d", 43_200], ["90d", 129_600], ["1y", 525_600],
];

export const RANGES = NAMED.map(([name]) => name);

/**
 * The words of a range for a button's name.
 * @type {Record<string, string>}
 */
export const SPOKEN = {
    "1h": "1 hour", "6h": "6 hours", "24h": "24 hours", "7d": "7 days", "30d": "30 days", "90d": "90 days",
    "1y": "1 year",
};

/**
 * The step for a span: some hundred to two thousand points. Whole five minutes are what the server has added up.
 * @param {number} span ms
 * @returns {number} seconds
 */
export function stepOf(span) {
    const minutes = span / MINUTE;
    if (minutes <= 90) {
        return 0;
    }
    if (minutes <= 1500) {
        return 60;
    }
    if (minutes <= 12_000) {
        return 300;
    }
    return minutes <= 150_000 ? 3600 : 86_400;
}

/**
 * @param {URLSearchParams} query `range`, or `from` and `to`; `points=all` for every push
 * @returns {Range}
 */
export function rangeOf(query) {
    const from = instant(query.get("from"));
    const to = instant(query.get("to"));
    const every = query.get("points") === "all";
    if (from < to) {
        return { from, to, step: every ? 0 : stepOf(to - from), live: false, name: "" };
    }
    const [name, minutes] = NAMED.find(([one]) => one === query.get("range")) ?? NAMED[2];
    const span = minutes * MINUTE;
    const step = every ? 0 : stepOf(span);
    // The same beginning for a while, so that an unchanged history has the same address and is a 304.
    const align = Math.max(step * 1000, MINUTE);
    const now = serverNow();
    return { from: Math.floor((now - span) / align) * align, to: now, step, live: true, name };
}
