// @ts-check
// A view of several parts, each with its own address, of which one is open.

import { announce, h, morph } from "../core/dom.js";
import { link } from "../core/router.js";
import { can } from "../core/session.js";
import { empty } from "./states.js";

/** @typedef {import("../core/router.js").Context} Context */
/** @typedef {import("../core/router.js").View} View */
/** @typedef {import("../core/router.js").Place} Place */

/**
 * @typedef {object} Tab
 * @property {string} name in the address; that of the first is left out
 * @property {string} title
 * @property {(context: Context) => View | void} open
 * @property {"operator" | "admin"} [role] the lowest that may see it
 */

/**
 * Opens the tab of the address, and another one when the address changes.
 * @param {Context} context
 * @param {{title: string, path: string, tabs: Tab[]}} what
 * @returns {View}
 */
export function openTabs(context, { title, path, tabs }) {
    const { root, signal, setTitle } = context;
    const head = h("div", null);
    const body = h("div", null);
    let stop = new AbortController();
    /** @type {string | null} */
    let current = null;
    /** @type {View | void} */
    let view;
    signal.addEventListener("abort", () => stop.abort());

    /** @param {Tab | undefined} open */
    function drawHead(open) {
        const allowed = tabs.filter(({ role }) => !role || can(role));
        morph(head, h("div", { class: "page-head" }, h("h1", null, title)),
            h("nav", { "aria-label": title }, h("ul", { class: "tabs" }, allowed.map((tab) => h("li", null,
                h("a", { href: link(tab === tabs[0] ? [path] : [path, tab.name]),
                    "aria-current": tab === open ? "page" : null }, tab.title))))));
    }

    /** @param {Place} place */
    function show(place) {
        const name = place.params.tab || tabs[0].name;
        if (name === current) {
            view?.changed?.(place);
            return;
        }
        const tab = tabs.find((one) => one.name === name);
        stop.abort();
        stop = new AbortController();
        setTitle(tab ? `${tab.title} · ${title}` : "Not found");
        if (current !== null) {
            announce(document.title);
        }
        current = name;
        drawHead(tab);
        // What the last tab still draws is not seen.
        const inside = h("div", null);
        body.replaceChildren(inside);
        view = undefined;
        if (!tab) {
            morph(inside, empty("There is no such page", h("p", null, "Choose another one above.")));
        } else if (tab.role && !can(tab.role)) {
            morph(inside, empty("Not for your role", h("p", null, `This needs the role ${tab.role}. An admin of your ` +
                "company can give it to you.")));
        } else {
            view = tab.open({ ...context, root: inside, place, signal: stop.signal });
        }
    }

    root.replaceChildren(head, body);
    show(context.place);
    return { changed: show };
}
