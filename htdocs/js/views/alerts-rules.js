// @ts-check
// Rules: when else to alert, and whom.

import { h, morph } from "../core/dom.js";
import { send } from "../core/api.js";
import { can } from "../core/session.js";
import { confirmed } from "../parts/confirmed.js";
import { perform } from "../parts/dialog.js";
import { live, shown } from "../parts/live.js";
import { clusterLink, readClusters } from "../parts/names.js";
import { empty } from "../parts/states.js";
import { table } from "../parts/table.js";
import { day } from "../parts/time.js";
import { ruleDialog } from "./alerts-rule.js";
import { channelList, conditionWords, readChannels } from "./alerts-words.js";

/** @typedef {import("../core/router.js").Context} Context */
/** @typedef {import("../core/alert-types.js").Rule} Rule */
/** @typedef {import("../core/alert-types.js").Channel} Channel */
/** @typedef {import("../core/types.js").Cluster} Cluster */

const PATH = "/api/notifications/rules";

/** @param {Event} event @param {Rule} rule @param {() => void} changed */
async function toggle(event, { id, enabled }, changed) {
    if (await perform(event, async () => {
        await send("PATCH", PATH, { id, enabled: !enabled });
        return enabled ? "The rule is disabled. What it had fired is over." : "The rule is enabled.";
    })) {
        changed();
    }
}

/** @param {Event} event @param {Rule} rule @param {() => void} changed */
async function remove(event, rule, changed) {
    if (await confirmed(event, {
        title: "Delete this rule?",
        text: `“${conditionWords(rule)}”, ${rule.clusterId ?? "all clusters"}. An alert that it has fired ends, and ` +
            "nobody is told of the end.",
        action: "Delete the rule",
    }, async () => {
        await send("DELETE", PATH, { id: rule.id });
        return "The rule is deleted.";
    })) {
        changed();
    }
}

/**
 * @param {Rule} rule
 * @param {{clusters: Cluster[], channels: Channel[], changed: () => void}} tools
 */
function actions(rule, tools) {
    const words = `${conditionWords(rule)}, ${rule.clusterId ?? "all clusters"}`;
    return h("div", { class: "row end" },
        h("button", { type: "button", class: "small", "aria-label": `Change: ${words}`,
            onclick: () => ruleDialog(rule, tools) }, "Change"),
        h("button", { type: "button", class: "small", "aria-label": `${rule.enabled ? "Disable" : "Enable"}: ${words}`,
            onclick: (/** @type {Event} */ event) => toggle(event, rule, tools.changed) },
        rule.enabled ? "Disable" : "Enable"),
        h("button", { type: "button", class: "small danger", "aria-label": `Delete: ${words}`,
            onclick: (/** @type {Event} */ event) => remove(event, rule, tools.changed) }, "Delete"));
}

/**
 * @param {Rule[]} rows
 * @param {{clusters: Cluster[], channels: Channel[] | null, changed: () => void}} tools
 */
function list(rows, { channels, ...rest }) {
    const columns = [
        { label: "When", head: true, cell: (/** @type {Rule} */ rule) => conditionWords(rule) },
        { label: "Cluster", cell: (/** @type {Rule} */ { clusterId }) => clusterLink(clusterId) },
        { label: "Tell", cell: (/** @type {Rule} */ { channelIds }) => channelList(channelIds, channels) },
        { label: "State", cell: (/** @type {Rule} */ { enabled }) => h("span", { class: enabled ? "tag good" : "tag" },
            enabled ? "enabled" : "disabled") },
        { label: "Created", cell: (/** @type {Rule} */ { createdAt }) => day(createdAt) },
        { label: "", cell: (/** @type {Rule} */ rule) => actions(rule, { ...rest, channels: channels ?? [] }) },
    ];
    return table({
        caption: "Rules, newest first",
        rows,
        key: ({ id }) => id,
        columns: can("operator") ? columns : columns.slice(0, -1),
    });
}

const none = () => empty("No rules yet", h("p", null, "A rule alerts earlier than below 50, or when a Deployment has " +
    "no available replicas, and says who is told."));

/**
 * @param {Context} context
 * @returns {void}
 */
export function openRules({ root, signal }) {
    /** @type {Cluster[]} */
    let clusters = [];
    /** @type {Channel[] | null} */
    let channels = null;
    const rules = live("/api/notifications/rules", () => ({}), { signal, draw: () => draw() });

    const make = () => ruleDialog(null, { clusters, channels: channels ?? [], changed: rules.now });

    function draw() {
        morph(root, h("section", { class: "card", "aria-labelledby": "rules" },
            h("div", { class: "page-head" }, h("h2", { id: "rules" }, "Rules"), h("div", { class: "spacer" }),
                can("operator") && h("button", { type: "button", class: "primary", onclick: make }, "New rule")),
            h("p", { class: "hint above" }, "Always and without a rule: all channels are told when any cluster falls " +
                "below 50. ", h("a", { href: "docs/alerts.md" }, "What fires when")),
            shown(rules, "rules", (rows) => (rows.length ? list(rows, { clusters, channels, changed: rules.now })
                : none()))));
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
}
