// @ts-check
// Forms: labels, hints, and what the server refuses, at the field that is to blame.

import { ApiError } from "../core/http.js";
import { disableFor, h, uniqueId } from "../core/dom.js";
import { explain } from "./states.js";

/** @typedef {import("../core/dom.js").Child} Child */

/**
 * @typedef {object} Field
 * @property {string} name as the API calls it
 * @property {string} label
 * @property {string} [type] of the input; "select" and "textarea" too
 * @property {string} [hint]
 * @property {string} [value]
 * @property {boolean} [optional]
 * @property {[string, string][]} [options] value and text, of a select
 * @property {{[attribute: string]: unknown}} [more] attributes of the input
 */

/** What an input may hold: years of six digits, which Chromium takes as well, are none of the API's. */
const TIMES = { min: "1970-01-02T00:00", max: "9999-12-30T00:00" };

/** @param {Field} field @param {{[name: string]: unknown}} common */
function control({ type = "text", value = "", options = [] }, common) {
    if (type === "select") {
        return h("select", { ...common, value: value || options[0]?.[0] },
            options.map(([one, text]) => h("option", { value: one }, text)));
    }
    if (type === "textarea") {
        return h("textarea", { rows: 3, ...common, value });
    }
    return h("input", { type, ...(type === "datetime-local" ? TIMES : null), ...common,
        ...(type === "checkbox" ? { checked: value === "true" } : { value }) });
}

/**
 * A labelled input.
 * @param {Field} field
 * @returns {HTMLElement}
 */
export function field({ name, label, hint, optional = false, more = {}, ...rest }) {
    const id = uniqueId(name);
    const described = `${id}-hint ${id}-error`;
    const common = { id, name, required: !optional, "aria-describedby": described, ...more };
    return h("div", { class: rest.type === "checkbox" ? "field check" : "field", "data-field": name },
        h("label", { for: id }, label,
            optional && rest.type !== "checkbox" && h("span", { class: "muted" }, " (optional)")),
        control({ name, label, ...rest }, common),
        h("p", { class: "hint", id: `${id}-hint` }, hint),
        h("p", { class: "field-error", id: `${id}-error` }));
}

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Control */

/** @param {HTMLFormElement} element */
function controls(element) {
    return /** @type {Control[]} */ ([...element.elements].filter((one) => one.getAttribute("name")));
}

/** @param {HTMLFormElement} element @returns {{[name: string]: string}} a checkbox is "true" or "" */
function valuesOf(element) {
    /** @type {{[name: string]: string}} */
    const values = {};
    for (const one of controls(element)) {
        const checkbox = one instanceof HTMLInputElement && one.type === "checkbox";
        values[one.name] = checkbox ? String(one.checked || "") : one.value;
    }
    return values;
}

/** @param {HTMLFormElement} element @param {string} name @param {string} text */
function blame(element, name, text) {
    const wrong = controls(element).find((one) => one.name === name);
    const place = wrong && document.getElementById(`${wrong.id}-error`);
    if (wrong && place) {
        wrong.setAttribute("aria-invalid", "true");
        place.textContent = text;
        wrong.focus();
    }
    return Boolean(place);
}

/** @param {HTMLFormElement} element */
function forgive(element) {
    element.querySelectorAll("[aria-invalid]").forEach((one) => one.removeAttribute("aria-invalid"));
    element.querySelectorAll(".field-error, .form-error").forEach((one) => {
        one.textContent = "";
    });
}

/** @typedef {(values: {[name: string]: string}, form: HTMLFormElement) => Promise<void>} Work */

/**
 * A form that sends its values when it is submitted and tells what the server refuses.
 * @param {{fields: Child, submit: string, work: Work, actions?: Child, danger?: boolean,
 *   label?: string}} what work: throws what goes wrong; actions: more buttons
 * @returns {HTMLFormElement}
 */
export function form({ fields, submit, work, actions, danger = false, label }) {
    const error = h("p", { class: "form-error", role: "alert" });
    const button = h("button", { type: "submit", class: danger ? "danger" : "primary" }, submit);
    const element = h("form", { "aria-label": label, onsubmit: async (/** @type {Event} */ event) => {
        event.preventDefault();
        forgive(element);
        const enable = disableFor(button);
        try {
            await work(valuesOf(element), element);
        } catch (refusal) {
            const to = refusal instanceof ApiError ? refusal.field : "";
            if (!to || !blame(element, to, explain(refusal))) {
                error.textContent = explain(refusal);
            }
        } finally {
            enable();
        }
    } }, fields, error, h("div", { class: "actions" }, actions, button));
    return element;
}
