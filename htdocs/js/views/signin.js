// @ts-check
// Sign in, and what this is, for people who have come here for the first time.

import { h, morph } from "../core/dom.js";
import { request } from "../core/http.js";
import { link } from "../core/router.js";
import { adopt } from "../core/session.js";
import { field, form } from "../parts/form.js";
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

/**
 * @param {import("../core/router.js").Context} context
 * @returns {void}
 */
export function open({ root, place }) {
    const why = place.query.get("reason") ?? "";
    const reason = Object.hasOwn(REASONS, why) && REASONS[why];
    const next = place.query.get("next");
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
            // The page goes on by itself as soon as there is a session.
            work: async ({ email, password }) => {
                const answer = await request("/api/auth/login", { method: "POST", body: { email, password } });
                await adopt((await answer.json()).token);
            },
        }),
        h("p", null, "New here? ", h("a", { href: link(["signup"], { next }) }, "Sign up")),
        h("p", null, h("a", { href: link(["forgot"]) }, "Forgot your password?")));
    morph(root, h("div", { class: "front" }, welcome(), card));
}
