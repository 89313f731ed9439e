// @ts-check
// Where one is signed in, and how that ends.

import { h, morph } from "../core/dom.js";
import { send } from "../core/api.js";
import { signOut } from "../core/session.js";
import { confirmed } from "../parts/confirmed.js";
import { live, pages, shown } from "../parts/live.js";
import { foreign } from "../parts/names.js";
import { table } from "../parts/table.js";
import { day, timeAgo } from "../parts/time.js";

/** @typedef {import("../core/router.js").Context} Context */
/** @typedef {import("../core/types.js").OpenSession} OpenSession */

/** The first that fits counts: Edge and Opera say Chrome as well, and Chrome says Safari. */
const PROGRAMS = [
    { mark: /\bEdg\w*\//, name: "Edge" },
    { mark: /\bOPR\//, name: "Opera" },
    { mark: /\bFirefox\//, name: "Firefox" },
    { mark: /Chrom\w*\//, name: "Chrome" },
    { mark: /\bSafari\//, name: "Safari" },
    { mark: /^curl\//, name: "curl" },
];
const SYSTEMS = [
    { mark: /\bAndroid\b/, name: "Android" },
    { mark: /\b(iPhone|iPad)\b/, name: "iOS" },
    { mark: /\bWindows\b/, name: "Windows" },
    { mark: /\bMac OS X\b/, name: "macOS" },
    { mark: /\bLinux\b/, name: "Linux" },
];

const LONGEST = 60;

/** @param {{mark: RegExp, name: string}[]} marks @param {string} agent */
const named = (marks, agent) => marks.find(({ mark }) => mark.test(agent))?.name ?? "";

/**
 * "Firefox on Linux"; of a program that nobody knows the beginning of what it says.
 * @param {string} agent
 * @returns {string}
 */
function program(agent) {
    const [name, system] = [named(PROGRAMS, agent), named(SYSTEMS, agent)];
    return name && system ? `${name} on ${system}` : name || agent.slice(0, LONGEST);
}

/** @param {Event} event @param {OpenSession} one @param {() => void} changed */
async function end(event, { id, current, userAgent, address }, changed) {
    if (current) {
        await signOut();
        return;
    }
    if (await confirmed(event, {
        title: "End this session?",
        text: [foreign(program(userAgent) || "A program"), " at ", foreign(address), " is signed out at once. When " +
            "you do not know it, change your password as well."],
        action: "End the session",
    }, async () => {
        await send("DELETE", "/api/sessions", { id });
        return "The session is ended.";
    })) {
        changed();
    }
}

/** @param {Event} event @param {() => void} changed */
async function endOthers(event, changed) {
    if (await confirmed(event, {
        title: "End all other sessions?",
        text: ["Wherever else you are signed in, you are signed out at once. This session goes on."],
        action: "End the others",
    }, async () => {
        await send("DELETE", "/api/sessions/others", {});
        return "Your other sessions are ended.";
    })) {
        changed();
    }
}

/** @param {OpenSession[]} rows @param {() => void} changed */
const list = (rows, changed) => table({
    caption: "Your sessions, newest first",
    rows,
    key: ({ id }) => id,
    columns: [
        { label: "Program", head: true, cell: ({ userAgent, current }) => h("div", { title: userAgent },
            foreign(program(userAgent) || "not known"), current && " (this one)") },
        { label: "Address", cell: ({ address }) => address && foreign(address) },
        { label: "Signed in", cell: ({ createdAt }) => timeAgo(createdAt) },
        { label: "Last used", cell: ({ lastUsedAt }) => timeAgo(lastUsedAt) },
        { label: "Ends", cell: ({ endsAt }) => day(endsAt) },
        { label: "", cell: (one) => h("button", { type: "button", class: "small danger",
            "aria-label": one.current ? "Sign out here" : `End ${program(one.userAgent)} at ${one.address}`,
            onclick: (/** @type {Event} */ event) => end(event, one, changed) }, one.current ? "Sign out" : "End") },
    ],
});

/**
 * @param {Context} context
 * @returns {import("../core/router.js").View}
 */
export function openSessions({ root, place, signal, setQuery }) {
    let { query } = place;
    const params = () => ({ cursor: query.get("cursor") });
    const sessions = live("/api/sessions", params, { signal, every: 20_000, draw: () => draw() });

    function draw() {
        const others = sessions.data && (sessions.data.length > 1 || sessions.next || query.get("cursor"));
        morph(root, h("section", { class: "card", "aria-labelledby": "sessions" },
            h("div", { class: "page-head" }, h("h2", { id: "sessions" }, "Sessions"), h("div", { class: "spacer" }),
                others && h("button", { type: "button", class: "danger",
                    onclick: (/** @type {Event} */ event) => endOthers(event, sessions.now) }, "End all others")),
            h("p", { class: "hint" }, "Where you are signed in. A session ends when nobody uses it for some hours."),
            shown(sessions, "your sessions", (rows) => list(rows, sessions.now)),
            sessions.data && pages(sessions, query, setQuery)));
    }
    draw();
    return {
        changed(now) {
            ({ query } = now);
            sessions.again();
        },
    };
}
