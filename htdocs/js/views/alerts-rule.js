// @ts-check
// The dialog that makes or changes a rule.

import { h } from "../core/dom.js";
import { ApiError, send } from "../core/api.js";
import { dialog, notify } from "../parts/dialog.js";
import { field, form } from "../parts/form.js";
import { clusterOptions, foreign } from "../parts/names.js";
import { conditionWords } from "./alerts-words.js";

/** @typedef {import("../core/alert-types.js").Rule} Rule */
/** @typedef {import("../core/alert-types.js").Channel} Channel */
/** @typedef {import("../core/types.js").Cluster} Cluster */
/** @typedef {import("../core/dom.js").Child} Child */
/** @typedef {{[name: string]: string}} Values */

const PATH = "/api/notifications/rules";

/** @type {[string, string][]} */
const CONDITIONS = [
    ["score_drop", "The score is below a threshold"],
    ["degraded_app", "A Deployment has no available replicas"],
];

/** @param {Event} event @param {(input: HTMLInputElement & HTMLSelectElement) => boolean} hide @param {string} what */
function hideBy(event, hide, what) {
    const input = /** @type {HTMLInputElement & HTMLSelectElement} */ (event.currentTarget);
    const other = /** @type {HTMLElement | null} */ (input.closest("form")?.querySelector(what));
    if (other) {
        other.hidden = hide(input);
    }
}

/** @param {Rule | null} rule @returns {Child} */
function conditionFields(rule) {
    const threshold = h("div", { "data-part": "threshold", hidden: rule?.condition === "degraded_app" },
        field({ name: "threshold", label: "Threshold", type: "number", value: String(rule?.threshold ?? 70),
            hint: "1 to 100; fires when the score is below it", more: { min: 1, max: 100, step: 1 } }));
    const condition = rule ? h("p", null, h("strong", null, conditionWords({ ...rule, threshold: rule.threshold })))
        : field({ name: "condition", label: "When", type: "select", options: CONDITIONS, more: { "data-focus": true,
            onchange: (/** @type {Event} */ event) => hideBy(event, ({ value }) => value !== "score_drop",
                "[data-part=threshold]") } });
    return [condition, threshold];
}

/** @param {Rule | null} rule @param {Channel[]} channels @returns {Child} */
function channelFields(rule, channels) {
    const ids = rule?.channelIds ?? null;
    // A channel that is not in the list (any more) stays chosen, by its id.
    const gone = (ids ?? []).filter((id) => !channels.some((one) => one.id === id));
    const all = [...channels.map(({ id, name }) => ({ id, name })), ...gone.map((id) => ({ id, name: id }))];
    const box = (/** @type {{id: string, name: string}} */ { id, name }) => h("div", { class: "field check" },
        h("input", { type: "checkbox", id: `channel-${id}`, name: `channel:${id}`,
            checked: ids?.includes(id) ?? false }),
        h("label", { for: `channel-${id}` }, foreign(name)));
    return h("fieldset", null, h("legend", null, "Tell"),
        field({ name: "all", label: "All channels, those made later too", type: "checkbox", optional: true,
            value: String(ids === null), more: { onchange: (/** @type {Event} */ event) => hideBy(event,
                ({ checked }) => checked, "[data-part=channels]") } }),
        h("div", { "data-part": "channels", class: "choices", hidden: ids === null },
            all.length ? all.map(box) : h("p", { class: "hint" }, "There is no channel yet.")));
}

/** @param {Values} values @param {string} condition */
function chosen(values, condition) {
    const ids = Object.keys(values).filter((name) => name.startsWith("channel:") && values[name])
        .map((name) => name.slice("channel:".length));
    if (!values.all && ids.length === 0) {
        throw new ApiError(400, "invalid_field", "Choose a channel, or all of them.", { field: "all" });
    }
    return {
        ...(condition === "score_drop" ? { threshold: Number(values.threshold) } : {}),
        clusterId: values.clusterId || null,
        channelIds: values.all ? null : ids,
    };
}

/** @param {Rule | null} rule @param {Cluster[]} clusters @returns {[string, string][]} */
function clustersToChoose(rule, clusters) {
    const options = clusterOptions(clusters, "All clusters");
    const id = rule?.clusterId ?? "";
    return options.some(([one]) => one === id) ? options : [...options, [id, id]];
}

/**
 * @param {Rule | null} rule null: a new one
 * @param {{clusters: Cluster[], channels: Channel[], changed: () => void}} tools
 */
export function ruleDialog(rule, { clusters, channels, changed }) {
    dialog({
        title: rule ? "Change the rule" : "New rule",
        body: (close) => form({
            label: rule ? "Change the rule" : "New rule",
            submit: rule ? "Save" : "Make the rule",
            actions: h("button", { type: "button", onclick: () => close() }, "Cancel"),
            fields: [
                conditionFields(rule),
                field({ name: "clusterId", label: "Cluster", type: "select", optional: true,
                    options: clustersToChoose(rule, clusters), value: rule?.clusterId ?? "" }),
                channelFields(rule, channels),
            ],
            work: async (values) => {
                const condition = rule?.condition ?? values.condition;
                const body = chosen(values, condition);
                await (rule ? send("PATCH", PATH, { id: rule.id, ...body })
                    : send("POST", PATH, { condition, ...body }));
                close();
                notify(rule ? "The rule is changed." : "The rule is made. It is judged from the next snapshot on.");
                changed();
            },
        }),
    });
}
