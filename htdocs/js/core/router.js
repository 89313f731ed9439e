// @ts-check
// The address is the view: #/clusters/production/risks?severity=high. Everything that a link should
// bring back is in it.

/**
 * @typedef {object} Place
 * @property {string} path
 * @property {{[name: string]: string}} params of the path, decoded
 * @property {URLSearchParams} query
 */

/**
 * What a view gets when it is opened.
 * @typedef {object} Context
 * @property {HTMLElement} root where it draws
 * @property {Place} place
 * @property {AbortSignal} signal aborted when the view is left
 * @property {() => boolean} [active] whether somebody sees this part of the view
 * @property {(text: string) => void} setTitle
 * @property {(changes: {[name: string]: string | number | null | undefined}, push?: boolean) => void} setQuery
 *   changes the query of the address; null, undefined and "" take a parameter away. Calls changed(). With `push`
 *   the Back button leads to what was before.
 */

/**
 * @typedef {object} View
 * @property {(place: Place) => void} [changed] the address has changed, but not the view
 */

/**
 * @typedef {object} Route
 * @property {string} path with :names; a name with ? at its end may be missing
 * @property {string} title
 * @property {() => Promise<{open: (context: Context) => View | void}>} load
 * @property {string[]} [same] names of params; while these are the same it is the same view
 * @property {boolean} [open] for people who are not signed in
 * @property {boolean} [always] and, as it is, for those who are
 * @property {"operator" | "admin"} [role] the lowest that may see it
 * @property {string} [nav] its text in the navigation
 */

/**
 * @param {string} hash
 * @returns {{path: string, query: URLSearchParams}}
 */
export function parseHash(hash) {
    const text = hash.replace(/^#/, "");
    const at = text.indexOf("?");
    return {
        path: at < 0 ? text : text.slice(0, at),
        query: new URLSearchParams(at < 0 ? "" : text.slice(at + 1)),
    };
}

/** @param {string} text */
function decoded(text) {
    try {
        return decodeURIComponent(text);
    } catch {
        return text;
    }
}

/**
 * The params of a path that fits a pattern, else null.
 * @param {string} pattern
 * @param {string} path
 * @returns {{[name: string]: string} | null}
 */
export function match(pattern, path) {
    const wanted = pattern.split("/");
    const have = path.split("/");
    /** @type {{[name: string]: string}} */
    const params = {};
    if (have.length > wanted.length) {
        return null;
    }
    for (let i = 0; i < wanted.length; i += 1) {
        const name = wanted[i];
        const value = have[i];
        if (name.startsWith(":")) {
            if (!value && !name.endsWith("?")) {
                return null;
            }
            params[name.replace(/[:?]/g, "")] = decoded(value ?? "");
        } else if (name !== value) {
            return null;
        }
    }
    return params;
}

/**
 * An address of this page.
 * @param {string[]} parts of the path
 * @param {{[name: string]: string | number | null | undefined}} [query]
 * @returns {string} beginning with #
 */
export function link(parts, query = {}) {
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) {
        if (value !== null && value !== undefined && value !== "") {
            search.set(name, String(value));
        }
    }
    const text = search.toString();
    return `#/${parts.map(encodeURIComponent).join("/")}${text ? `?${text}` : ""}`;
}

/**
 * Goes to an address of this page.
 * @param {string} hash
 * @param {boolean} [replace] Back does not lead to where we are
 */
export function go(hash, replace = false) {
    if (replace) {
        history.replaceState(null, "", hash);
        window.dispatchEvent(new HashChangeEvent("hashchange"));
    } else {
        location.hash = hash;
    }
}

/**
 * Changes the query of the address and nothing else.
 * @param {{[name: string]: string | number | null | undefined}} changes
 * @param {boolean} push
 */
export function changeQuery(changes, push) {
    const { path, query } = parseHash(location.hash);
    for (const [name, value] of Object.entries(changes)) {
        if (value === null || value === undefined || value === "") {
            query.delete(name);
        } else {
            query.set(name, String(value));
        }
    }
    const text = query.toString();
    const hash = `#${path}${text ? `?${text}` : ""}`;
    if (hash !== location.hash) {
        history[push ? "pushState" : "replaceState"](null, "", hash);
    }
}
