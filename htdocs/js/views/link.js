// @ts-check
// What a link that somebody was given or mailed leads to: a password to choose, or an address to say yes to.
// The token stands behind the #, so it gets into no log; the page takes it out of the address at once.

import { h, morph } from "../core/dom.js";
import { ApiError, request } from "../core/http.js";
import { link } from "../core/router.js";
import { field, form } from "../parts/form.js";
import { foreign } from "../parts/names.js";
import { failure, loading } from "../parts/states.js";

/** @typedef {{kind: "invitation" | "password" | "email", email: string, company: string}} Given */

const NEW_PASSWORD = { autocomplete: "new-password", minlength: 8, "data-focus": true };
const TITLES = { invitation: "Welcome to Loadline", password: "Choose a new password", email: "Is this your address?" };

/** @param {string} path @param {object} body @returns {Promise<any>} */
const ask = async (path, body) => (await request(path, { method: "POST", body })).data;

/** @param {...import("../core/dom.js").Child} children */
const card = (...children) => h("section", { class: "card sign", "aria-labelledby": "by-link" }, children);

/** @param {string} title */
const heading = (title) => h("h1", { id: "by-link", tabindex: -1 }, title);

/** @param {HTMLElement} root @param {Given} given */
function done(root, { kind, email }) {
    const text = kind === "email" ? " is verified." : " has a new password. Sign in with it.";
    morph(root, card(heading("Done"), h("p", null, foreign(email), text),
        h("p", null, h("a", { href: link(["signin"]) }, "Sign in"))));
    document.getElementById("by-link")?.focus();
}

/** @param {HTMLElement} root @param {string} token @param {Given} given */
function offer(root, token, given) {
    const { kind, email, company } = given;
    const isMail = kind === "email";
    morph(root, card(heading(TITLES[kind]),
        h("p", null, kind === "invitation"
            ? ["You are invited to ", foreign(company), " as ", foreign(email), ". Choose a password."]
            : [isMail ? "Somebody has signed up with " : "For ", foreign(email), "."]),
        form({
            label: TITLES[kind],
            submit: isMail ? "It is mine" : "Set the password",
            fields: isMail ? [] : [
                h("input", { type: "text", autocomplete: "username", value: email, hidden: true, readonly: true }),
                field({ name: "password", label: "Password", type: "password", hint: "8 characters or more",
                    more: NEW_PASSWORD }),
                field({ name: "repeated", label: "Password, again", type: "password",
                    more: { autocomplete: "new-password", minlength: 8 } }),
            ],
            work: async ({ password, repeated }) => {
                if (!isMail && password !== repeated) {
                    throw new ApiError(400, "invalid_field", "The two are not the same.", { field: "repeated" });
                }
                await ask("/api/links/accept", isMail ? { token } : { token, password });
                done(root, given);
            },
        })));
    /** @type {HTMLElement | null} */ (root.querySelector("[data-focus]"))?.focus();
}

/**
 * @param {import("../core/router.js").Context} context
 * @returns {void}
 */
export function open({ root, place, signal }) {
    const { token } = place.params;
    history.replaceState(null, "", "#/link");
    const again = async () => {
        morph(root, loading("the link"));
        try {
            const given = await ask("/api/links", { token });
            if (!signal.aborted) {
                offer(root, token, given);
            }
        } catch (error) {
            const dead = error instanceof ApiError && error.code === "unknown_link";
            morph(root, dead ? card(heading("This link does not work"),
                h("p", null, "It was used, has expired, or is not whole. Ask for a new one where it came from."),
                h("p", null, h("a", { href: link(["signin"]) }, "Sign in"))) : failure(error, again));
        }
    };
    again();
}
