// @ts-check
// Deliveries: every message, whether it arrived, and if not, why.

import { h, morph } from "../core/dom.js";
import { send, serverNow } from "../core/api.js";
import { can } from "../core/session.js";
import { perform } from "../parts/dialog.js";
import { filterBar } from "../parts/filters.js";
import { live, pages, shown } from "../parts/live.js";
import { channelName, clusterLink, clusterOptions, foreign, readClusters } from "../parts/names.js";
import { empty } from "../parts/states.js";
import { table } from "../parts/table.js";
import { millis, moment, timeAgo } from "../parts/time.js";
import { readChannels } from "./alerts-words.js";

/** @typedef {import("../core/router.js").Context} Context */
/** @typedef {import("../core/alert-types.js").Delivery} Delivery */
/** @typedef {import("../core/alert-types.js").Channel} Channel */
/** @typedef {import("../core/types.js").Cluster} Cluster */

const PAGE = 50;

/** @type {[string, string][]} */
const STATES = [
    ["", "All"], ["queued", "queued"], ["sent", "sent"], ["gave_up", "gave up"], ["cancelled", "cancelled"],
];

/** @type {Record<Delivery["state"], string>} */
const KINDS = { queued: "tag warn", sent: "tag good", gave_up: "tag bad", cancelled: "tag" };

/** @param {Delivery} one */
const state = ({ state: now, nextAttemptAt: next }) => h("div", null,
    h("span", { class: KINDS[now] }, STATES.find(([name]) => name === now)?.[1] ?? now),
    now === "queued" && next && h("div", { class: "small muted" },
        millis(next) > serverNow() ? ["next attempt ", timeAgo(next)] : "waits for its turn"));

/** @param {Delivery} one */
const attempts = ({ attempts: count, lastAttemptAt: last }) => h("div", null, String(count),
    last && h("div", { class: "small muted" }, moment(last)));

/** @param {Delivery} one */
const answer = ({ lastStatus, lastError }) => (lastStatus || lastError) && h("div", null,
    lastStatus && String(lastStatus), lastError && h("div", { class: "small clamp" }, foreign(lastError)));

/** @param {Event} event @param {Delivery} delivery @param {() => void} changed */
async function replay(event, { id }, changed) {
    if (await perform(event, async () => {
        await send("POST", "/api/notifications/deliveries/replay", { id });
        return "The message is queued again.";
    })) {
        changed();
    }
}

/** @param {Delivery[]} rows @param {Channel[] | null} channels @param {() => void} changed */
function list(rows, channels, changed) {
    const known = (/** @type {string} */ id) => channels === null || channels.some((one) => one.id === id);
    const columns = [
        { label: "Message", head: true, cell: (/** @type {Delivery} */ { title, event }) => h("div", null,
            h("div", { class: "clamp" }, foreign(title)), h("div", { class: "small muted" }, event)) },
        { label: "When", cell: (/** @type {Delivery} */ one) => moment(one.createdAt) },
        { label: "Cluster", cell: (/** @type {Delivery} */ one) => clusterLink(one.clusterId, "–") },
        { label: "Channel", cell: (/** @type {Delivery} */ { channelId }) => (known(channelId)
            ? foreign(channelName(channels, channelId)) : h("span", { class: "muted" }, "a channel that is deleted")) },
        { label: "State", cell: state },
        { label: "Attempts", cell: attempts },
        { label: "Receiver's answer", cell: answer },
        { label: "", cell: (/** @type {Delivery} */ one) => one.state !== "queued" && known(one.channelId) &&
            h("button", { type: "button", class: "small", "aria-label": `Send again: ${one.title}`,
                onclick: (/** @type {Event} */ event) => replay(event, one, changed) }, "Send again") },
    ];
    return table({
        caption: "Deliveries, newest first",
        rows,
        key: ({ id }) => id,
        columns: can("operator") ? columns : columns.slice(0, -1),
    });
}

/** @param {URLSearchParams} query */
const none = (query) => (["state", "channel", "cluster", "from", "to", "cursor"].some((name) => query.get(name))
    ? empty("No message fits", h("p", null, "Take a filter away."))
    : empty("Nothing has been sent yet", h("p", null, "Messages are listed here as soon as something fires, " +
        "or when a channel is sent a test.")));

/** @param {URLSearchParams} query */
const params = (query) => ({
    state: query.get("state"),
    channelId: query.get("channel"),
    clusterId: query.get("cluster"),
    from: query.get("from"),
    to: query.get("to"),
    cursor: query.get("cursor"),
    limit: PAGE,
});

/**
 * @param {Context} context
 * @returns {import("../core/router.js").View}
 */
export function openDeliveries({ root, place, signal, setQuery }) {
    let { query } = place;
    /** @type {Cluster[]} */
    let clusters = [];
    /** @type {Channel[] | null} */
    let channels = null;
    const deliveries = live("/api/notifications/deliveries", () => params(query), { signal, draw: () => draw() });

    function filters() {
        const named = (channels ?? []).map(({ id, name }) => /** @type {[string, string]} */ ([id, name]));
        return filterBar([
            { name: "state", label: "State", type: "select", options: STATES },
            { name: "cluster", label: "Cluster", type: "select", options: clusterOptions(clusters, "All clusters") },
            ...(channels ? [{ name: "channel", label: "Channel", type: /** @type {const} */ ("select"),
                options: [/** @type {[string, string]} */ (["", "All channels"]), ...named] }] : []),
            { name: "from", label: "Since", type: "time" },
            { name: "to", label: "Until", type: "time" },
        ], query, setQuery);
    }

    function draw() {
        morph(root, h("section", { class: "card", "aria-labelledby": "deliveries" },
            h("h2", { id: "deliveries" }, "Deliveries"),
            filters(),
            shown(deliveries, "deliveries", (rows) => (rows.length
                ? list(rows, channels, deliveries.now) : none(query))),
            deliveries.data && pages(deliveries, query, setQuery)));
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
            deliveries.again();
        },
    };
}
