// @ts-check
// What a list is narrowed by. The values are the query of the address, so that a link and the Back
// button bring them back.

import { h } from "../core/dom.js";
import { instant, localInput } from "./time.js";

/** @typedef {import("../core/dom.js").Child} Child */
/** @typedef {import("../core/router.js").Context["setQuery"]} SetQuery */

/**
 * @typedef {object} Filter
 * @property {string} name in the address
 * @property {string} label
 * @property {"select" | "text" | "time"} type a time is kept in UTC and shown in the viewer's zone
 * @property {[string, string][]} [options] value and text, of a select
 * @property {string} [placeholder]
 */

/** @param {string} text of an input of type datetime-local @returns {string} */
function asUtc(text) {
    const ms = instant(text);
    return Number.isNaN(ms) ? "" : new Date(ms).toISOString();
}

/** @param {string} value of the address @returns {string} */
const asLocal = (value) => (Number.isNaN(instant(value)) ? "" : localInput(value));

/** @param {[string, string][]} options @param {string} value @returns {[string, string][]} */
function withValue(options, value) {
    return options.some(([one]) => one === value) ? options : [...options, [value, value]];
}

/** @param {Filter} filter @param {string} value @param {(value: string, push: boolean) => void} change */
function control({ type, options = [], placeholder }, value, change) {
    const text = (/** @type {Event} */ event) => /** @type {HTMLInputElement} */ (event.target).value;
    if (type === "select") {
        return h("select", { value, onchange: (/** @type {Event} */ event) => change(text(event), true) },
            withValue(options, value).map(([one, words]) => h("option", { value: one, key: one }, words)));
    }
    if (type === "time") {
        // Every part of a time that is typed is a change: none of them is a step for the Back button.
        return h("input", { type: "datetime-local", value: asLocal(value),
            onchange: (/** @type {Event} */ event) => change(asUtc(text(event)), false) });
    }
    return h("input", { type: "search", value, placeholder, maxlength: 512, autocomplete: "off",
        onchange: (/** @type {Event} */ event) => change(text(event).trim(), true) });
}

/**
 * A row of filters. A change begins at the first page.
 * @param {Filter[]} filters
 * @param {URLSearchParams} query
 * @param {SetQuery} setQuery
 * @param {...Child} more at the end of the row
 * @returns {HTMLElement}
 */
export function filterBar(filters, query, setQuery, ...more) {
    const set = filters.some(({ name }) => query.get(name));
    const none = Object.fromEntries(filters.map(({ name }) => [name, null]));
    return h("div", { class: "toolbar", role: "search", "aria-label": "Filters" },
        filters.map((filter) => h("label", { key: filter.name }, filter.label,
            control(filter, query.get(filter.name) ?? "",
                (value, push) => setQuery({ [filter.name]: value, cursor: null }, push)))),
        set && h("button", { type: "button", class: "quiet", key: "clear",
            onclick: () => setQuery({ ...none, cursor: null }, true) }, "Clear filters"),
        more);
}

/**
 * A row of buttons of which one is pressed: a filter of few values.
 * @param {string} label
 * @param {[string, string][]} options value and text
 * @param {string} value
 * @param {(value: string) => void} choose
 * @returns {HTMLElement}
 */
export const segments = (label, options, value, choose) => h("div", { class: "segments", role: "group",
    "aria-label": label }, options.map(([one, text]) => h("button", { type: "button",
    "aria-pressed": String(one === value), onclick: () => choose(one) }, text)));
