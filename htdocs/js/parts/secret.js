// @ts-check
// A secret that the server shows this once: copied, and gone when somebody says that it is saved.

import { h } from "../core/dom.js";
import { copyable } from "./copy.js";
import { dialog } from "./dialog.js";

/** @typedef {import("../core/dom.js").Child} Child */

/**
 * A dialog with the secret, which only "I have saved it" lets close.
 * @param {{title: string, text: Child, secret: string, what: string}} which what: "API key", for the button "Copy"
 * @returns {Promise<string>}
 */
export function showSecret({ title, text, secret, what }) {
    return dialog({
        title,
        locked: true,
        body: (close) => {
            const finish = () => close("saved");
            const done = h("button", { type: "button", class: "primary", disabled: true, onclick: finish }, "Done");
            return [
                h("p", null, text),
                copyable(secret, what),
                h("div", { class: "field check" },
                    h("input", { type: "checkbox", id: "secret-saved", onchange: (/** @type {Event} */ event) => {
                        done.disabled = !(/** @type {HTMLInputElement} */ (event.target).checked);
                    } }),
                    h("label", { for: "secret-saved" }, "I have saved it")),
                h("div", { class: "actions" }, done),
            ];
        },
    });
}
