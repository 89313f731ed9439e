// @ts-check
// A new password by mail, where this service sends mail.

import { h, morph } from "../core/dom.js";
import { request } from "../core/http.js";
import { link } from "../core/router.js";
import { field, form } from "../parts/form.js";

const EMAIL = { autocomplete: "username", "data-focus": true };

/** Who helps where this service sends none. */
export const NO_MAIL = "Who runs this service can make you a link to choose a new one.";

/**
 * In the place of the form, where this service sends no mail.
 * @param {HTMLElement} card
 * @param {HTMLElement} back
 */
async function sayIfNoMail(card, back) {
    const { mail } = (await request("/api/auth/signup")).data;
    if (!mail) {
        morph(card, h("h1", { id: "forgot", tabindex: -1 }, "A new password"),
            h("p", null, `This service sends no mail. ${NO_MAIL}`), back);
    }
}

/**
 * @param {import("../core/router.js").Context} context
 * @returns {void}
 */
export function open({ root }) {
    const back = h("p", null, h("a", { href: link(["signin"]) }, "Back to sign in"));
    const sent = "If there is an account with this address, a link to choose a new password is on its way. " +
        "It is good for an hour.";
    const card = h("section", { class: "card sign", "aria-labelledby": "forgot" },
        h("h1", { id: "forgot", tabindex: -1 }, "A new password"),
        form({
            label: "A new password",
            submit: "Mail me a link",
            fields: [field({ name: "email", label: "E-mail", type: "email", more: EMAIL })],
            work: async ({ email }) => {
                await request("/api/links/reset", { method: "POST", body: { email } });
                morph(card, h("h1", { id: "forgot", tabindex: -1 }, "Look into your mail"), h("p", null, sent), back);
                document.getElementById("forgot")?.focus();
            },
        }), back);
    morph(root, card);
    sayIfNoMail(card, back).catch(() => null); // it is said as well when the form is sent
}
