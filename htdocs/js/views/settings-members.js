// @ts-check
// Members and their roles.

import { h, morph } from "../core/dom.js";
import { send } from "../core/api.js";
import { session } from "../core/session.js";
import { confirmed } from "../parts/confirmed.js";
import { dialog, notify } from "../parts/dialog.js";
import { field, form } from "../parts/form.js";
import { live, pages, shown } from "../parts/live.js";
import { foreign } from "../parts/names.js";
import { table } from "../parts/table.js";
import { day } from "../parts/time.js";
import { invite } from "./settings-invite.js";

/** @typedef {import("../core/router.js").Context} Context */
/** @typedef {import("../core/types.js").Member} Member */

const PATH = "/api/members";

/** @type {[string, string][]} */
const ROLES = [
    ["member", "member: sees everything but the channels"],
    ["operator", "operator: sees to clusters and alerts, too"],
    ["admin", "admin: keys, members and the audit trail, too"],
];

/** @param {() => void} close */
const cancel = (close) => h("button", { type: "button", onclick: close }, "Cancel");

/** @param {string} email */
const isMe = (email) => email.toLowerCase() === session()?.email.toLowerCase();

/** @param {() => void} changed */
function add(changed) {
    dialog({
        title: "New member",
        body: (close) => form({
            label: "New member",
            submit: "Add the member",
            actions: cancel(() => close()),
            fields: [
                field({ name: "email", label: "E-mail", type: "email",
                    more: { maxlength: 254, autocomplete: "off", "data-focus": true } }),
                field({ name: "password", label: "First password", type: "password", optional: true,
                    hint: "Leave it empty, and you get a link by which the new member chooses one.",
                    more: { minlength: 8, autocomplete: "new-password" } }),
                field({ name: "role", label: "Role", type: "select", options: ROLES }),
            ],
            work: async ({ email, password, role }) => {
                const show = password ? null : await invite(email, role);
                if (password) {
                    await send("POST", PATH, { email, password, role });
                }
                close();
                await show?.();
                notify(`${email} is ${show ? "invited" : "a member now"}.`);
                changed();
            },
        }),
    });
}

/** @param {Member} member @param {() => void} changed */
function changeRole({ id, email, role }, changed) {
    dialog({
        title: `The role of ${email}`,
        body: (close) => form({
            label: "Change the role",
            submit: "Save",
            actions: cancel(() => close()),
            fields: [
                isMe(email) && h("p", { class: "notice warn" }, "This is you. With a lower role you cannot take it " +
                    "back yourself."),
                field({ name: "role", label: "Role", type: "select", options: ROLES, value: role,
                    more: { "data-focus": true } }),
            ],
            work: async (values) => {
                await send("PATCH", PATH, { id, role: values.role });
                close();
                notify(`${email} is ${values.role} now.`);
                changed();
            },
        }),
    });
}

/** @param {Event} event @param {Member} member @param {() => void} changed */
async function remove(event, { id, email }, changed) {
    if (await confirmed(event, {
        title: "Remove this member?",
        text: [foreign(email), " is signed out at once and cannot sign in any more. API keys go on working: revoke " +
            "those that this person knows."],
        action: "Remove the member",
    }, async () => {
        await send("DELETE", PATH, { id });
        return `${email} is removed.`;
    })) {
        changed();
    }
}

/** @param {Event} event @param {Member} member */
const endSessions = (event, { id, email }) => confirmed(event, {
    title: "End the sessions of this member?",
    text: [foreign(email), " is signed out everywhere at once, and may sign in again."],
    action: "End the sessions",
}, async () => {
    await send("DELETE", "/api/sessions/member", { id });
    return `${email} is signed out.`;
});

/** @param {Member} member @param {() => void} changed */
const actions = (member, changed) => h("div", { class: "row end" },
    h("button", { type: "button", class: "small", "aria-label": `Change the role of ${member.email}`,
        onclick: () => changeRole(member, changed) }, "Change role"),
    h("button", { type: "button", class: "small", "aria-label": `Sign out ${member.email}`,
        onclick: (/** @type {Event} */ event) => endSessions(event, member) }, "Sign out"),
    h("button", { type: "button", class: "small danger", "aria-label": `Remove ${member.email}`,
        onclick: (/** @type {Event} */ event) => remove(event, member, changed) }, "Remove"));

/** @param {Member[]} rows @param {() => void} changed */
const list = (rows, changed) => table({
    caption: "Members, newest first",
    rows,
    key: ({ id }) => id,
    columns: [
        { label: "E-mail", head: true, cell: ({ email, invited }) => h("div", null, foreign(email),
            isMe(email) && " (you)", invited && " (invited)") },
        { label: "Role", cell: ({ role }) => h("span", { class: "tag" }, role) },
        { label: "Second factor", cell: ({ secondFactor }) => (secondFactor ? "on" : "off") },
        { label: "Since", cell: ({ createdAt }) => day(createdAt) },
        { label: "", cell: (member) => actions(member, changed) },
    ],
});

/**
 * @param {Context} context
 * @returns {import("../core/router.js").View}
 */
export function openMembers({ root, place, signal, setQuery }) {
    let { query } = place;
    const params = () => ({ cursor: query.get("cursor") });
    const members = live("/api/members", params, { signal, every: 20_000, draw: () => draw() });

    function draw() {
        morph(root, h("section", { class: "card", "aria-labelledby": "members" },
            h("div", { class: "page-head" }, h("h2", { id: "members" }, "Members"), h("div", { class: "spacer" }),
                h("button", { type: "button", class: "primary", onclick: () => add(members.now) }, "New member")),
            shown(members, "members", (rows) => list(rows, members.now)),
            members.data && pages(members, query, setQuery)));
    }
    draw();
    return {
        changed(now) {
            ({ query } = now);
            members.again();
        },
    };
}
