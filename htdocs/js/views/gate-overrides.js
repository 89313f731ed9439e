// @ts-check
// Overrides of the gate: who lets what it would stop go ahead, why, until when.

import { h } from "../core/dom.js";
import { send, serverNow } from "../core/api.js";
import { can } from "../core/session.js";
import { dialog, notify, perform } from "../parts/dialog.js";
import { field, form } from "../parts/form.js";
import { clusterLink, clusterOptions, foreign } from "../parts/names.js";
import { localInput, moment } from "../parts/time.js";

/** @typedef {import("../core/types.js").Override} Override */
/** @typedef {import("../core/types.js").Cluster} Cluster */
/** @typedef {import("../core/dom.js").Child} Child */

const HOUR = 3_600_000;

/**
 * In one line: "ada@example.com overrides the gate in shop until ...: why".
 * @param {{by: string, namespace: string | null, until: string, reason: string}} one
 * @returns {Child}
 */
export const overrideLine = ({ by, namespace, until, reason }) => [h("strong", null, "Overridden"), " by ", foreign(by),
    namespace && [" in ", foreign(namespace)], " until ", moment(until), ": ", foreign(reason)];

/** @param {Override} one @param {() => void} changed */
const endButton = ({ id, clusterId }, changed) => h("button", { type: "button", class: "small",
    "aria-label": `End the override of ${clusterId}`,
    onclick: async (/** @type {Event} */ event) => {
        if (await perform(event, async () => {
            await send("DELETE", "/api/overrides", { id });
            return `${clusterId}: the gate holds again.`;
        })) {
            changed();
        }
    } }, "End now");

/** @param {Cluster[]} clusters @param {string} chosen @param {() => void} changed */
function openForm(clusters, chosen, changed) {
    dialog({
        title: "Override the gate",
        body: (close) => form({
            label: "Override the gate",
            submit: "Override",
            actions: h("button", { type: "button", onclick: () => close() }, "Cancel"),
            fields: [
                field({ name: "clusterId", label: "Cluster", type: "select", value: chosen,
                    options: clusterOptions(clusters, "Choose a cluster") }),
                field({ name: "namespace", label: "Namespace", optional: true, hint: "without one: the whole cluster",
                    more: { maxlength: 255 } }),
                field({ name: "reason", label: "Reason", hint: "every answer of the gate shows it, with your name",
                    more: { maxlength: 500 } }),
                field({ name: "until", label: "Until", type: "datetime-local",
                    hint: "in your time zone, 72 hours at most", value: localInput(serverNow() + HOUR) }),
            ],
            work: async ({ clusterId, namespace, reason, until }) => {
                await send("POST", "/api/overrides", { clusterId, namespace: namespace.trim() || null, reason,
                    until: new Date(Date.parse(until)).toISOString() });
                notify(`The gate is overridden for ${clusterId}.`);
                close();
                changed();
            },
        }),
    });
}

/**
 * What is overridden now, and the way to override.
 * @param {{overrides: Override[], clusters: Cluster[], chosen: string, changed: () => void}} what chosen: a cluster
 * @returns {Child}
 */
export const overridesNow = ({ overrides, clusters, chosen, changed }) => [
    overrides.length > 0 && h("div", { class: "notice", role: "region", "aria-label": "Overridden now",
        key: "overridden" },
        h("ul", { class: "bare" }, overrides.map((one) => h("li", { class: "row", key: one.id },
            h("span", null, clusterLink(one.clusterId), ": ", overrideLine({ ...one, by: one.createdBy })),
            can("operator") && endButton(one, changed))))),
    can("operator") && h("p", { key: "override" }, h("button", { type: "button", class: "small",
        onclick: () => openForm(clusters, chosen, changed) }, "Override the gate …")),
];
