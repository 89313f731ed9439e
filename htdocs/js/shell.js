// @ts-check
// What is around every view: name, navigation, theme, who is signed in, whether the server answers.

import { announce, h, hidden, morph, s } from "./core/dom.js";
import { onConnection } from "./core/http.js";
import { can, session, signOut } from "./core/session.js";
import { routes } from "./routes.js";
import { clockTime } from "./parts/time.js";

/** @typedef {import("./core/router.js").Route} Route */

const top = /** @type {HTMLElement} */ (document.getElementById("top"));
const banner = /** @type {HTMLElement} */ (document.getElementById("banner"));

const mark = () => s("svg", { viewBox: "0 0 32 32", class: "mark", "aria-hidden": "true", width: 24, height: 24 },
    s("circle", { cx: 16, cy: 16, r: 10, fill: "none", stroke: "currentColor", "stroke-width": 4 }),
    s("path", { d: "M1 16h30", stroke: "currentColor", "stroke-width": 4 }));

/** @returns {string} light, dark, or "" for the system's */
const theme = () => document.documentElement.dataset.theme ?? "";

/** @param {string} chosen */
function setTheme(chosen) {
    if (chosen) {
        document.documentElement.dataset.theme = chosen;
    } else {
        delete document.documentElement.dataset.theme;
    }
    try {
        localStorage.setItem("loadline-theme", chosen);
    } catch {
        // It lasts as long as the page then.
    }
    // Charts are drawn in the colours of the theme.
    document.dispatchEvent(new Event("themechange"));
}

function themeSwitch() {
    return h("label", { class: "theme", title: "Light or dark. Auto: as your system has it" }, hidden("Light or dark"),
        h("select", { value: theme(), onchange: (/** @type {Event} */ event) => {
            setTheme(/** @type {HTMLSelectElement} */ (event.target).value);
        } },
        h("option", { value: "" }, "Theme: auto"),
        h("option", { value: "light" }, "Theme: light"),
        h("option", { value: "dark" }, "Theme: dark")));
}

/** @param {Route | null} route */
function navigation(route) {
    const section = route?.path.split("/")[1];
    const items = routes.filter((one) => one.nav && (!one.role || can(one.role))).map((one) => {
        const name = one.path.split("/")[1];
        return h("li", null, h("a", { href: `#/${name}`, "aria-current": name === section ? "page" : null }, one.nav));
    });
    return h("nav", { "aria-label": "Main" }, h("ul", null, items));
}

function account() {
    const who = session();
    return who && h("div", { class: "account" },
        h("span", { class: "who", title: who.email }, h("bdi", null, who.email)),
        h("span", { class: "tag" }, who.role),
        h("button", { type: "button", class: "quiet", onclick: signOut }, "Sign out"));
}

/**
 * Draws the head of the page.
 * @param {Route | null} route
 */
export function drawShell(route) {
    const signedIn = session() !== null;
    morph(top, h("div", { class: "bar" },
        h("a", { href: signedIn ? "#/clusters" : "#/signin", class: "brand" }, mark(), "Loadline"),
        signedIn && !session()?.setup && navigation(route),
        h("div", { class: "spacer" }),
        themeSwitch(),
        account()));
}

/** Says when the server stops answering, and when it is back. */
export function watchConnection() {
    onConnection((since) => {
        banner.className = since ? "away" : "";
        const text = `The server does not answer since ${clockTime(since)}. What you see may be old. ` +
            "This page goes on trying.";
        morph(banner, since ? h("p", null, text) : null);
        if (!since) {
            announce("The server answers again.");
        }
    });
    // Links inside the page are addresses of views; so this one moves the focus itself.
    document.getElementById("skip")?.addEventListener("click", (event) => {
        event.preventDefault();
        document.getElementById("main")?.focus();
    });
}
