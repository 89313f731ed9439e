// @ts-check
// Reasons and risks as the gate told them.

import { h } from "../core/dom.js";
import { foreign } from "../parts/names.js";
import { categoryTag, severityTag } from "../parts/score.js";
import { table } from "../parts/table.js";
import { timeAgo } from "../parts/time.js";

/** @typedef {import("../core/types.js").Risk} Risk */
/** @typedef {import("../core/types.js").GateAnswer} GateAnswer */
/** @typedef {import("../core/dom.js").Child} Child */

/** @type {Record<import("../core/types.js").Concern, string>} */
const CONCERNS = {
    change: "the change itself",
    target: "the target's own",
    dependency: "the target leans on it",
    node: "its pods are on this node",
    cluster: "all pods lean on it",
    namespace: "in the same namespace",
};

/**
 * @param {string[]} reasons
 * @returns {HTMLElement | null}
 */
export const reasonList = (reasons) => (reasons.length === 0 ? null
    : h("ul", { class: "reasons" }, reasons.map((reason) => h("li", null, foreign(reason)))));

/** @param {Risk} risk */
const place = ({ namespace, resource, container, scope }) => {
    if (!resource && !namespace) {
        return h("span", { class: "muted" }, scope === "change" ? "this change" : "the cluster");
    }
    return h("div", null,
        resource && h("div", null, foreign(resource)),
        h("div", { class: "small muted" }, namespace && foreign(namespace), container && [" · ", foreign(container)]));
};

/** @param {Risk} risk */
const points = ({ impact, scope }) => (scope === "change" ? h("span", { class: "muted" }, "the change")
    : impact.toFixed(2));

/**
 * @template {Risk} R
 * @param {(id: string) => string | false} address
 * @returns {import("../parts/table.js").Column<R>[]}
 */
const columns = (address) => [
    { label: "Risk", head: true, cell: ({ id, message, recommendation, check }) => h("div", { class: "risk" },
        h("div", { class: "clamp" }, address(id) ? h("a", { href: address(id),
            title: "The cluster still has it: open it there" }, foreign(message)) : foreign(message)),
        recommendation && h("div", { class: "small muted clamp" }, foreign(recommendation)),
        h("code", { class: "small" }, check)) },
    { label: "Severity", cell: ({ severity }) => severityTag(severity) },
    { label: "Category", cell: ({ category }) => categoryTag(category) },
    { label: "Where", cell: place },
    { label: "Points", number: true, cell: points },
];

/**
 * A table of risks, in the order in which they come.
 * @param {Risk[]} risks
 * @param {(id: string) => string | false} [address] the address of one that the cluster still has
 * @returns {HTMLElement}
 */
export const riskList = (risks, address = () => false) => table({
    caption: "Risks of that moment, the costliest first",
    rows: risks,
    key: ({ id }) => id,
    columns: columns(address),
});

/**
 * How the target is, and what concerns it. Nothing when the question names no target.
 * @param {GateAnswer} answer
 * @returns {Child}
 */
export const targetPart = ({ target_state: state, target_risks: risks = [], target_risks_total: total = 0,
    target_points: cost = 0 }) => state !== undefined && [
    h("p", null, h("strong", null, "Target: "), foreign(state)),
    risks.length > 0 && h("details", { key: "target", open: true },
        h("summary", null, "What concerns the target ",
            `(${risks.length} of ${total}; all of it costs ${cost.toFixed(2)})`),
        table({
            caption: "Risks that concern the target, the costliest first, its neighbours last",
            rows: risks,
            key: ({ id }) => id,
            columns: [...columns(() => false),
                { label: "First seen", cell: ({ first_seen: since }) => timeAgo(since, "unknown") },
                { label: "Why", cell: ({ concerns }) => CONCERNS[concerns] ?? concerns }],
        })),
];
