// @ts-check
// The dialog that saves a cluster's report. It says itself how that went: nothing outside of a dialog is reached.

import { download } from "../../core/api.js";
import { h, morph } from "../../core/dom.js";
import { dialog } from "../../parts/dialog.js";
import { explain } from "../../parts/states.js";

/** @type {[format: string, text: string][]} */
const FORMATS = [
    ["json", "JSON, everything"], ["csv", "CSV, for a spreadsheet"], ["ocsf", "OCSF, for a SIEM"],
    ["sarif", "SARIF, for code scanning"],
];

/**
 * Saves one format, and tells in `told` what came of it.
 * @param {Event} event of its button
 * @param {string} id of the cluster
 * @param {string} format
 * @param {HTMLElement} told
 */
async function save(event, id, format, told) {
    const button = /** @type {HTMLButtonElement} */ (event.currentTarget);
    button.disabled = true;
    morph(told, h("p", { class: "row" }, h("span", { class: "spinner", "aria-hidden": "true" }), "Being made …"));
    try {
        const name = await download("/api/export", { clusterId: id, format }, `${id}.${format}`);
        morph(told, h("p", { class: "notice good" }, `Saved as ${name}.`));
    } catch (error) {
        morph(told, h("p", { class: "notice bad", role: "alert" }, explain(error)));
    } finally {
        button.disabled = false;
        button.focus();
    }
}

/**
 * @param {string} id of the cluster
 * @returns {Promise<string>} when it is closed
 */
export function exportDialog(id) {
    const told = h("div", { role: "status", class: "told" });
    return dialog({ title: "Export the report", body: (close) => [
        h("p", null, "The score and all risks, deployments, pods and nodes of the latest snapshot. The audit trail " +
            "has each export."),
        h("ul", { class: "plain" }, FORMATS.map(([format, text]) => h("li", null, h("button", { type: "button",
            onclick: (/** @type {Event} */ event) => save(event, id, format, told) }, text)))),
        told,
        h("div", { class: "actions" }, h("button", { type: "button", onclick: () => close() }, "Close")),
    ] });
}
