// @ts-check
// The gate: would a deploy pass now, and every decision that it has made.

import { h, morph } from "../core/dom.js";
import { link } from "../core/router.js";
import { filterBar, segments } from "../parts/filters.js";
import { live, pages, shown } from "../parts/live.js";
import { clusterLink, clusterOptions, foreign, readClusters } from "../parts/names.js";
import { OUTCOME, scoreBadge } from "../parts/score.js";
import { empty } from "../parts/states.js";
import { table } from "../parts/table.js";
import { distinctMoments } from "../parts/time.js";
import { gateCheck } from "./gate-check.js";
import { openDecision } from "./gate-decision.js";
import { BECAME, calibrationCard } from "./gate-outcomes.js";
import { overridesNow } from "./gate-overrides.js";

/** @typedef {import("../core/router.js").Context} Context */
/** @typedef {import("../core/types.js").GateDecision} GateDecision */
/** @typedef {import("../core/types.js").Cluster} Cluster */
/** @typedef {import("../core/dom.js").Child} Child */

const PAGE = 30;

/** @type {[string, string][]} */
const DECISIONS = [["", "All"], ["SAFE", "SAFE"], ["WARN", "WARN"], ["BLOCK", "BLOCK"]];

/** @param {GateDecision} one @returns {Child} what was about to be deployed */
const target = ({ resource, namespace, image, action }) => h("div", null,
    h("div", { class: "clamp" }, resource ? foreign(resource)
        : h("span", { class: "muted" }, image ? "an image" : "no deploy named: the cluster as a whole"),
    namespace && [" in ", foreign(namespace)]),
    image && h("div", { class: "small muted clamp" }, foreign(image)),
    action && h("div", { class: "small muted clamp" }, foreign(action)));

/** @param {GateDecision} one @returns {Child} */
const who = ({ user, key_id: id, key_name: name }) => h("div", null,
    h("div", { class: "clamp" }, user ? foreign(user) : h("span", { class: "muted" }, "not given")),
    h("div", { class: "small muted clamp" }, name && ["key ", foreign(name)], !name && id && "a key that is gone"));

/** @param {GateDecision} one @returns {Child} */
const why = ({ message, risks, risks_total: total }) => h("div", null,
    h("div", { class: "clamp" }, foreign(message ?? risks[0]?.message ?? "")),
    h("div", { class: "small muted" }, total === 1 ? "1 risk" : `${total} risks`));

/** @param {GateDecision[]} rows @param {URLSearchParams} query */
function list(rows, query) {
    const kept = Object.fromEntries(query);
    const when = distinctMoments(rows.map(({ decided_at: at }) => at));
    return table({
        caption: "Decisions of the gate, newest first",
        rows,
        key: ({ id }) => id,
        columns: [
            { label: "When", head: true, cell: ({ id, decided_at: at }) => h("a", { href: link(["gate", id], kept) },
                when(at)) },
            { label: "Decision", cell: ({ csc_score: score, decision, override, outcome }) => h("div", null,
                scoreBadge(score, decision),
                h("div", { class: "small muted" }, override ? "overridden" : OUTCOME[decision],
                    outcome && `; ${BECAME[outcome.outcome]}`)) },
            { label: "Cluster", cell: ({ cluster_id: id }) => clusterLink(id) },
            { label: "For what", cell: target },
            { label: "Who asked", cell: who },
            { label: "From", cell: ({ source }) => h("div", { class: "clamp" }, source ? foreign(source)
                : h("span", { class: "muted" }, "–")) },
            { label: "Why", cell: why },
        ],
    });
}

/** @param {URLSearchParams} query */
const filtered = (query) => ["cluster", "decision", "source", "from", "to", "cursor"].some((name) => query.get(name));

/** @param {URLSearchParams} query */
const none = (query) => (filtered(query)
    ? empty("No decision fits", h("p", null, "The gate has made none like this. Take a filter away."))
    : empty("The gate has not been asked yet", h("p", null, "Each job that asks it before it deploys is listed here, " +
        "with the answer and the reasons. The commands above show how.")));

/** @param {URLSearchParams} query */
const params = (query) => ({
    clusterId: query.get("cluster"),
    decision: query.get("decision"),
    source: query.get("source"),
    from: query.get("from"),
    to: query.get("to"),
    cursor: query.get("cursor"),
    limit: PAGE,
});

/**
 * @param {Context} context
 * @returns {import("../core/router.js").View}
 */
function openList({ root, place, signal, setQuery }) {
    let { query } = place;
    /** @type {Cluster[]} */
    let clusters = [];
    let clustersAreKnown = false;
    const check = gateCheck({ signal, setQuery, draw: () => draw() });
    const decisions = live("/api/decisions", () => params(query), { signal, draw: () => draw() });

    const calibration = live("/api/decisions/calibration", () => ({}), { signal, every: 60_000, draw: () => draw() });
    const overrides = live("/api/overrides", () => ({}), { signal, draw: () => draw() });

    const filters = () => filterBar([
        { name: "cluster", label: "Cluster", type: "select", options: clusterOptions(clusters, "All clusters") },
        { name: "source", label: "From (source)", type: "text", placeholder: "exactly, like ci" },
        { name: "from", label: "Since", type: "time" },
        { name: "to", label: "Until", type: "time" },
    ], query, setQuery, segments("Decision", DECISIONS, query.get("decision") ?? "",
        (decision) => setQuery({ decision, cursor: null }, true)));

    function draw() {
        morph(root,
            h("div", { class: "page-head" }, h("h1", null, "Gate")),
            h("div", { class: "stack" },
                h("div", null, overrides.data && overridesNow({ overrides: overrides.data, clusters,
                    chosen: query.get("check") ?? "", changed: () => overrides.now() })),
                clustersAreKnown && !clusters.length && h("p", { class: "notice" },
                    "There is no cluster to ask about yet: ",
                    h("a", { href: "#/clusters" }, "push the first snapshot"), "."),
                check.draw(query, clusters),
                h("div", null, calibration.data && calibrationCard(calibration.data)),
                h("section", { class: "card", "aria-labelledby": "decisions" },
                    h("h2", { id: "decisions" }, "Decisions"),
                    h("p", { class: "hint above" }, "What jobs asked with an API key before they deployed (",
                        h("code", null, "POST /api/validate"), "). Questions asked above are not listed."),
                    filters(),
                    shown(decisions, "decisions", (rows) => (rows.length ? list(rows, query) : none(query))),
                    decisions.data && pages(decisions, query, setQuery))));
    }

    readClusters(signal, (found) => {
        clusters = found;
        clustersAreKnown = true;
        draw();
    });
    check.ask(query);
    draw();
    return {
        changed(now) {
            const before = JSON.stringify(params(query));
            ({ query } = now);
            check.ask(query);
            if (JSON.stringify(params(query)) === before) {
                draw();
            } else {
                decisions.again();
            }
        },
    };
}

/**
 * @param {Context} context
 * @returns {import("../core/router.js").View | void}
 */
export const open = (context) => (context.place.params.id ? openDecision(context) : openList(context));
