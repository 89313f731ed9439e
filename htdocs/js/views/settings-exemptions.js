// @ts-check
// Exemptions: which risks have been accepted, by whom, why, until when, and what they would cost.

import { h, morph } from "../core/dom.js";
import { send } from "../core/api.js";
import { can } from "../core/session.js";
import { confirmed } from "../parts/confirmed.js";
import { live, pages, shown } from "../parts/live.js";
import { clusterLink, foreign } from "../parts/names.js";
import { empty } from "../parts/states.js";
import { table } from "../parts/table.js";
import { endOf, timeAgo } from "../parts/time.js";

/** @typedef {import("../core/router.js").Context} Context */
/** @typedef {import("../core/types.js").Exemption} Exemption */

/** What a state means, in words. */
const STATES = {
    pending: "counts from the next push on",
    active: "",
    unused: "no finding is like that",
    expired: "the findings count again",
    ended: "",
};

/** @param {Exemption} one @returns {string} */
const whereOf = ({ namespace, resource }) => [namespace, resource].filter(Boolean).join(" ") || "everything";

/** @param {Exemption} one */
function state({ state: name, risks, wouldCost, countAgain }) {
    const bad = name === "expired" || name === "unused";
    const numbers = countAgain ? `${countAgain} count again` : risks ? `${risks} exempt, −${wouldCost.toFixed(2)}` : "";
    return h("div", null, h("span", { class: bad ? "tag bad" : "tag" }, name),
        h("div", { class: "small muted" }, numbers || STATES[name]));
}

/** @param {Event} event @param {Exemption} one @param {() => void} changed */
async function end(event, one, changed) {
    if (await confirmed(event, {
        title: "End this exemption?",
        text: [h("code", null, one.check), " of ", foreign(whereOf(one)), " counts again from the next push on. To " +
            "accept it once more, make another exemption."],
        action: "End the exemption",
    }, async () => {
        await send("DELETE", "/api/exemptions", { id: one.id });
        return `The exemption of ${one.check} has ended.`;
    })) {
        changed();
    }
}

/** @param {Exemption[]} rows @param {() => void} changed */
function list(rows, changed) {
    const columns = [
        { label: "Check", head: true, cell: (/** @type {Exemption} */ { check }) => h("code", null, check) },
        { label: "Of", cell: (/** @type {Exemption} */ one) => h("div", null, foreign(whereOf(one)),
            h("div", { class: "small" }, clusterLink(one.clusterId))) },
        { label: "State", cell: state },
        { label: "Reason", cell: (/** @type {Exemption} */ { reason }) => foreign(reason) },
        { label: "Owner", cell: (/** @type {Exemption} */ { owner, createdBy }) => h("div", null, foreign(owner),
            h("div", { class: "small muted" }, "by ", foreign(createdBy))) },
        { label: "Until", cell: (/** @type {Exemption} */ { expires }) => h("div", null, endOf(expires),
            h("div", { class: "small muted" }, timeAgo(expires))) },
        { label: "", cell: (/** @type {Exemption} */ one) => h("button", { type: "button", class: "small danger",
            "aria-label": `End the exemption of ${one.check}`,
            onclick: (/** @type {Event} */ event) => end(event, one, changed) }, "End") },
    ];
    return table({
        caption: "Exemptions that nobody has ended, newest first",
        rows,
        key: ({ id }) => id,
        columns: can("operator") ? columns : columns.slice(0, -1),
    });
}

const none = () => empty("Nothing is exempt", h("p", null, "Every finding counts. An operator accepts a risk for a " +
    "time where it is listed: open it on its cluster's page."));

/**
 * @param {Context} context
 * @returns {import("../core/router.js").View}
 */
export function openExemptions({ root, place, signal, setQuery }) {
    let { query } = place;
    const params = () => ({ cursor: query.get("cursor") });
    const exemptions = live("/api/exemptions", params, { signal, every: 20_000, draw: () => draw() });

    function draw() {
        morph(root, h("section", { class: "card", "aria-labelledby": "exemptions" },
            h("h2", { id: "exemptions" }, "Exemptions"),
            h("p", { class: "hint above" }, "Risks that somebody has accepted. They cost nothing until the exemption " +
                "expires."),
            shown(exemptions, "exemptions", (rows) => (rows.length ? list(rows, exemptions.now) : none())),
            exemptions.data && pages(exemptions, query, setQuery)));
    }
    draw();
    return {
        changed(now) {
            ({ query } = now);
            exemptions.again();
        },
    };
}
