// @ts-check
// Sign up: an account, and its first API key, which is shown this once.

import { h, morph } from "../core/dom.js";
import { request } from "../core/http.js";
import { link } from "../core/router.js";
import { adopt } from "../core/session.js";
import { copyable } from "../parts/copy.js";
import { field, form } from "../parts/form.js";
import { welcome } from "./welcome.js";

const COMPANY = { autocomplete: "organization", maxlength: 200, "data-focus": true };
const EMAIL = { autocomplete: "username", maxlength: 254 };
const PASSWORD = { autocomplete: "new-password", minlength: 8 };

/**
 * @param {HTMLElement} card
 * @param {{apiKey: string, token: string}} made
 */
function showKey(card, { apiKey, token }) {
    const go = h("button", { type: "button", class: "primary", disabled: true, onclick: () => adopt(token) }, "Go on");
    morph(card,
        h("h1", { id: "sign-up", tabindex: -1 }, "Your API key"),
        h("p", null, "Agents push snapshots with it, and CI asks the gate with it. It is shown this once: Loadline " +
            "keeps only a hash of it. Put it where you keep secrets."),
        copyable(apiKey, "API key"),
        h("div", { class: "field check" },
            h("input", { type: "checkbox", id: "saved", onchange: (/** @type {Event} */ event) => {
                go.disabled = !(/** @type {HTMLInputElement} */ (event.target).checked);
            } }),
            h("label", { for: "saved" }, "I have saved it")),
        h("div", { class: "actions" }, go));
    document.getElementById("sign-up")?.focus();
}

/**
 * In the place of the form, where this service takes nobody.
 * @param {HTMLElement} card
 * @param {string} signIn
 */
async function sayIfClosed(card, signIn) {
    const { signup } = (await request("/api/auth/signup")).data;
    if (signup !== "open") {
        morph(card, h("h1", { id: "sign-up" }, "Signup is closed"),
            h("p", null, signup === "invite" ? "You need a link to sign up. Ask who runs this service for one."
                : "This service takes no new companies. Ask an admin of yours to invite you."),
            h("p", null, "You have an account? ", h("a", { href: signIn }, "Sign in")));
    }
}

/**
 * @param {import("../core/router.js").Context} context
 * @returns {void}
 */
export function open({ root, place }) {
    const invitation = place.query.get("invitation") ?? undefined;
    if (invitation) {
        history.replaceState(null, "", "#/signup");
    }
    const signIn = link(["signin"], { next: place.query.get("next") });
    const card = h("section", { class: "card sign", "aria-labelledby": "sign-up" },
        h("h1", { id: "sign-up" }, "Sign up"),
        form({
            label: "Sign up",
            submit: "Sign up",
            fields: [
                field({ name: "company", label: "Company", more: COMPANY }),
                field({ name: "email", label: "E-mail", type: "email", more: EMAIL }),
                field({
                    name: "password", label: "Password", type: "password", hint: "8 characters or more", more: PASSWORD,
                }),
            ],
            work: async (values) => {
                const answer = await request("/api/auth/signup", { method: "POST", body: { ...values, invitation } });
                showKey(card, answer.data);
            },
        }),
        h("p", null, "You have an account? ", h("a", { href: signIn }, "Sign in")));
    morph(root, h("div", { class: "front" }, welcome(), card));
    if (!invitation) {
        sayIfClosed(card, signIn).catch(() => null); // the form says so as well when it is sent
    }
}
