// @ts-check
// What fires now.

import { h, morph } from "../core/dom.js";
import { serverNow } from "../core/http.js";
import { can } from "../core/session.js";
import { filterBar } from "../parts/filters.js";
import { live, shown } from "../parts/live.js";
import { clusterLink, clusterOptions, readClusters } from "../parts/names.js";
import { perform } from "../parts/dialog.js";
import { empty } from "../parts/states.js";
import { table } from "../parts/table.js";
import { timeAgo } from "../parts/time.js";
import { mute, muteCard } from "./alerts-mute.js";
import { mutedNow } from "./alerts-silences.js";
import { alertWords, readChannels } from "./alerts-words.js";

/** @typedef {import("../core/router.js").Context} Context */
/** @typedef {import("../core/alert-types.js").Firing} Firing */
/** @typedef {import("../core/types.js").Cluster} Cluster */
/** @typedef {import("../core/alert-types.js").Channel} Channel */
/** @typedef {import("../core/dom.js").Child} Child */

const HOUR = 3_600_000;

/** @param {Firing} one */
const told = ({ lastSentAt }) => (lastSentAt ? timeAgo(lastSentAt)
    : h("strong", null, "Nobody: muted, or no channel"));

/** @param {Firing[]} rows @param {() => void} muted */
function list(rows, muted) {
    const muteOne = (/** @type {string} */ clusterId) => async (/** @type {Event} */ event) => {
        if (await perform(event, () => mute({ clusterId, until: serverNow() + HOUR }))) {
            muted();
        }
    };
    const columns = [
        { label: "What", head: true, cell: alertWords },
        { label: "Cluster", cell: (/** @type {Firing} */ one) => clusterLink(one.clusterId) },
        { label: "Since", cell: (/** @type {Firing} */ one) => timeAgo(one.since) },
        { label: "Last told", cell: told },
        { label: "", cell: (/** @type {Firing} */ { clusterId }) => h("button", { type: "button", class: "small",
            "aria-label": `Mute ${clusterId} for 1 h`, onclick: muteOne(clusterId) }, "Mute for 1 h") },
    ];
    return table({
        caption: "Alerts that fire, the youngest first",
        rows,
        key: ({ clusterId, ruleId, condition, app }) => JSON.stringify([clusterId, ruleId, condition, app]),
        columns: can("operator") ? columns : columns.slice(0, -1),
    });
}

const none = () => empty("No alerts are firing", h("p", null,
    "An alert starts when a score falls below 50, or when the condition of a ",
    h("a", { href: "#/alerts/rules" }, "rule"), " is met. ",
    h("a", { href: "#/alerts/ended" }, "Alerts that are over")));

const noChannel = () => h("p", { class: "notice warn" }, "No channel is enabled, so alerts reach nobody. ",
    h("a", { href: "#/alerts/channels" }, "Make or enable a channel"));

/**
 * @param {Context} context
 * @returns {import("../core/router.js").View}
 */
export function openFiring({ root, place, signal, setQuery }) {
    let { query } = place;
    /** @type {Cluster[]} */
    let clusters = [];
    /** @type {Channel[] | null} */
    let channels = null;
    const params = () => ({ clusterId: query.get("cluster") });
    const firing = live("/api/notifications/firing", params, { signal, draw: () => draw() });
    const silences = live("/api/notifications/silences", () => ({}), { signal, draw: () => draw() });

    const filters = () => filterBar([{ name: "cluster", label: "Cluster", type: "select",
        options: clusterOptions(clusters, "All clusters") }], query, setQuery);

    function draw() {
        morph(root, h("div", { class: "stack" },
            channels && !channels.some(({ enabled }) => enabled) && noChannel(),
            mutedNow(silences.data ?? [], silences.now),
            can("operator") && muteCard({ clusters, chosen: query.get("cluster") ?? "", done: silences.now }),
            h("section", { class: "card", "aria-labelledby": "firing", key: "firing" },
                h("h2", { id: "firing" }, "Firing now"),
                filters(),
                shown(firing, "alerts", (rows) => (rows.length ? list(rows, silences.now) : none())))));
    }

    readClusters(signal, (found) => {
        clusters = found;
        draw();
    });
    readChannels(signal, (found) => {
        channels = found;
        draw();
    });
    draw();
    return {
        changed(now) {
            ({ query } = now);
            firing.again();
        },
    };
}
