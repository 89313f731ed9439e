// @ts-check
// One risk: a line that opens to everything that is known of it.

import { h } from "../../core/dom.js";
import { link } from "../../core/router.js";
import { copyable } from "../../parts/copy.js";
import { categoryTag, severityTag } from "../../parts/score.js";
import { timeAgo } from "../../parts/time.js";
import { acceptButton, exemptWords } from "./exempt.js";
import { absorbedBy } from "./filter.js";

/** @typedef {import("../../core/types.js").Risk} Risk */
/** @typedef {import("../../core/dom.js").Child} Child */

const WORKLOADS = new Set([
    "deployment", "statefulset", "daemonset", "replicaset", "job", "cronjob", "replicationcontroller",
]);

/**
 * The tab that shows a resource, "" when none does.
 * @param {string} resource deployment/api
 */
function tabOf(resource) {
    const kind = resource.split("/")[0];
    if (kind === "pod" || kind === "node") {
        return `${kind}s`;
    }
    return WORKLOADS.has(kind) ? "workloads" : "";
}

/**
 * Where the thing that a risk names is shown: its object, events and logs.
 * @param {string} cluster
 * @param {Risk} risk
 * @returns {HTMLElement[]}
 */
export function resourceLinks(cluster, { resource = "", namespace }) {
    const [kind, name = ""] = resource.split("/");
    const tab = tabOf(resource);
    /** @type {(text: string, where: string, query: {[name: string]: string | undefined}) => HTMLElement} */
    const to = (text, where, query) => h("a", { href: link(["clusters", cluster, where], query) }, text);
    const logs = kind === "pod" ? { pod: name } : { workload: resource };
    const links = [
        tab && to(`Show the ${kind}`, tab, { q: name, namespace }),
        WORKLOADS.has(kind) && to("Its pods", "pods", { q: name, namespace }),
        name && to("Its events", "events", { q: name, namespace }),
        (WORKLOADS.has(kind) || kind === "pod") && to("Its logs", "logs", { ...logs, namespace }),
    ];
    return /** @type {HTMLElement[]} */ (links.filter(Boolean));
}

/** @param {string} term @param {...Child} text */
const fact = (term, ...text) => [h("dt", null, term), h("dd", null, text)];

/** @param {Risk} risk @param {Risk[]} all */
function cost(risk, all) {
    if (risk.absorbed_by) {
        return ["0: what it costs is counted under ", h("code", null, risk.absorbed_by)];
    }
    if (risk.exempt) {
        return "0: it is exempt";
    }
    const absorbed = absorbedBy(risk, all);
    return [`${risk.impact.toFixed(2)} points`, absorbed.length > 0 && ", with what it absorbs:",
        absorbed.length > 0 && h("ul", null, absorbed.map((one) => h("li", null, severityTag(one.severity), " ",
            h("code", null, one.check), " ", one.message)))];
}

/**
 * What an open risk shows.
 * @param {string} cluster
 * @param {Risk} risk
 * @param {Risk[]} all
 * @returns {HTMLElement}
 */
function body(cluster, risk, all) {
    const links = resourceLinks(cluster, risk);
    const { frameworks = [] } = risk;
    const exempt = exemptWords(risk);
    const share = new URL(link(["clusters", cluster], { risk: risk.id }), location.href).href;
    return h("div", { class: "risk-body" },
        h("dl", { class: "facts" },
            fact("Found", risk.message),
            fact("What to do", h("b", null, risk.recommendation)),
            fact("Costs", cost(risk, all)),
            exempt.length > 0 && fact("Exemption", exempt),
            risk.count !== undefined && risk.count > 1 && fact("Times", String(risk.count)),
            fact("First seen", timeAgo(risk.first_seen, "unknown")),
            risk.container && fact("Container", h("code", null, risk.container)),
            fact("Check", h("code", null, risk.check), " ", h("a", { href: "docs/checks.md" }, "what checks want")),
            frameworks.length > 0 && fact("Frameworks", h("span", { class: "row" },
                frameworks.map((one) => h("span", { class: "tag" }, one)))),
            links.length > 0 && fact("Look", h("span", { class: "row" }, links))),
        h("div", { class: "row" }, copyable(share, "link to this risk"), acceptButton(cluster, risk)));
}

/**
 * A line of the list.
 * @param {string} cluster
 * @param {Risk} risk
 * @param {Risk[]} all
 * @param {{open: boolean, toggled: (open: boolean) => void, wanted?: boolean}} how
 *   open: its body is drawn; wanted: the address names it, so it is open from the start
 * @returns {HTMLElement}
 */
export function riskLine(cluster, risk, all, { open, toggled, wanted = false }) {
    const { id, impact, severity, category, message, namespace, resource, absorbed_by: under } = risk;
    return h("details", {
        key: id, class: under || impact === 0 ? "risk free" : "risk", id: `risk-${id}`, open: wanted || null,
        ontoggle: (/** @type {Event} */ event) => toggled(/** @type {HTMLDetailsElement} */ (event.currentTarget).open),
    },
    h("summary", null,
        h("span", { class: "points number" }, impact ? `−${impact.toFixed(2)}` : "0"),
        severityTag(severity),
        h("span", { class: "risk-text" },
            h("span", { class: "risk-message" }, message),
            h("span", { class: "muted small" }, h("bdi", null, [namespace, resource].filter(Boolean).join(" ")), " ",
                categoryTag(category))),
    ),
    open && body(cluster, risk, all));
}
