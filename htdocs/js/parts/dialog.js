// @ts-check
// Dialogs and notices. A dialog keeps the focus in it, Escape closes it, and the focus goes back to
// where it was.

import { announce, disableFor, h, morph, uniqueId } from "../core/dom.js";
import { session } from "../core/session.js";
import { explain } from "./states.js";

/** @typedef {import("../core/dom.js").Child} Child */

/**
 * Opens a dialog.
 * @param {{title: string, body: (close: (value?: string) => void) => Child, locked?: boolean}} what
 *   locked: Escape does not close it
 * @returns {Promise<string>} what it was closed with, "" by Escape
 */
export function dialog({ title, body, locked = false }) {
    return new Promise((resolve) => {
        const id = uniqueId("dialog");
        const element = h("dialog", {
            "aria-labelledby": id,
            oncancel: (/** @type {Event} */ event) => locked && event.preventDefault(),
            // A second Escape would close it all the same; so the key does not get that far.
            onkeydown: (/** @type {KeyboardEvent} */ event) => locked && event.key === "Escape" &&
                event.preventDefault(),
            onclose: () => {
                element.remove();
                resolve(element.returnValue);
            },
        });
        const close = (value = "") => element.close(value);
        morph(element, h("h2", { id }, title), body(close));
        document.body.append(element);
        element.showModal();
        /** @type {HTMLElement | null} */ (element.querySelector("[data-focus]"))?.focus();
        // Whoever is signed out does not read on.
        window.addEventListener("hashchange", () => close(), { once: true });
    });
}

/**
 * Asks before something that cannot be undone.
 * @param {{title: string, text: Child, action: string, danger?: boolean}} what action: the text of the button
 * @returns {Promise<boolean>}
 */
export async function confirmDialog({ title, text, action, danger = true }) {
    const answer = await dialog({
        title,
        body: (close) => [
            h("p", null, text),
            h("div", { class: "actions" },
                h("button", { type: "button", "data-focus": true, onclick: () => close() }, "Cancel"),
                h("button", { type: "button", class: danger ? "danger" : "primary", onclick: () => close("yes") },
                    action)),
        ],
    });
    return answer === "yes";
}

/**
 * Says on the page and to a screen reader what has happened. Errors stay until they are closed.
 * @param {string} text
 * @param {"good" | "bad"} [kind]
 */
export function notify(text, kind = "good") {
    const region = /** @type {HTMLElement} */ (document.getElementById("notices"));
    const one = h("div", { class: `toast ${kind}` }, h("p", null, text),
        h("button", { type: "button", class: "quiet", "aria-label": "Close this notice",
            onclick: () => one.remove() }, "×"));
    // One that all is well is enough: more would hide the buttons below them.
    region.querySelectorAll(".toast.good").forEach((older) => older.remove());
    region.append(one);
    announce(text, kind === "bad");
    if (kind === "good") {
        setTimeout(() => one.remove(), 8000);
    }
}

/** Takes all notices away: they are for who was signed in. */
export function dismissNotices() {
    document.getElementById("notices")?.replaceChildren();
    document.getElementById("alarm")?.replaceChildren();
}

/**
 * Does something that a button asked for: the button waits, and a refusal is told. Whoever has signed out
 * meanwhile is told nothing.
 * @param {Event} event of the button
 * @param {() => Promise<string | void>} work resolves to what is told when it is done
 * @returns {Promise<boolean>} whether it was done
 */
export async function perform(event, work) {
    const button = /** @type {HTMLButtonElement} */ (event.currentTarget);
    const enable = disableFor(button);
    const signedIn = session() !== null;
    /** @param {string} text @param {"good" | "bad"} kind */
    const tell = (text, kind) => (signedIn && session() === null ? undefined : notify(text, kind));
    try {
        const done = await work();
        if (done) {
            tell(done, "good");
        }
        return true;
    } catch (error) {
        tell(explain(error), "bad");
        return false;
    } finally {
        enable();
    }
}
