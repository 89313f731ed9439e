// @ts-check
// Sign in, and what this is, for people who have come here for the first time.

import { h, morph } from "../core/dom.js";
import { ApiError, request } from "../core/http.js";
import { begin } from "../core/oidc.js";
import { link } from "../core/router.js";
import { adopt } from "../core/session.js";
import { perform } from "../parts/dialog.js";
import { field, form } from "../parts/form.js";
import { foreign } from "../parts/names.js";
import { NO_MAIL } from "./forgot.js";
import { welcome } from "./welcome.js";

const EMAIL = { autocomplete: "username", "data-focus": true };
const PASSWORD = { autocomplete: "current-password" };

/**
 * Why somebody is here who was signed in a moment ago.
 * @type {Record<string, string>}
 */
const REASONS = {
    expired: "Your session has ended. Sign in again, and you are back where you were.",
    "signed-out": "You are signed out.",
};

const CODE = { autocomplete: "one-time-code", autocapitalize: "none", spellcheck: "false", maxlength: 64,
    "data-focus": true };

/** @param {{email: string, password: string, code?: string}} proof */
async function logIn(proof) {
    // The page goes on by itself as soon as there is a session.
    const answer = await request("/api/auth/login", { method: "POST", body: proof });
    await adopt(answer.data.token);
}

/**
 * In the place of the form: the second step. What was typed in the first is kept for as long as this is shown.
 * @param {HTMLElement} card
 * @param {{email: string, password: string}} proof
 */
function askCode(card, proof) {
    // Another form, not the one that is there with other fields.
    card.replaceChildren(
        h("h1", { id: "sign-in" }, "Your second factor"),
        h("p", null, "Your password is right. Type the code that your app shows, or a recovery code."),
        form({
            label: "Your second factor",
            submit: "Sign in",
            fields: field({ name: "code", label: "Code", more: CODE }),
            work: async ({ code }) => {
                await logIn({ ...proof, code });
            },
        }),
        h("p", { class: "hint" }, "No app and no recovery code any more? Who runs this service can take the second " +
            "factor off."));
    /** @type {HTMLElement | null} */ (card.querySelector("[data-focus]"))?.focus();
}

/**
 * A button more, where this service has an issuer to sign in by.
 * @param {HTMLElement} card
 * @param {string} next
 */
async function offerIssuer(card, next) {
    const { on, issuer } = (await request("/api/auth/oidc")).data;
    if (on) {
        card.append(h("div", { class: "actions" }, h("button", { type: "button",
            onclick: (/** @type {Event} */ event) => perform(event, () => begin(next)) },
        "Sign in by ", foreign(new URL(issuer).host))));
    }
}

/**
 * A link to a new password, where this service sends mail, and else who can help.
 * @param {HTMLElement} place
 */
async function offerReset(place) {
    const ask = h("a", { href: link(["forgot"]) }, "Forgot your password?");
    try {
        const { mail } = (await request("/api/auth/signup")).data;
        place.append(mail ? ask : `Forgot your password? ${NO_MAIL}`);
    } catch {
        place.append(ask); // that page says so as well
    }
}

/**
 * @param {import("../core/router.js").Context} context
 * @returns {void}
 */
export function open({ root, place }) {
    const why = place.query.get("reason") ?? "";
    const reason = Object.hasOwn(REASONS, why) && REASONS[why];
    const next = place.query.get("next");
    const reset = h("p", null);
    const card = h("section", { class: "card sign", "aria-labelledby": "sign-in" },
        h("h1", { id: "sign-in" }, "Sign in"),
        reason && h("p", { class: "notice", role: "status" }, reason),
        form({
            label: "Sign in",
            submit: "Sign in",
            fields: [
                field({ name: "email", label: "E-mail", type: "email", more: EMAIL }),
                field({ name: "password", label: "Password", type: "password", more: PASSWORD }),
            ],
            work: async ({ email, password }) => {
                try {
                    await logIn({ email, password });
                } catch (error) {
                    if (!(error instanceof ApiError && error.code === "code_wanted")) {
                        throw error;
                    }
                    askCode(card, { email, password });
                }
            },
        }),
        h("p", null, "New here? ", h("a", { href: link(["signup"], { next }) }, "Sign up")),
        reset);
    morph(root, h("div", { class: "front" }, welcome(), card));
    offerReset(reset);
    offerIssuer(card, next ?? "").catch(() => null); // the form is there all the same
}
