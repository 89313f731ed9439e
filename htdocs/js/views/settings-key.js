// @ts-check
// The dialog that makes an API key, and shows it this once.

import { h } from "../core/dom.js";
import { send, serverNow } from "../core/api.js";
import { dialog, notify } from "../parts/dialog.js";
import { field, form } from "../parts/form.js";
import { foreign } from "../parts/names.js";
import { showSecret } from "../parts/secret.js";

/** @typedef {import("../core/types.js").Key} Key */

const DAY = 86_400_000;

/**
 * What each scope may do.
 * @type {Record<Key["scope"], string>}
 */
export const SCOPES = {
    agent: "pushes snapshots and logs",
    cicd: "asks the gate",
    full: "pushes and asks the gate",
};

/** @type {[string, string][]} */
const CHOICES = [
    ["cicd", `cicd: ${SCOPES.cicd}`],
    ["agent", `agent: ${SCOPES.agent}`],
    ["full", `full: ${SCOPES.full}`],
];

/** @type {[string, string][]} */
const EXPIRIES = [
    ["", "as your company has it, else never"], ["7", "in 7 days"], ["30", "in 30 days"], ["90", "in 90 days"],
    ["365", "in a year"],
    ["date", "at a time of your choice"],
];

/** @param {Event} event of the select */
function showDate(event) {
    const select = /** @type {HTMLSelectElement} */ (event.currentTarget);
    const date = /** @type {HTMLElement | null} */ (select.closest("form")?.querySelector("[data-part=date]"));
    if (date) {
        date.hidden = select.value !== "date";
        date.querySelector("input")?.toggleAttribute("required", !date.hidden);
    }
}

/** @param {{[name: string]: string}} values @returns {string | null} */
function expiresAt({ expires, expiresAt: chosen }) {
    if (expires === "date") {
        return new Date(chosen).toISOString();
    }
    return expires ? new Date(serverNow() + Number(expires) * DAY).toISOString() : null;
}

/** @param {string} text @returns {string[]} */
const words = (text) => (text ?? "").split(/[\s,]+/).filter(Boolean);

/** @param {Key} key */
const show = ({ name, scope, apiKey = "" }) => showSecret({
    title: "Your new API key",
    text: [foreign(name), ` (${scope}). It is shown this once: Loadline keeps only a hash of it. Put it where you ` +
        "keep secrets."],
    secret: apiKey,
    what: "API key",
});

/**
 * @param {() => void} changed called when the key is made
 */
export async function newKey(changed) {
    /** @type {Key | null} */
    let made = null;
    await dialog({
        title: "New API key",
        body: (close) => form({
            label: "New API key",
            submit: "Make the key",
            actions: h("button", { type: "button", onclick: () => close() }, "Cancel"),
            fields: [
                field({ name: "name", label: "Name", hint: "where it is used: “deploy job of the shop”",
                    more: { maxlength: 200, autocomplete: "off", "data-focus": true } }),
                field({ name: "scope", label: "Scope", type: "select", options: CHOICES }),
                field({ name: "expires", label: "Expires", type: "select", options: EXPIRIES, optional: true,
                    more: { onchange: showDate } }),
                h("div", { "data-part": "date", hidden: true },
                    field({ name: "expiresAt", label: "Expires at", type: "datetime-local", optional: true,
                        hint: "in your time zone" })),
                field({ name: "clusters", label: "Only for clusters", optional: true,
                    hint: "names, with blanks between them; empty: all", more: { autocomplete: "off" } }),
                field({ name: "addresses", label: "Only from addresses", optional: true,
                    hint: "as 192.0.2.7 or 10.0.0.0/8; empty: from everywhere", more: { autocomplete: "off" } }),
            ],
            work: async (values) => {
                const { name, scope } = values;
                const answer = await send("POST", "/api/keys", { name, scope, expiresAt: expiresAt(values),
                    clusters: words(values.clusters), addresses: words(values.addresses) });
                made = /** @type {Key} */ (/** @type {unknown} */ (answer));
                close();
            },
        }),
    });
    const key = /** @type {Key | null} */ (made);
    if (key) {
        changed();
        await show(key);
        notify(`The key ${key.name} is made.`);
    }
}
