// @ts-check
// The API for views: with the session's token, which is replaced or wiped when the server refuses it.

import { address, ApiError, request, requestFile } from "./http.js";
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
 * @template T
 * @param {(target: string, ask: import("./http.js").Ask) => Promise<T>} asking request() or its like
 * @param {string} target
 * @param {import("./http.js").Ask} ask
 * @returns {Promise<T>}
 */
async function authorized(asking, target, ask) {
    const token = session()?.token;
    if (!token) {
        throw new ApiError(401, "unauthorized", "You are not signed in.");
    }
    try {
        return await asking(target, { ...ask, token });
    } catch (error) {
        if (!(error instanceof ApiError)) {
            throw error;
        }
        if (error.status === 401 && !PROOFS.includes(error.code) && await refused(token)) {
            return authorized(asking, target, ask);
        }
        if (error.code === "forbidden_role" || error.code === "needs_second_factor") {
            checkRole().catch(() => null);
        }
        throw error;
    }
}

/** @param {Headers} headers */
function nextOf(headers) {
    const found = /<([^>]*)>;\s*rel="next"/.exec(headers.get("Link") ?? "");
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
    const target = ask.next || address(path, params);
    const { headers, unchanged, text, data } = await authorized(request, target,
        { signal: ask.signal, etag: ask.etag });
    return unchanged ? undefined
        : { data, text, etag: headers.get("ETag") ?? "", next: nextOf(headers), headers };
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
    return (await authorized(request, path, { method, body })).data;
}

/**
 * One page of a file, or the whole of it.
 * @param {string} target
 */
async function readFile(target) {
    try {
        return await authorized(requestFile, target, {});
    } catch (error) {
        throw error instanceof ApiError && error.code === "broken_off"
            ? new ApiError(0, error.code, `${error.message} Nothing was saved.`) : error;
    }
}

/**
 * The pages that follow one of a CSV, each without its header.
 * @param {Headers} first
 * @returns {Promise<string[]>}
 */
async function followingPages(first) {
    const pages = [];
    for (let next = nextOf(first); next;) {
        const { headers, file } = await readFile(next);
        const text = await file.text();
        pages.push(text.slice(text.indexOf("\n") + 1));
        next = nextOf(headers);
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
    const { headers, file } = await readFile(address(path, params));
    const blob = new Blob([file, ...await followingPages(headers)], { type: file.type });
    const given = /filename="([^"]+)"/.exec(headers.get("Content-Disposition") ?? "");
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = given ? given[1] : name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    return link.download;
}
