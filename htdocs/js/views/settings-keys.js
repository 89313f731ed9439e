// @ts-check
// API keys: made, shown once, revoked.

import { h, morph } from "../core/dom.js";
import { send } from "../core/api.js";
import { can } from "../core/session.js";
import { confirmed } from "../parts/confirmed.js";
import { live, pages, shown } from "../parts/live.js";
import { foreign } from "../parts/names.js";
import { empty } from "../parts/states.js";
import { table } from "../parts/table.js";
import { ago, day, millis, timeAgo } from "../parts/time.js";
import { serverNow } from "../core/http.js";
import { newKey, SCOPES } from "./settings-key.js";
import { keyLifetime } from "./settings-lifetime.js";

/** @typedef {import("../core/router.js").Context} Context */
/** @typedef {import("../core/types.js").Key} Key */

/** @param {Key} key */
function expiry({ expiresAt }) {
    if (expiresAt && millis(expiresAt) < serverNow()) {
        return h("div", null, h("span", { class: "tag bad" }, "expired"), " ", day(expiresAt));
    }
    return day(expiresAt);
}

/** @param {Key} key */
const bounds = ({ clusters, addresses }) => h("div", { class: "small" },
    h("div", null, clusters ? foreign(clusters.join(", ")) : "all clusters"),
    addresses && h("div", { class: "muted" }, "from ", foreign(addresses.join(", "))));

/** @param {Event} event @param {Key} key @param {() => void} changed */
async function revoke(event, { id, name, prefix, lastUsedAt }, changed) {
    const used = lastUsedAt ? `It was last used ${ago(lastUsedAt)}.` : "It was never used.";
    if (await confirmed(event, {
        title: "Revoke this key?",
        text: [foreign(name), ` (${prefix || "an older key"}…) is refused from then on. ${used} This cannot be ` +
            "undone."],
        action: "Revoke the key",
    }, async () => {
        await send("DELETE", "/api/keys", { id });
        return `The key ${name} is revoked.`;
    })) {
        changed();
    }
}

/** @param {Key[]} rows @param {() => void} changed */
function list(rows, changed) {
    const columns = [
        { label: "Name", head: true, cell: (/** @type {Key} */ { name }) => foreign(name) },
        { label: "Scope", cell: (/** @type {Key} */ { scope }) => h("div", null, h("span", { class: "tag" }, scope),
            h("div", { class: "small muted" }, SCOPES[scope])) },
        { label: "Begins with", cell: (/** @type {Key} */ { prefix }) => prefix && h("code", null, `${prefix}…`) },
        { label: "Good for", cell: bounds },
        { label: "Last used", cell: (/** @type {Key} */ { lastUsedAt, unused }) => h("div", null, timeAgo(lastUsedAt),
            unused && h("span", { class: "tag bad" }, "unused")) },
        { label: "Expires", cell: expiry },
        { label: "Created", cell: (/** @type {Key} */ { createdAt }) => day(createdAt) },
        { label: "", cell: (/** @type {Key} */ key) => h("button", { type: "button", class: "small danger",
            "aria-label": `Revoke ${key.name}`,
            onclick: (/** @type {Event} */ event) => revoke(event, key, changed) }, "Revoke") },
    ];
    return table({
        caption: "API keys, newest first",
        rows,
        key: ({ id }) => id,
        columns: can("admin") ? columns : columns.slice(0, -1),
    });
}

const none = () => empty("There is no key", h("p", null, "Agents push snapshots with a key, and CI asks the gate " +
    "with one."));

/**
 * @param {Context} context
 * @returns {import("../core/router.js").View}
 */
export function openKeys({ root, place, signal, setQuery }) {
    let { query } = place;
    const params = () => ({ cursor: query.get("cursor") });
    const keys = live("/api/keys", params, { signal, every: 20_000, draw: () => draw() });

    function draw() {
        morph(root, h("section", { class: "card", "aria-labelledby": "keys" },
            h("div", { class: "page-head" }, h("h2", { id: "keys" }, "API keys"), h("div", { class: "spacer" }),
                can("admin") && h("button", { type: "button", onclick: keyLifetime }, "Key lifetime"),
                can("admin") && h("button", { type: "button", class: "primary", onclick: () => newKey(keys.now) },
                    "New key")),
            !can("admin") && h("p", { class: "hint" }, "An admin makes and revokes keys."),
            shown(keys, "API keys", (rows) => (rows.length ? list(rows, keys.now) : none())),
            keys.data && pages(keys, query, setQuery)));
    }
    draw();
    return {
        changed(now) {
            ({ query } = now);
            keys.again();
        },
    };
}
