// @ts-check
// The audit trail: who did what, from where, and how it ended.

import { h, morph } from "../core/dom.js";
import { download } from "../core/api.js";
import { perform } from "../parts/dialog.js";
import { filterBar } from "../parts/filters.js";
import { live, pages, shown } from "../parts/live.js";
import { foreign } from "../parts/names.js";
import { empty } from "../parts/states.js";
import { table } from "../parts/table.js";
import { fullMoment } from "../parts/time.js";
import { ACTIONS } from "./settings-actions.js";

/** @typedef {import("../core/router.js").Context} Context */
/** @typedef {import("../core/types.js").AuditEntry} AuditEntry */

const PAGE = 100;

/** @type {import("../parts/filters.js").Filter[]} */
const FILTERS = [
    { name: "action", label: "Action", type: "select",
        options: [["", "All actions"], ...ACTIONS.map((one) => /** @type {[string, string]} */ ([one, one]))] },
    { name: "actor", label: "Who", type: "text", placeholder: "e-mail or name of a key" },
    { name: "from", label: "Since", type: "time" },
    { name: "to", label: "Until", type: "time" },
];

/** @param {URLSearchParams} query */
const narrowed = (query) => ({
    action: query.get("action"),
    actor: query.get("actor"),
    from: query.get("from"),
    to: query.get("to"),
});

/** @param {AuditEntry[]} rows */
const list = (rows) => table({
    caption: "Audit trail, newest first",
    rows,
    key: ({ id }) => id,
    columns: [
        { label: "When", head: true, cell: ({ timestamp }) => fullMoment(timestamp) },
        { label: "Action", cell: ({ action }) => h("code", { class: "nowrap" }, action) },
        { label: "Who", cell: ({ actor }) => (actor ? foreign(actor) : h("span", { class: "muted" }, "nobody known")) },
        { label: "Address", cell: ({ address }) => address && foreign(address) },
        { label: "What", cell: ({ subject }) => h("div", { class: "clamp" }, foreign(subject)) },
        { label: "Result", cell: ({ result }) => h("span", { class: result === "ok" ? "tag good" : "tag bad" },
            result) },
    ],
});

/**
 * @param {Context} context
 * @returns {import("../core/router.js").View}
 */
export function openAudit({ root, place, signal, setQuery }) {
    let { query } = place;
    const params = () => ({ ...narrowed(query), cursor: query.get("cursor"), limit: PAGE });
    const entries = live("/api/audit", params, { signal, every: 15_000, draw: () => draw() });

    const save = (/** @type {Event} */ event) => perform(event, async () => {
        const name = await download("/api/audit", { ...narrowed(query), limit: 1000, format: "csv" }, "audit.csv");
        return `Saved as ${name}.`;
    });

    function draw() {
        morph(root, h("section", { class: "card", "aria-labelledby": "audit" },
            h("div", { class: "page-head" }, h("h2", { id: "audit" }, "Audit trail"), h("div", { class: "spacer" }),
                h("button", { type: "button", onclick: save }, "Download CSV")),
            filterBar(FILTERS, query, setQuery),
            shown(entries, "the audit trail", (rows) => (rows.length ? list(rows)
                : empty("No entry fits", h("p", null, "Take a filter away.")))),
            entries.data && pages(entries, query, setQuery)));
    }
    draw();
    return {
        changed(now) {
            ({ query } = now);
            entries.again();
        },
    };
}
