// @ts-check
// All clusters: the worst first, unless somebody sorts otherwise.

import { announce, h, morph } from "../core/dom.js";
import { poll } from "../core/poll.js";
import { link } from "../core/router.js";
import { CATEGORIES, isCapped, scoreBadge, lostBar, sparkline, sparkWords } from "../parts/score.js";
import { failure, loading, stale } from "../parts/states.js";
import { paged, sorted, table } from "../parts/table.js";
import { timeAgo } from "../parts/time.js";
import { firstSnapshot } from "./clusters/first.js";

/** @typedef {import("../core/types.js").Cluster} Cluster */
/** @typedef {import("../core/types.js").Slots} Slots */
/** @typedef {Map<string, (number | null)[]>} Histories of 24 hours, by cluster */

const PAGE = 50;

/** @type {{[name: string]: (cluster: Cluster) => string | number | null | undefined}} */
const SORTS = {
    score: (one) => one.scoreExact ?? one.cscScore,
    name: (one) => one.name,
    age: (one) => one.takenAt ?? one.lastSnapshot,
    pods: (one) => one.pods,
    nodes: (one) => one.nodes,
    risks: (one) => one.risks,
    alerts: (one) => one.firingAlerts,
};

/**
 * What the status means, in words.
 * @type {Record<Cluster["status"], string>}
 */
const STATUS = { connected: "", stale: "late", disconnected: "no news" };

/** @param {Cluster} cluster */
function nameCell({ id, name, provider, region, scope, verdict }) {
    const where = [provider, region].filter((one) => one && one !== "unknown").join(" · ");
    return h("div", { class: "cluster-name" },
        h("a", { href: link(["clusters", id]) }, h("bdi", null, name)),
        where && h("span", { class: "muted small" }, " ", h("bdi", null, where)),
        scope === "namespaces" && h("span", { class: "tag", title: "Its snapshots show some namespaces only" },
            "some namespaces"),
        verdict && h("div", { class: "verdict muted small", title: verdict }, verdict.replace(/^[A-Z]+: /, "")));
}

/** @param {Cluster} cluster */
function lostCell({ categories }) {
    const words = categories && CATEGORIES.filter((one) => categories[one] >= 0.5)
        .sort((one, other) => categories[other] - categories[one])
        .map((one) => `${one} ${Math.round(categories[one])}`).join(", ");
    return categories && [lostBar(categories), h("span", { class: "muted small", "aria-hidden": "true" }, words)];
}

/** @param {Cluster} cluster */
const ageCell = (cluster) => [timeAgo(cluster.takenAt ?? cluster.lastSnapshot), " ",
    STATUS[cluster.status] && h("span", { class: `tag ${cluster.status}` }, STATUS[cluster.status]),
    isCapped(cluster) && h("div", { class: "small loss" }, `too old: counts as ${cluster.decision}`)];

/** @param {Cluster} cluster */
const alertsCell = ({ firingAlerts, id }) => (firingAlerts
    ? h("a", { class: "loss", href: link(["alerts"], { cluster: id }) }, `${firingAlerts} firing`)
    : h("span", { class: "muted" }, "none"));

/**
 * A step has its lowest score. The line ends with the score of now, so that a recovery is seen.
 * @param {(number | null)[] | undefined} scores
 * @param {number | null} now
 */
const upToNow = (scores, now) => (scores && scores[scores.length - 1] !== null ? [...scores, now] : scores);

/**
 * @param {Histories} histories
 * @returns {import("../parts/table.js").Column<Cluster>[]}
 */
const columns = (histories) => [
    { label: "Cluster", cell: nameCell, sort: "name", head: true },
    { label: "Score", cell: (one) => scoreBadge(one.cscScore, one.decision), sort: "score" },
    { label: "Last 24 hours", cell: ({ id, cscScore }) => {
        const scores = upToNow(histories.get(id), cscScore);
        return scores && sparkline(scores, sparkWords(scores));
    } },
    { label: "Points lost", cell: lostCell },
    { label: "Snapshot", cell: ageCell, sort: "age", down: true },
    { label: "Pods", cell: (one) => one.pods, sort: "pods", number: true, down: true },
    { label: "Nodes", cell: (one) => one.nodes, sort: "nodes", number: true, down: true },
    { label: "Risks", cell: (one) => one.risks, sort: "risks", number: true, down: true },
    { label: "Alerts", cell: alertsCell, sort: "alerts", down: true },
];

