// @ts-check
// What a view shows while it has nothing to show, and why.

import { ApiError } from "../core/http.js";
import { h } from "../core/dom.js";

/** @typedef {import("../core/dom.js").Child} Child */

/**
 * While something is read for the first time.
 * @param {string} what
 * @returns {HTMLElement}
 */
export const loading = (what) => h("div", { class: "state loading", role: "status" },
    h("span", { class: "spinner", "aria-hidden": "true" }), `Loading ${what} …`);

/**
 * There is nothing, and what to do about it.
 * @param {string} title
 * @param {...Child} body
 * @returns {HTMLElement}
 */
export const empty = (title, ...body) => h("div", { class: "state empty" }, h("h2", null, title), body);

/**
 * What an error means, in a sentence.
 * @param {unknown} error
 * @returns {string}
 */
export function explain(error) {
    if (error instanceof ApiError) {
        const again = error.retryAfter ? ` Try again in ${error.retryAfter} s.` : "";
        return error.message + again;
    }
    return error instanceof TypeError && /import|module/i.test(error.message)
        ? "A part of this page could not be loaded: the server does not answer."
        : "This page made a mistake. Loading it again may help.";
}

/**
 * Something could not be read.
 * @param {unknown} error
 * @param {() => void} [again]
 * @returns {HTMLElement}
 */
export function failure(error, again) {
    const id = error instanceof ApiError && error.requestId;
    return h("div", { class: "state error", role: "alert" },
        h("h2", null, "This could not be read"),
        h("p", null, explain(error)),
        id && h("p", { class: "muted small" }, "Request ", h("code", null, id)),
        again && h("button", { type: "button", onclick: again }, "Try again"));
}

/**
 * The role does not suffice.
 * @param {string} role the lowest that does
 * @returns {HTMLElement}
 */
export const noRight = (role) => h("div", { class: "state" },
    h("h1", null, "Not for your role"),
    h("p", null, `This needs the role ${role}. An admin of your company can give it to you.`));

/** @returns {HTMLElement} */
export const notFound = () => h("div", { class: "state" },
    h("h1", null, "There is no such page"),
    h("p", null, h("a", { href: "#/clusters" }, "To the clusters")));

/**
 * What is shown is old, because the newest could not be read.
 * @param {unknown} error
 * @param {number} since ms since 1970
 * @returns {HTMLElement}
 */
export const stale = (error, since) => h("p", { class: "notice warn", role: "status" },
    `Not up to date since ${new Date(since).toLocaleTimeString()}: ${explain(error)}`);
