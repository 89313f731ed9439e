// @ts-check
// Where somebody comes first whose company requires a second factor, and who has none.

import { h, morph } from "../core/dom.js";
import { checkRole } from "../core/session.js";
import { turnOn } from "./settings-second-factor.js";

/**
 * @param {import("../core/router.js").Context} context
 * @returns {void}
 */
export function open({ root }) {
    const card = h("section", { class: "card narrow", "aria-labelledby": "second-factor" },
        h("h1", { id: "second-factor" }, "Set up a second factor"),
        h("p", null, "Your company requires one of everybody: beside the password, a code that an app on your phone " +
            "shows. Everything else waits until it is on."),
        h("div", { class: "actions" }, h("button", { type: "button", class: "primary", "data-focus": true,
            onclick: () => turnOn(checkRole) }, "Set it up")));
    morph(root, card);
}
