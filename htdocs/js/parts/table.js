// @ts-check
// Tables that sort, and become a list of cards on a narrow screen.

import { h, hidden } from "../core/dom.js";

/** @typedef {import("../core/dom.js").Child} Child */

/**
 * @template R
 * @typedef {object} Column
 * @property {string} label
 * @property {(row: R) => Child} cell
 * @property {string} [sort] under which name it sorts; without it does not
 * @property {boolean} [down] the first click sorts the largest first
 * @property {boolean} [number] stands at the right
 * @property {boolean} [head] is the heading of its row
 */

/** @param {string} sort "name" or "-name" @param {string} name @param {boolean} [down] */
function following(sort, name, down) {
    if (sort === name) {
        return `-${name}`;
    }
    return sort === `-${name}` || !down ? name : `-${name}`;
}

/** @param {string} sort @param {string | undefined} name */
function direction(sort, name) {
    if (sort === name) {
        return "ascending";
    }
    return name && sort === `-${name}` ? "descending" : null;
}

/** @param {string | null} way */
const arrow = (way) => h("span", { class: "arrow", "aria-hidden": "true" }, way === "ascending" ? "▲" : way && "▼");

/**
 * What has several parts is one thing beside its label on a narrow screen.
 * @param {Child} content
 */
const inOne = (content) => (Array.isArray(content) ? h("div", { class: "cell" }, content) : content);

/**
 * @template R
 * @typedef {object} Table
 * @property {string} caption
 * @property {Column<R>[]} columns
 * @property {R[]} rows sorted already
 * @property {(row: R) => string} key
 * @property {string} [sort] "name", or "-name": the largest first
 * @property {(sort: string) => void} [onsort]
 * @property {(row: R) => string} [rowClass]
 * @property {boolean} [small] stays a table on narrow screens
 */

/**
 * A table.
 * @template R
 * @param {Table<R>} what
 * @returns {HTMLElement}
 */
export function table({ caption, columns, rows, key, sort = "", onsort, rowClass, small = false }) {
    const head = columns.map((column) => {
        const { sort: name, label, number, down } = column;
        const button = name && onsort && h("button", { type: "button", class: "sort",
            onclick: () => onsort(following(sort, name, down)) }, label, arrow(direction(sort, name)));
        return h("th", { scope: "col", class: number ? "number" : null, "aria-sort": direction(sort, name) },
            button || label || hidden("Actions"));
    });
    const body = rows.map((row) => h("tr", { key: key(row), class: rowClass?.(row) },
        columns.map(({ label, cell, number, head: isHead }) => h(isHead ? "th" : "td", {
            scope: isHead ? "row" : null, class: number ? "number" : null, "data-label": label,
        }, inOne(cell(row))))));
    return h("div", { class: small ? "table small-table" : "table" }, h("table", null,
        h("caption", { class: "visually-hidden" }, caption),
        h("thead", null, h("tr", null, head)), h("tbody", null, body)));
}

/**
 * Sorts by what `by` gives for a name; nothing goes last.
 * @template R
 * @param {R[]} rows
 * @param {string} sort "name" or "-name"
 * @param {{[name: string]: (row: R) => string | number | null | undefined}} by
 * @returns {R[]}
 */
export function sorted(rows, sort, by) {
    const name = sort.replace(/^-/, "");
    const get = Object.hasOwn(by, name) ? by[name] : null;
    const sign = sort.startsWith("-") ? -1 : 1;
    if (!get) {
        return rows;
    }
    const order = new Intl.Collator("en", { numeric: true });
    return [...rows].sort((one, other) => {
        const a = get(one) ?? null;
        const b = get(other) ?? null;
        if (a === null || b === null) {
            return Number(a === null) - Number(b === null);
        }
        return sign * (typeof a === "number" && typeof b === "number" ? a - b : order.compare(String(a), String(b)));
    });
}

/**
 * Which page of a list that is all there, and the buttons to turn it.
 * @template R
 * @param {R[]} rows
 * @param {number} page from 1; what is no number is the first
 * @param {number} size
 * @param {(page: number) => void} turn
 * @returns {{rows: R[], pager: HTMLElement | null}}
 */
export function paged(rows, page, size, turn) {
    const pages = Math.max(1, Math.ceil(rows.length / size));
    const now = Math.min(Math.max(1, Math.trunc(page) || 1), pages);
    const button = (/** @type {string} */ text, /** @type {number} */ to) => h("button",
        { type: "button", disabled: to < 1 || to > pages, onclick: () => turn(to) }, text);
    return {
        rows: rows.slice((now - 1) * size, now * size),
        pager: pages < 2 ? null : h("nav", { class: "pager", "aria-label": "Pages" }, button("Previous", now - 1),
            h("span", null, `Page ${now} of ${pages} · ${rows.length} in all`), button("Next", now + 1)),
    };
}
