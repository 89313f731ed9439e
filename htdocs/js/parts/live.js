// @ts-check
// What a view shows of one route that is read again and again: loading, failed, old, or the answer; and
// the pages of a long list, whose place is in the address.

import { h } from "../core/dom.js";
import { poll } from "../core/poll.js";
import { failure, loading, stale } from "./states.js";

/** @typedef {import("../core/dom.js").Child} Child */
/** @typedef {import("../core/types.js").Reads} Reads */
/** @typedef {import("../core/api.js").Params} Params */

/**
 * @template T
 * @typedef {object} Live
 * @property {T | null} data null until the first answer
 * @property {unknown} error of the last attempt, null when it went well
 * @property {number} good when the last answer came, in ms since 1970
 * @property {string} next the cursor of the next page, "" when there is none
 * @property {() => void} now asks at once
 * @property {() => void} again forgets the answer and asks anew
 * @property {() => void} stop
 */

/** @param {string} target of the next page @returns {string} */
const cursorOf = (target) => (target ? new URL(target, location.origin).searchParams.get("cursor") ?? "" : "");

/**
 * Reads a route as long as the view is open. An answer to a question that is no longer asked is not shown.
 * @template {keyof Reads} P
 * @param {P} path
 * @param {() => Params} params
 * @param {{signal: AbortSignal, every?: number, active?: () => boolean, draw: () => void}} how draw: called after
 *   every change
 * @returns {Live<Reads[P]>}
 */
export function live(path, params, { signal, every = 10_000, active, draw }) {
    let asked = "";
    const question = () => JSON.stringify(params());
    const nothing = () => undefined;
    /** @type {Live<Reads[P]>} */
    const state = { data: null, error: null, good: 0, next: "", now: nothing, again: nothing, stop: nothing };
    const poller = poll(path, () => {
        const now = params();
        asked = JSON.stringify(now);
        return now;
    }, {
        every, signal, active,
        show: (data, answer) => {
            if (asked === question()) {
                Object.assign(state, { data, next: cursorOf(answer.next) });
                draw();
            }
        },
        well: () => {
            const before = state.error;
            Object.assign(state, { error: null, good: Date.now() });
            if (before) {
                draw();
            }
        },
        failed: (error) => {
            state.error = error;
            draw();
        },
    });
    state.now = poller.now;
    state.stop = poller.stop;
    state.again = () => {
        Object.assign(state, { data: null, error: null });
        draw();
        poller.anew();
    };
    return state;
}

/**
 * Loading, failed, or what `body` makes of the answer, with a notice when it is old.
 * @template T
 * @param {Live<T>} state
 * @param {string} what is read: "decisions"
 * @param {(data: T) => Child} body
 * @returns {Child}
 */
export function shown(state, what, body) {
    if (state.data === null) {
        return state.error ? failure(state.error, state.again) : loading(what);
    }
    // The notice lies over the list: it moves nothing when it comes and goes.
    return [h("div", { class: "over" }, state.error ? stale(state.error, state.good) : null), body(state.data)];
}

/**
 * The buttons to the newest and to older pages.
 * @param {{next: string}} state
 * @param {URLSearchParams} query
 * @param {(changes: {cursor: string}, push: boolean) => void} setQuery
 * @returns {HTMLElement | null}
 */
export function pages(state, query, setQuery) {
    const cursor = query.get("cursor") ?? "";
    const turn = (/** @type {string} */ to) => () => {
        setQuery({ cursor: to }, true);
        document.getElementById("main")?.focus();
    };
    return !cursor && !state.next ? null : h("nav", { class: "pager", "aria-label": "Pages" },
        h("button", { type: "button", disabled: !cursor, onclick: turn("") }, "Newest"),
        h("button", { type: "button", disabled: !state.next, onclick: turn(state.next) }, "Older"));
}
