// @ts-check
// The lowest score between two moments: a bad deploy that was rolled back leaves no difference, but was there.

import { get } from "../../core/api.js";
import { millis } from "../../parts/time.js";

/** @typedef {import("../../core/types.js").Moment} Moment */
/** @typedef {{at: number, score: number}} Lowest `at` in ms */

const HOUR = 3_600_000;

/**
 * Whole steps of five minutes and more, which the server has added up; a hundred thousand points at no span.
 * @param {number} span ms
 * @returns {number} seconds
 */
function coarse(span) {
    if (span <= 24 * HOUR) {
        return 300;
    }
    return span <= 30 * 24 * HOUR ? 3600 : 86_400;
}

/**
 * The lowest, when it is lower than both ends. The steps that the ends lie in count with their lowest only if that
 * lies between the ends.
 * @param {string} clusterId
 * @param {Moment} from
 * @param {Moment} to
 * @param {AbortSignal} signal
 * @returns {Promise<Lowest | null>}
 */
export async function lowestBetween(clusterId, from, to, signal) {
    const [begin, end] = [millis(from.time), millis(to.time)];
    const step = coarse(end - begin);
    const { data } = await get("/api/score-history", {
        clusterId, step, from: new Date(Math.floor(begin / step / 1000) * step * 1000).toISOString(), to: to.time,
    }, { signal });
    /** @type {Lowest | null} */
    let found = null;
    for (const { score, worst_at: when } of data) {
        const at = millis(when);
        if (at > begin && at < end && score < Math.min(from.score, to.score, found?.score ?? Infinity)) {
            found = { at, score };
        }
    }
    return found;
}
