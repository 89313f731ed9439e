// @ts-check
// The API for views: with the session's token, which is replaced or wiped when the server refuses it.

import { address, ApiError, request } from "./http.js";
import { checkRole, refused, session } from "./session.js";

export { address, ApiError, isAbort, serverNow } from "./http.js";

/** @typedef {import("./types.js").Reads} Reads */
/** @typedef {{[name: string]: string | number | null | undefined}} Params */

/**
 * @template T
 * @typedef {object} Answer
 * @property {T} data
 * @property {string} text the body as it came
 * @property {string} etag "" when the route has none
 * @property {string} next the target of the next page, "" when there is none
 * @property {Headers} headers
 */

/** A password or a code was wrong: the session is as good as before. */
const PROOFS = ["bad_login", "bad_code"];

/**
 * @param {string} target
 * @param {import("./http.js").Ask} ask
 * @returns {Promise<Response>}
 */
async function authorized(target, ask) {
    const token = session()?.token;
    if (!token) {
        throw new ApiError(401, "unauthorized", "You are not signed in.");
    }
    try {
        return await request(target, { ...ask, token });
    } catch (error) {
        if (!(error instanceof ApiError)) {
            throw error;
        }
        if (error.status === 401 && !PROOFS.includes(error.code) && await refused(token)) {
            return authorized(target, ask);
        }
        if (error.code === "forbidden_role" || error.code === "needs_second_factor") {
            checkRole().catch(() => null);
        }
        throw error;
    }
}

/** @param {Response} response */
function nextOf(response) {
    const found = /<([^>]*)>;\s*rel="next"/.exec(response.headers.get("Link") ?? "");
    return found ? found[1] : "";
}

/**
 * Reads; undefined when the answer is still the one of `etag`.
 * @template {keyof Reads} P
 * @param {P} path
 * @param {Params} [params]
 * @param {{signal?: AbortSignal, etag?: string, next?: string}} [ask] next: that page, instead of the first
 * @returns {Promise<Answer<Reads[P]> | undefined>}
 */
export async function getIfChanged(path, params = {}, ask = {}) {
    const response = await authorized(ask.next || address(path, params), { signal: ask.signal, etag: ask.etag });
    if (response.status === 304) {
        return undefined;
    }
    const text = await response.text();
    return {
        data: /** @type {Reads[P]} */ (JSON.parse(text)),
        text,
        etag: response.headers.get("ETag") ?? "",
        next: nextOf(response),
        headers: response.headers,
    };
}

/**
 * Reads.
 * @template {keyof Reads} P
 * @param {P} path
 * @param {Params} [params]
 * @param {{signal?: AbortSignal, next?: string}} [ask]
 * @returns {Promise<Answer<Reads[P]>>}
 */
export async function get(path, params = {}, ask = {}) {
    const answer = await getIfChanged(path, params, ask);
    return /** @type {Answer<Reads[P]>} */ (answer);
}

/**
 * All pages of a list, one after another, up to `most` entries.
 * @template {keyof Reads} P
 * @param {P} path
 * @param {Params} params
 * @param {{signal?: AbortSignal, most?: number}} [ask]
 * @returns {Promise<Reads[P]>}
 */
export async function getAll(path, params, ask = {}) {
    const { signal, most = 20_000 } = ask;
    let answer = await get(path, { limit: 1000, ...params }, { signal });
    /** @type {unknown[]} */
    const all = [.../** @type {unknown[]} */ (answer.data)];
    while (answer.next && all.length < most) {
        answer = await get(path, {}, { signal, next: answer.next });
        all.push(.../** @type {unknown[]} */ (answer.data));
    }
    return /** @type {Reads[P]} */ (all);
}

/**
 * Changes something.
 * @param {"POST" | "PATCH" | "DELETE"} method
 * @param {string} path
 * @param {object} body
 * @returns {Promise<{[member: string]: unknown}>}
 */
export async function send(method, path, body) {
    const response = await authorized(path, { method, body });
    return response.json();
}

/**
 * The whole body: the server may go away in the middle of it.
 * @param {Response} response
 */
async function wholeBody(response) {
    try {
        return await response.blob();
    } catch {
        throw new ApiError(0, "broken_off", "The server broke off in the middle of the file. Nothing was saved.");
    }
}

/**
 * The pages that follow one of a CSV, each without its header.
 * @param {Response} first
 * @returns {Promise<string[]>}
 */
async function followingPages(first) {
    const pages = [];
    for (let next = nextOf(first); next;) {
        const response = await authorized(next, {});
        const text = await (await wholeBody(response)).text();
        pages.push(text.slice(text.indexOf("\n") + 1));
        next = nextOf(response);
    }
    return pages;
}

/**
 * Reads a file with the session's token, with all pages where it has several, and hands it to the browser to save.
 * @param {string} path
 * @param {Params} params
 * @param {string} name of the file when the server gives none
 * @returns {Promise<string>} the name it was saved by
 */
export async function download(path, params, name) {
    const response = await authorized(address(path, params), {});
    const first = await wholeBody(response);
    const blob = new Blob([first, ...await followingPages(response)], { type: first.type });
    const given = /filename="([^"]+)"/.exec(response.headers.get("Content-Disposition") ?? "");
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = given ? given[1] : name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    return link.download;
}
