// @ts-check
// An invitation: a link by which a new member chooses a password that nobody else knows.

import { send } from "../core/api.js";
import { link } from "../core/router.js";
import { foreign } from "../parts/names.js";
import { showSecret } from "../parts/secret.js";

/**
 * @param {string} email
 * @param {string} role
 * @returns {Promise<() => Promise<unknown>>} shows the link, which can be done this once
 */
export async function invite(email, role) {
    const { invitation } = await send("POST", "/api/members", { email, role });
    return () => showSecret({
        title: "The invitation",
        text: ["Give this link to ", foreign(email), " and to nobody else. It works once, for 7 days, and is shown " +
            "this once."],
        secret: `${location.origin}${location.pathname}${link(["link", String(invitation)])}`,
        what: "link",
    });
}
