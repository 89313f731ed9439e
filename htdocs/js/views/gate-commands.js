// @ts-check
// The commands that ask the gate from CI.

import { h } from "../core/dom.js";
import { can } from "../core/session.js";
import { copyable } from "../parts/copy.js";

/** @typedef {Record<"clusterId" | "resource" | "namespace" | "image", string | null>} Question */

/** Where the key goes: marked in the commands. */
const KEY = "YOUR_KEY";

/**
 * A word of a shell command, quoted when it has to be.
 * @param {string} text
 * @returns {string}
 */
export const quoted = (text) => (/^[A-Za-z0-9_@%+=:,./-]+$/.test(text) ? text : `'${text.replace(/'/g, "'\\''")}'`);

/** Where the API is: beside this page. */
const base = () => new URL(".", document.baseURI).href.replace(/\/$/, "");

/** @param {Question} asked */
function body({ clusterId, resource, namespace, image }) {
    const all = { cluster_id: clusterId || "CLUSTER", resource, namespace, image, source: "ci" };
    return JSON.stringify(Object.fromEntries(Object.entries(all).filter(([, value]) => value)));
}

/** @param {Question} asked */
function script({ clusterId, resource, namespace, image }) {
    const options = Object.entries({ namespace, resource, image }).filter(([, value]) => value);
    return [
        `export LOADLINE_URL=${quoted(base())}`,
        `export LOADLINE_API_KEY=${KEY}`,
        ["./gate", quoted(clusterId || "CLUSTER"),
            ...options.map(([name, value]) => `--${name} ${quoted(String(value))}`)].join(" "),
    ].join("\n");
}

/** @param {Question} asked */
const curl = (asked) => `curl -sS ${quoted(`${base()}/api/validate`)} \\
  -H "X-API-Key: ${KEY}" \\
  -H "Content-Type: application/json" \\
  -d ${quoted(body(asked))}`;

/**
 * How CI asks the same question.
 * @param {Question} asked
 * @returns {HTMLElement}
 */
export function commands(asked) {
    const key = can("admin") ? h("a", { href: "#/settings/keys" }, "a key of scope cicd")
        : "a key of scope cicd (an admin makes it)";
    return h("details", { key: "commands" },
        h("summary", null, "Ask it in CI"),
        h("p", null, "In both, put ", key, " in the place of ", h("code", null, KEY),
            ": better as a secret of your CI than in the command."),
        h("h3", null, "As a step of a job"),
        h("p", { class: "hint" }, h("code", null, "gate"), " is scripts/gate of Loadline (installed as " +
            "loadline-gate). It ends with 0 for SAFE and WARN, 2 for BLOCK, 3 without an answer, 4 when the " +
            "question is wrong. Examples for " +
            "GitHub, GitLab and Jenkins are in ", h("a", { href: "docs/ci.md" }, "docs/ci.md"), "."),
        copyable(script(asked), "the job's step", KEY),
        h("h3", null, "With curl alone"),
        copyable(curl(asked), "the curl command", KEY));
}
