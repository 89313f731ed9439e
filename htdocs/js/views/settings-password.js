// @ts-check
// One's own password.

import { h, morph } from "../core/dom.js";
import { ApiError, send } from "../core/api.js";
import { session } from "../core/session.js";
import { notify } from "../parts/dialog.js";
import { field, form } from "../parts/form.js";
import { foreign } from "../parts/names.js";

/** @param {{[name: string]: string}} values */
async function change({ currentPassword, newPassword, repeated }) {
    if (newPassword !== repeated) {
        throw new ApiError(400, "invalid_field", "The two are not the same.", { field: "repeated" });
    }
    try {
        await send("POST", "/api/auth/password", { currentPassword, newPassword });
    } catch (error) {
        if (error instanceof ApiError && error.code === "bad_login") {
            throw new ApiError(401, "bad_login", "This is not your current password.", { field: "currentPassword" });
        }
        throw error;
    }
}

/**
 * @param {import("../core/router.js").Context} context
 * @returns {void}
 */
export function openPassword({ root }) {
    morph(root, h("section", { class: "card narrow", "aria-labelledby": "password" },
        h("h2", { id: "password" }, "Change your password"),
        h("p", null, "You are signed in as ", foreign(session()?.email ?? ""), "."),
        form({
            label: "Change your password",
            submit: "Change the password",
            fields: [
                // Password managers look for whose password it is.
                h("input", { type: "text", autocomplete: "username", value: session()?.email ?? "", hidden: true,
                    readonly: true }),
                field({ name: "currentPassword", label: "Current password", type: "password",
                    more: { autocomplete: "current-password" } }),
                field({ name: "newPassword", label: "New password", type: "password", hint: "8 characters or more",
                    more: { autocomplete: "new-password", minlength: 8 } }),
                field({ name: "repeated", label: "New password, again", type: "password",
                    more: { autocomplete: "new-password", minlength: 8 } }),
            ],
            work: async (values, element) => {
                await change(values);
                element.reset();
                notify("The password is changed. Your other sessions are ended.");
            },
        })));
}