/** @param {Cluster[]} clusters @param {URLSearchParams} query */
function filtered(clusters, query) {
    const text = (query.get("q") ?? "").toLowerCase();
    const decision = query.get("decision");
    const only = clusters.filter((one) => (!decision || one.decision === decision) &&
        `${one.id} ${one.provider} ${one.region}`.toLowerCase().includes(text));
    return sorted(sorted(only, "name", SORTS), query.get("sort") ?? "score", SORTS);
}

/** @param {Slots | null} slots */
const slotsText = (slots) => slots && h("span", { class: "muted" },
    `${slots.used} of ${slots.max} clusters (plan ${slots.plan})`);

/** @param {import("../core/router.js").Context} context @param {URLSearchParams} query */
function toolbar({ setQuery }, query) {
    const value = (/** @type {Event} */ event) => /** @type {HTMLInputElement} */ (event.target).value;
    return h("div", { class: "toolbar", role: "search" },
        h("label", null, "Search", h("input", { type: "search", value: query.get("q") ?? "",
            oninput: (/** @type {Event} */ event) => setQuery({ q: value(event), page: null }) })),
        h("label", null, "Decision", h("select", { value: query.get("decision") ?? "",
            onchange: (/** @type {Event} */ event) => setQuery({ decision: value(event), page: null }) },
        h("option", { value: "" }, "all"),
        ["SAFE", "WARN", "BLOCK"].map((one) => h("option", { value: one }, one)))));
}

/**
 * @param {import("../core/router.js").Context} context
 * @param {Cluster[]} clusters
 * @param {Histories} histories
 * @param {URLSearchParams} query
 */
function list(context, clusters, histories, query) {
    const { setQuery } = context;
    const found = filtered(clusters, query);
    const { rows, pager } = paged(found, Number(query.get("page") ?? 1), PAGE,
        (page) => setQuery({ page: page > 1 ? page : null }, true));
    return [
        toolbar(context, query),
        found.length === 0 && h("p", { class: "state" }, "No cluster is like that."),
        found.length > 0 && h("div", { class: "card flush" }, table({
            caption: "Clusters", columns: columns(histories), rows, key: ({ id }) => id,
            sort: query.get("sort") ?? "score", onsort: (sort) => setQuery({ sort, page: null }),
        })),
        pager,
    ];
}

/**
 * @param {import("../core/router.js").Context} context
 * @returns {import("../core/router.js").View}
 */
export function open(context) {
    const { root, signal } = context;
    let { query } = context.place;
    /** @type {Cluster[] | null} */
    let clusters = null;
    /** @type {Slots | null} */
    let slots = null;
    /** @type {Histories} */
    const histories = new Map();
    let problem = /** @type {unknown} */ (null);
    let seen = Date.now();

    /** @param {Cluster[]} some */
    function body(some) {
        return some.length === 0 ? firstSnapshot() : list(context, some, histories, query);
    }
    /** @type {{reads?: import("../core/poll.js").Poll}} */
    const polls = {};
    const again = () => polls.reads?.now();
    function draw() {
        morph(root,
            h("div", { class: "page-head" },
                h("h1", null, "Clusters"), h("div", { class: "spacer" }), slotsText(slots)),
            problem && clusters ? stale(problem, seen) : null,
            clusters ? body(clusters) : null,
            !clusters && (problem ? failure(problem, again) : loading("clusters")));
    }
    const history = poll("/api/clusters", () => ({ include: "history" }), {
        every: 60_000, signal, failed: () => null,
        show(data) {
            data.forEach((one) => histories.set(one.id, one.history ?? []));
            draw();
        },
    });
    const plan = poll("/api/cluster-slots", () => ({}), {
        every: 60_000, signal, failed: () => null,
        show(data) {
            slots = data;
            draw();
        },
    });
    polls.reads = poll("/api/clusters", () => ({}), {
        every: 4000, signal,
        show(data) {
            const before = clusters;
            clusters = data;
            if (before && before.length !== data.length) {
                announce(`${data.length} ${data.length === 1 ? "cluster" : "clusters"}`);
                history.now();
                plan.now();
            }
            draw();
        },
        well() {
            seen = Date.now();
            if (problem) {
                problem = null;
                draw();
            }
        },
        failed(error) {
            problem = error;
            draw();
        },
    });
    draw();
    return {
        changed(place) {
            ({ query } = place);
            draw();
        },
    };
}
