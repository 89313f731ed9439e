// @ts-check
// One decision of the gate, as it was told then.

import { h, morph } from "../core/dom.js";
import { ApiError, getAll, getIfChanged, isAbort } from "../core/api.js";
import { link } from "../core/router.js";
import { clusterLink, foreign } from "../parts/names.js";
import { OUTCOME, scoreBadge } from "../parts/score.js";
import { empty, failure, loading } from "../parts/states.js";
import { fullMoment } from "../parts/time.js";
import { agesOf } from "./cluster/ages.js";
import { outcomeFact } from "./gate-outcomes.js";
import { overrideLine } from "./gate-overrides.js";
import { reasonList, riskList } from "./gate-risks.js";

/** @typedef {import("../core/router.js").Context} Context */
/** @typedef {import("../core/types.js").GateDecision} GateDecision */
/** @typedef {import("../core/dom.js").Child} Child */

/** @param {string | null} text @param {string} [none] @returns {Child} */
const said = (text, none = "not given") => (text ? foreign(text) : h("span", { class: "muted" }, none));

/** @param {GateDecision} one @returns {Child} */
function facts(one) {
    /** @type {[string, Child][]} */
    const rows = [
        ["Cluster", clusterLink(one.cluster_id)],
        ["When", fullMoment(one.decided_at)],
        ["Who asked", said(one.user)],
        ["With the key", said(one.key_name, one.key_id ? "one that is gone" : "none")],
        ["From", said(one.source)],
        ["Resource", said(one.resource)],
        ["Namespace", said(one.namespace)],
        ["Image", said(one.image)],
        ["Action", said(one.action)],
        ["What became of it", outcomeFact(one.outcome)],
        ["Snapshot of", fullMoment(one.score_time, "unknown")],
    ];
    return h("dl", { class: "facts" }, rows.map(([name, value]) => [h("dt", null, name), h("dd", null, value)]));
}

/** @param {GateDecision} one @returns {Child} */
function explained({ message, reasons = [] }) {
    if (!message && reasons.length === 0) {
        return h("p", { class: "muted" }, "The words of decisions this old were not kept. The risks below are those " +
            "of that moment.");
    }
    return [message && h("p", null, foreign(message)), reasonList(reasons)];
}

/** @param {string} back @param {GateDecision | null} one null while it is not known @returns {Child} */
const head = (back, one) => [
    h("p", null, h("a", { href: back }, "← All decisions")),
    h("div", { class: "page-head" },
        h("h1", null, "Gate decision", one && [" for ", foreign(one.cluster_id)]),
        one && [scoreBadge(one.csc_score, one.decision), h("strong", null, OUTCOME[one.decision])]),
];

/** @param {GateDecision} one @param {Set<string>} open risks of the cluster, by id @returns {Child} */
const page = (one, open) => h("div", { class: "stack" },
    h("div", { class: "columns" },
        h("section", { class: "card", "aria-labelledby": "why" }, h("h2", { id: "why" }, "Why"),
            one.override && h("p", { class: "notice" }, overrideLine(one.override)), explained(one),
            h("p", null, h("a", { href: link(["gate"], { check: one.cluster_id, resource: one.resource,
                namespace: one.namespace, image: one.image }) }, "Would it pass now?"))),
        h("section", { class: "card", "aria-labelledby": "asked" }, h("h2", { id: "asked" }, "What was asked"),
            facts(one))),
    h("section", { class: "card", "aria-labelledby": "risks" },
        h("h2", { id: "risks" }, `Risks of that moment (${one.risks.length} of ${one.risks_total})`),
        one.risks.length === 0 ? h("p", null, "None.") : [
            riskList(one.risks, (risk) => open.has(risk) && link(["clusters", one.cluster_id], { risk })),
            agesOf(one.score_time),
        ]));

/**
 * Ids of the risks that the cluster has now: those of the decision that are still there become links.
 * @param {string} clusterId
 * @param {AbortSignal} signal
 * @returns {Promise<Set<string>>} none when the cluster is gone
 */
async function openRisks(clusterId, signal) {
    try {
        const risks = await getAll("/api/risks", { clusterId }, { signal });
        return new Set(/** @type {import("../core/types.js").Risk[]} */ (risks).map(({ id }) => id));
    } catch {
        return new Set();
    }
}

const gone = () => empty("There is no such decision",
    h("p", null, "It is older than what is kept, or the address is not whole."));

/**
 * @param {Context} context
 * @returns {void}
 */
export function openDecision({ root, place, signal, setTitle }) {
    const back = link(["gate"], Object.fromEntries(place.query));
    async function read() {
        morph(root, head(back, null), loading("the decision"));
        try {
            const answer = await getIfChanged("/api/decisions", { id: place.params.id }, { signal });
            // With an id the answer is that one and no list.
            const one = /** @type {GateDecision} */ (/** @type {unknown} */ (answer?.data));
            setTitle(`${one.decision} for ${one.cluster_id}`);
            morph(root, head(back, one), page(one, new Set()));
            const open = await openRisks(one.cluster_id, signal);
            if (open.size > 0 && !signal.aborted) {
                morph(root, head(back, one), page(one, open));
            }
        } catch (error) {
            if (isAbort(error) || signal.aborted) {
                return;
            }
            const unknown = error instanceof ApiError && (error.status === 404 || error.status === 400);
            morph(root, head(back, null), unknown ? gone() : failure(error, read));
        }
    }
    read();
}
