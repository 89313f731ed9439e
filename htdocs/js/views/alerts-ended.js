// @ts-check
// Alerts that are over.

import { h, morph } from "../core/dom.js";
import { link } from "../core/router.js";
import { filterBar } from "../parts/filters.js";
import { live, pages, shown } from "../parts/live.js";
import { clusterLink, clusterOptions, readClusters } from "../parts/names.js";
import { empty } from "../parts/states.js";
import { table } from "../parts/table.js";
import { duration, millis, moment } from "../parts/time.js";
import { alertWords } from "./alerts-words.js";

/** @typedef {import("../core/router.js").Context} Context */
/** @typedef {import("../core/alert-types.js").Ended} Ended */
/** @typedef {import("../core/types.js").Cluster} Cluster */

const PAGE = 50;
const AROUND = 1_800_000;

/** @param {Ended} one */
const end = ({ endedAt, recovered }) => h("div", null, moment(endedAt),
    h("div", { class: "small" }, recovered ? h("span", { class: "tag good" }, "recovered")
        : h("span", { class: "tag" }, "rule changed or deleted")));

/**
 * The stretch of time on the cluster's chart, with something before and after it.
 * @param {Ended} one
 */
function onTheChart({ clusterId, since, endedAt }) {
    const at = (/** @type {number} */ ms) => new Date(ms).toISOString();
    return h("a", { class: "nowrap", href: link(["clusters", clusterId],
        { from: at(millis(since) - AROUND), to: at(millis(endedAt) + AROUND) }) }, "On the chart");
}

/** @param {Ended[]} rows */
const list = (rows) => table({
    caption: "Alerts that are over, the last to end first",
    rows,
    key: ({ id }) => id,
    columns: [
        { label: "What", head: true, cell: alertWords },
        { label: "Cluster", cell: ({ clusterId }) => clusterLink(clusterId) },
        { label: "Began", cell: ({ since }) => moment(since) },
        { label: "Ended", cell: end },
        { label: "Lasted", cell: ({ since, endedAt }) => duration(millis(endedAt) - millis(since)), number: true },
        { label: "Last told", cell: ({ lastSentAt }) => moment(lastSentAt, "nobody") },
        { label: "", cell: onTheChart },
    ],
});

/** @param {URLSearchParams} query */
const none = (query) => (["cluster", "from", "to", "cursor"].some((name) => query.get(name))
    ? empty("No alert fits", h("p", null, "Take a filter away."))
    : empty("No alert has ended yet", h("p", null, "An alert comes here from ", h("a", { href: "#/alerts" }, "Firing"),
        " when its condition has not held for a minute.")));

/** @param {URLSearchParams} query */
const params = (query) => ({
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
export function openEnded({ root, place, signal, setQuery }) {
    let { query } = place;
    /** @type {Cluster[]} */
    let clusters = [];
    const ended = live("/api/notifications/ended", () => params(query), { signal, draw: () => draw() });

    const filters = () => filterBar([
        { name: "cluster", label: "Cluster", type: "select", options: clusterOptions(clusters, "All clusters") },
        { name: "from", label: "Ended since", type: "time" },
        { name: "to", label: "Ended until", type: "time" },
    ], query, setQuery);

    function draw() {
        morph(root, h("section", { class: "card", "aria-labelledby": "ended" },
            h("h2", { id: "ended" }, "Alerts that are over"),
            filters(),
            shown(ended, "ended alerts", (rows) => (rows.length ? list(rows) : none(query))),
            ended.data && pages(ended, query, setQuery)));
    }

    readClusters(signal, (found) => {
        clusters = found;
        draw();
    });
    draw();
    return {
        changed(now) {
            ({ query } = now);
            ended.again();
        },
    };
}
