// @ts-check
// Silences: what is muted, until when, by whom.

import { h, morph } from "../core/dom.js";
import { send } from "../core/api.js";
import { can } from "../core/session.js";
import { perform } from "../parts/dialog.js";
import { live, shown } from "../parts/live.js";
import { clusterLink, foreign, readClusters } from "../parts/names.js";
import { empty } from "../parts/states.js";
import { table } from "../parts/table.js";
import { moment, timeAgo } from "../parts/time.js";
import { muteCard } from "./alerts-mute.js";

/** @typedef {import("../core/router.js").Context} Context */
/** @typedef {import("../core/alert-types.js").Silence} Silence */
/** @typedef {import("../core/types.js").Cluster} Cluster */
/** @typedef {import("../core/dom.js").Child} Child */

/** @param {Silence} silence @param {() => void} changed */
function endButton({ id, clusterId }, changed) {
    const name = clusterId ?? "all clusters";
    return h("button", { type: "button", class: "small", "aria-label": `End the silence of ${name}`,
        onclick: async (/** @type {Event} */ event) => {
            if (await perform(event, async () => {
                await send("DELETE", "/api/notifications/silences", { id });
                return `${name}: alerts are told again.`;
            })) {
                changed();
            }
        } }, "End now");
}

/**
 * What is muted now, in one line each; nothing when nothing is.
 * @param {Silence[]} silences
 * @param {() => void} changed called when one was ended
 * @returns {Child}
 */
export const mutedNow = (silences, changed) => (silences.length === 0 ? null
    : h("div", { class: "notice", role: "region", "aria-label": "Muted now", key: "muted" },
        h("ul", { class: "bare" }, silences.slice(0, 5).map((silence) => h("li", { class: "row", key: silence.id },
            h("span", { class: "clamp" }, h("strong", null, "Muted: "), clusterLink(silence.clusterId), " until ",
                moment(silence.until), silence.reason && [" (", foreign(silence.reason), ")"]),
            can("operator") && endButton(silence, changed)))),
        silences.length > 5 && h("p", null, h("a", { href: "#/alerts/silences" }, `All ${silences.length} silences`))));

/** @param {Silence[]} rows @param {() => void} changed */
function list(rows, changed) {
    const columns = [
        { label: "Cluster", head: true, cell: (/** @type {Silence} */ one) => clusterLink(one.clusterId) },
        { label: "Until", cell: (/** @type {Silence} */ one) => h("div", null, moment(one.until), " ", h("span",
            { class: "small muted" }, "(", timeAgo(one.until), ")")) },
        { label: "Reason", cell: (/** @type {Silence} */ { reason }) => reason && foreign(reason) },
        { label: "By", cell: (/** @type {Silence} */ { createdBy }) => createdBy && foreign(createdBy) },
        { label: "Since", cell: (/** @type {Silence} */ one) => moment(one.createdAt) },
        { label: "", cell: (/** @type {Silence} */ one) => endButton(one, changed) },
    ];
    return table({
        caption: "Silences that are not over, newest first",
        rows,
        key: ({ id }) => id,
        columns: can("operator") ? columns : columns.slice(0, -1),
    });
}

const none = () => empty("Nothing is muted", h("p", null, "Alerts of all clusters are told."));

/**
 * @param {Context} context
 * @returns {import("../core/router.js").View}
 */
export function openSilences({ root, place, signal }) {
    let { query } = place;
    /** @type {Cluster[]} */
    let clusters = [];
    const silences = live("/api/notifications/silences", () => ({}), { signal, draw: () => draw() });

    function draw() {
        morph(root, h("div", { class: "stack" },
            can("operator") && muteCard({ clusters, chosen: query.get("cluster") ?? "", done: silences.now }),
            h("section", { class: "card", "aria-labelledby": "silences", key: "silences" },
                h("h2", { id: "silences" }, "Muted now"),
                shown(silences, "silences", (rows) => (rows.length ? list(rows, silences.now) : none())))));
    }

    readClusters(signal, (found) => {
        clusters = found;
        draw();
    });
    draw();
    return {
        changed(now) {
            ({ query } = now);
            draw();
        },
    };
}
