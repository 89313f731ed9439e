// @ts-check
// Starts the page: whose session, which view.

import { announce, morph } from "./core/dom.js";
import { changeQuery, go, link, match, parseHash } from "./core/router.js";
import { finish, takeReturn } from "./core/oidc.js";
import { adopt, can, onSession, resume, session } from "./core/session.js";
import { dismissNotices, notify } from "./parts/dialog.js";
import { explain, failure, noRight, notFound } from "./parts/states.js";
import { drawShell, watchConnection } from "./shell.js";
import { routes } from "./routes.js";

/** @typedef {import("./core/router.js").Route} Route */
/** @typedef {import("./core/router.js").Place} Place */

const main = /** @type {HTMLElement} */ (document.getElementById("main"));

/** @typedef {import("./core/router.js").View | void} View */
/** @typedef {{route: Route, identity: string, stop: AbortController, view?: View}} Opened */

/** Where somebody belongs who has to set up a second factor before anything else. */
const SETUP = "/second-factor";

/** @type {Opened | null} */
let current = null;

/** @param {string} path @returns {{route: Route, params: {[name: string]: string}} | null} */
function find(path) {
    for (const route of routes) {
        const params = match(route.path, path);
        if (params) {
            return { route, params };
        }
    }
    return null;
}

/** @param {string} text */
function setTitle(text) {
    document.title = `${text} · Loadline`;
}

function close() {
    current?.stop.abort();
    current = null;
}

/**
 * An empty place for a view, so that what an earlier one still draws is not seen.
 * @returns {HTMLElement}
 */
function freshRoot() {
    const root = document.createElement("div");
    root.className = "view";
    main.replaceChildren(root);
    return root;
}

/**
 * The focus goes to the first input of a form, else to the beginning of the view.
 * @param {HTMLElement} root
 * @param {boolean} first whether the page has just been loaded
 */
function arrive(root, first) {
    const input = /** @type {HTMLElement | null} */ (root.querySelector("[data-focus]"));
    if (!first) {
        window.scrollTo(0, 0);
        announce(document.title);
    }
    if (input || !first) {
        (input ?? main).focus({ preventScroll: true });
    }
}

/** @param {Route} route @param {Place} place */
async function open(route, place) {
    const first = current === null && !main.dataset.opened;
    close();
    const stop = new AbortController();
    /** @type {Opened} */
    const opened = { route, identity: identityOf(route, place), stop };
    current = opened;
    const root = freshRoot();
    main.dataset.opened = "yes";
    setTitle(route.title);
    drawShell(route);
    if (route.role && !can(route.role)) {
        morph(root, noRight(route.role));
        return;
    }
    try {
        const module = await route.load();
        if (stop.signal.aborted) {
            return;
        }
        opened.view = module.open({ root, place, signal: stop.signal, setTitle, setQuery });
    } catch (error) {
        morph(root, failure(error, () => open(route, place)));
    }
    arrive(root, first);
}

/** @param {Route} route @param {Place} place */
function identityOf(route, { path, params }) {
    return route.same ? route.path + route.same.map((name) => `/${params[name]}`).join("") : path;
}

/** @type {import("./core/router.js").Context["setQuery"]} */
function setQuery(changes, push = false) {
    changeQuery(changes, push);
    const { path, query } = parseHash(location.hash);
    const found = find(path);
    if (found) {
        current?.view?.changed?.({ path, params: found.params, query });
    }
}

/**
 * Where somebody belongs who is signed in.
 * @param {Route | null} route
 * @param {string} path
 */
function elsewhereInside(route, path) {
    const { query } = parseHash(location.hash);
    const next = query.get("next") ?? "";
    if (session()?.setup) {
        return path === SETUP || route?.always ? null : `#${SETUP}`;
    }
    const outside = ["", "/", SETUP].includes(path) || (route?.open && !route.always && !query.has("stay"));
    const wanted = route?.open && next.startsWith("/") ? `#${next}` : "#/clusters";
    return outside ? wanted : null;
}

/**
 * Where somebody belongs who came to a place that is not for them now.
 * @param {Route | null} route
 * @param {string} path
 */
function elsewhere(route, path) {
    if (session()) {
        return elsewhereInside(route, path);
    }
    if (path === "" || path === "/") {
        return "#/signin";
    }
    return route?.open ? null : link(["signin"], { next: location.hash.slice(1) });
}

function show() {
    const { path, query } = parseHash(location.hash);
    const found = find(path);
    const other = elsewhere(found?.route ?? null, path);
    if (other) {
        go(other, true);
        return;
    }
    if (!found) {
        close();
        setTitle("Not found");
        drawShell(null);
        morph(freshRoot(), notFound());
        return;
    }
    const place = { path, params: found.params, query };
    if (current?.route === found.route && current.identity === identityOf(found.route, place)) {
        drawShell(found.route);
        current.view?.changed?.(place);
    } else {
        open(found.route, place);
    }
}

onSession((now, reason) => {
    if (!now) {
        close();
        dismissNotices();
        const here = parseHash(location.hash);
        const next = find(here.path)?.route.open ? here.query.get("next") : location.hash.slice(1);
        go(link(["signin"], { reason, next: reason === "expired" ? next : "" }), true);
    } else if (reason === "role") {
        // What is offered has changed: the same view, made anew.
        close();
        show();
    } else if (reason === "signed-in") {
        show();
    }
});

/**
 * Somebody comes back from the issuer: signed in, or with a reason why not.
 * @param {import("./core/oidc.js").Return} back
 */
async function comeBack(back) {
    try {
        await adopt(await finish(back));
    } catch (error) {
        notify(explain(error), "bad");
    }
}

watchConnection();
const back = takeReturn();
await resume();
if (back) {
    go(link(["signin"], { next: back.begun?.next }), true);
}
window.addEventListener("hashchange", show);
show();
if (back) {
    await comeBack(back);
}
