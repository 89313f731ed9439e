// @ts-check
// The plan, and how much of it is used.

import { h, morph } from "../core/dom.js";
import { getAll, isAbort } from "../core/api.js";
import { can } from "../core/session.js";
import { live, shown } from "../parts/live.js";

/** @typedef {import("../core/types.js").Slots} Slots */
/** @typedef {import("../core/dom.js").Child} Child */

/** What is counted beside the clusters, and who may. */
const COUNTED = [
    { path: /** @type {const} */ ("/api/keys"), text: "API keys", href: "#/settings/keys" },
    { path: /** @type {const} */ ("/api/members"), text: "Members", href: "#/settings/members", role: "admin" },
    { path: /** @type {const} */ ("/api/notifications/channels"), text: "Channels", href: "#/alerts/channels",
        role: "operator" },
    { path: /** @type {const} */ ("/api/notifications/rules"), text: "Rules", href: "#/alerts/rules" },
];

/** @param {Slots} slots @returns {Child} */
function clusters({ used, max, plan }) {
    const full = used >= max;
    return [
        h("p", null, "Your plan is ", h("strong", null, plan), "."),
        h("p", { id: "slots" }, h("a", { href: "#/clusters" }, "Clusters"), `: ${used} of ${max}`),
        h("progress", { value: used, max, "aria-labelledby": "slots" }),
        full && h("p", { class: "notice warn" }, "Every slot is taken: the first snapshot of another cluster is " +
            "refused. The clusters that are known go on. Deleting one makes room."),
    ];
}

/**
 * @param {import("../core/router.js").Context} context
 * @returns {void}
 */
export function openPlan({ root, signal }) {
    /** @type {Map<string, string>} */
    const counts = new Map();
    const mine = COUNTED.filter(({ role }) => !role || can(/** @type {"admin" | "operator"} */ (role)));
    const slots = live("/api/cluster-slots", () => ({}), { signal, every: 20_000, draw: () => draw() });

    function draw() {
        morph(root, h("section", { class: "card narrow", "aria-labelledby": "plan" },
            h("h2", { id: "plan" }, "Plan and usage"),
            shown(slots, "the plan", clusters),
            h("dl", { class: "facts" }, mine.map(({ path, text, href }) => [
                h("dt", null, h("a", { href }, text)),
                h("dd", null, counts.get(path) ?? "…"),
            ]))));
    }

    for (const { path } of mine) {
        getAll(path, {}, { signal }).then((all) => {
            counts.set(path, String(all.length));
            draw();
        }, (error) => {
            if (!isAbort(error)) {
                counts.set(path, "not known");
                draw();
            }
        });
    }
    draw();
}
