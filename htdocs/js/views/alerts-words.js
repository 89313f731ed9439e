// @ts-check
// Conditions, channels and their health in words.

import { h } from "../core/dom.js";
import { get, isAbort } from "../core/api.js";
import { can } from "../core/session.js";
import { channelName, foreign } from "../parts/names.js";
import { timeAgo } from "../parts/time.js";

/** @typedef {import("../core/alert-types.js").Channel} Channel */
/** @typedef {import("../core/dom.js").Child} Child */

/**
 * When a rule fires.
 * @param {{condition: string, threshold: number | null}} rule
 * @returns {string}
 */
export const conditionWords = ({ condition, threshold }) => (condition === "score_drop"
    ? `The score is below ${threshold}` : "A Deployment has no available replicas");

/**
 * What an alert is about, whether it fires or is over.
 * @param {import("../core/alert-types.js").Firing | import("../core/alert-types.js").Ended} alert
 * @returns {Child}
 */
export function alertWords({ condition, threshold, app, ruleId }) {
    const limit = threshold === null ? "the threshold of a rule that is gone" : String(threshold);
    return h("div", null,
        h("strong", null, condition === "degraded_app" ? ["No available replicas: ", foreign(app ?? "a Deployment")]
            : `Score below ${limit}`),
        ruleId === null && h("div", { class: "small muted" }, "for everybody, without a rule"));
}

/**
 * The channels of a rule.
 * @param {string[] | null} ids
 * @param {Channel[] | null} channels null when they are not known: a member may not see them
 * @returns {Child}
 */
export function channelList(ids, channels) {
    if (ids === null) {
        return "All channels";
    }
    if (ids.length === 0) {
        return h("strong", null, "None: nobody is told");
    }
    if (!channels) {
        return ids.length === 1 ? "1 channel" : `${ids.length} channels`;
    }
    return h("ul", { class: "bare" }, ids.map((id) => h("li", null, foreign(channelName(channels, id)))));
}

/**
 * Whether messages arrive.
 * @param {Channel["health"]} health
 * @returns {Child}
 */
export function healthWords({ status, failingSince, lastSuccessAt, lastStatus, lastError, disabledReason }) {
    if (status === "ok") {
        return [h("span", { class: "tag good" }, "works"), h("div", { class: "small muted" }, "last message ",
            timeAgo(lastSuccessAt))];
    }
    if (status === "disabled") {
        return [h("span", { class: "tag" }, "disabled"),
            disabledReason && h("div", { class: "small" }, foreign(disabledReason))];
    }
    if (status === "unknown") {
        return h("span", { class: "tag" }, "nothing sent yet");
    }
    return [
        h("span", { class: "tag bad" }, status === "unhealthy" ? "fails for more than a day" : "fails"),
        h("div", { class: "small muted" }, "since ", timeAgo(failingSince)),
        h("div", { class: "small clamp" }, lastError ? foreign(lastError) : `Status: ${lastStatus ?? "no answer"}`),
    ];
}

/**
 * The channels, where the role may see them.
 * @param {AbortSignal} signal
 * @param {(channels: Channel[]) => void} found
 */
export async function readChannels(signal, found) {
    if (!can("operator")) {
        return;
    }
    try {
        const { data } = await get("/api/notifications/channels", {}, { signal });
        if (!signal.aborted) {
            found(data);
        }
    } catch (error) {
        if (!isAbort(error) && !signal.aborted) {
            // Their ids stand for them then.
            found([]);
        }
    }
}
