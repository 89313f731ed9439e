// @ts-check
// The head of a cluster's page: score, decision, verdict, categories, age; what can be done with it.

import { h } from "../../core/dom.js";
import { go, link } from "../../core/router.js";
import { can } from "../../core/session.js";
import { send } from "../../core/api.js";
import { confirmDialog, notify, perform } from "../../parts/dialog.js";
import { ABOUT, CATEGORIES, categoryTag, decisionOf, isCapped, scoreBadge } from "../../parts/score.js";
import { timeAgo } from "../../parts/time.js";
import { exportDialog } from "./export.js";

/** @typedef {import("../../core/types.js").Cluster} Cluster */

/** @param {Cluster} cluster */
async function remove({ id }) {
    const sure = await confirmDialog({
        title: "Delete this cluster?",
        text: ["Everything of ", h("b", null, h("bdi", null, id)), " goes: snapshot, scores, risks, decisions, logs. ",
            "This cannot be undone. An agent that pushes again makes a new cluster."],
        action: "Delete the cluster",
    });
    if (sure) {
        await send("DELETE", `/api/clusters?id=${encodeURIComponent(id)}`, {});
        notify(`${id} is deleted.`);
        go(link(["clusters"]));
    }
}

/** @param {Cluster} cluster @param {() => void} changed */
function manage(cluster, changed) {
    const { id, scope } = cluster;
    const other = scope === "cluster" ? "namespaces" : "cluster";
    const text = scope === "cluster" ? "It shows some namespaces only" : "It shows the whole cluster";
    return h("details", { class: "menu" }, h("summary", { class: "button" }, "Manage"), h("div", null,
        h("a", { class: "button", href: link(["alerts", "silences"], { cluster: id }) }, "Mute alerts"),
        h("button", { type: "button", title: "What its snapshots show. It counts from the next one on.",
            onclick: (/** @type {Event} */ event) => perform(event, async () => {
                await send("PATCH", "/api/clusters", { id, scope: other });
                changed();
                return "Changed: it counts from the next snapshot on.";
            }) }, text),
        can("admin") && h("button", { type: "button", class: "danger",
            onclick: (/** @type {Event} */ event) => perform(event, () => remove(cluster)) }, "Delete the cluster")));
}

/**
 * What the decision is for, in a few words.
 * @type {Record<string, string>}
 */
const MEANING = { SAFE: "A deploy may go ahead.", WARN: "Look before you deploy.", BLOCK: "Do not deploy now." };

/** @param {number} n @param {string} what */
const count = (n, what) => `${n} ${what}${n === 1 ? "" : "s"}`;

/**
 * The points of each category, as links to its risks.
 * @param {Cluster} cluster
 */
function categories({ id, categories: lost }) {
    return lost && h("ul", { class: "category-cards" }, CATEGORIES.map((one) => h("li", null,
        h("a", { href: link(["clusters", id], { category: one }) },
            categoryTag(one), h("b", { class: "number" }, lost[one] > 0.005 ? `−${lost[one].toFixed(2)}` : "0"),
            h("span", { class: "muted small" }, ABOUT[one]),
            h("span", { class: "lost", "aria-hidden": "true" },
                h("span", { class: one, style: { "inline-size": `${Math.min(100, lost[one])}%` } }))))));
}

/**
 * @param {Cluster} cluster
 * @param {() => void} changed something of the cluster has been changed
 * @returns {HTMLElement}
 */
export function clusterHead(cluster, changed) {
    const { id, name, provider, region, cscScore, decision, verdict, scope, takenAt, lastSnapshot } = cluster;
    const where = [provider, region].filter((one) => one && one !== "unknown").join(" · ");
    return h("div", { class: "stack cluster-head" },
        h("div", { class: "page-head" },
            h("h1", null, h("bdi", null, name)),
            h("span", { class: "muted" }, h("bdi", null, where)),
            scope === "namespaces" && h("span", { class: "tag" }, "some namespaces only"),
            h("div", { class: "spacer" }),
            h("a", { class: "button", href: link(["gate"], { check: id }) }, "Would a deploy pass?"),
            h("button", { type: "button", onclick: () => exportDialog(id) }, "Export"),
            can("operator") && manage(cluster, changed)),
        h("div", { class: "card verdict-card" },
            h("div", { class: "score big" }, scoreBadge(cscScore, decision)),
            h("div", { class: "verdict-text" },
                decision && h("p", { class: "meaning" }, MEANING[decision]),
                h("p", null, verdict?.replace(/^[A-Z]+: /, "") ?? "No snapshot has been scored yet."),
                isCapped(cluster) && h("p", { class: "notice warn" }, "The score alone would be " +
                    `${decisionOf(cscScore ?? 0)}, but the snapshot is old, so the gate counts it for less.`),
                h("p", { class: "muted small" }, "Snapshot ", timeAgo(takenAt ?? lastSnapshot), " · ",
                    `${count(cluster.pods, "pod")} · ${count(cluster.nodes, "node")} · `,
                    `${count(cluster.risks, "risk")} · `,
                    h("a", { href: link(["alerts"], { cluster: id }) },
                        `${count(cluster.firingAlerts ?? 0, "alert")} firing`),
                    " · ",
                    h("a", { href: link(["gate"], { cluster: id }) }, "what the gate said")))),
        categories(cluster));
}
