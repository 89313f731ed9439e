// @ts-check
// "Would a deploy pass now?" The question is in the address; asking it leaves no trace.

import { announce, h } from "../core/dom.js";
import { ApiError } from "../core/http.js";
import { live, shown } from "../parts/live.js";
import { clusterOptions, foreign } from "../parts/names.js";
import { scoreBadge } from "../parts/score.js";
import { timeAgo } from "../parts/time.js";
import { commands } from "./gate-commands.js";
import { overrideLine } from "./gate-overrides.js";
import { reasonList, riskList, targetPart } from "./gate-risks.js";

/** @typedef {import("../core/types.js").GateAnswer} GateAnswer */
/** @typedef {import("../core/types.js").Cluster} Cluster */
/** @typedef {import("../core/dom.js").Child} Child */
/** @typedef {import("../core/router.js").Context["setQuery"]} SetQuery */

/** @type {Record<import("../core/types.js").Decision, string>} */
const WORDS = {
    SAFE: "Yes: a deploy would pass now.",
    WARN: "It would pass with a warning. Look at the reasons first.",
    BLOCK: "No: a deploy would be stopped now.",
};

/**
 * What narrows the question: its name in the address, its label, an example.
 * @type {[string, string, string][]}
 */
const MORE = [
    ["resource", "Resource", "deployment/api"],
    ["namespace", "Namespace", "default"],
    ["image", "Image", "registry.example.com/api:1.5.0"],
];

/** @param {URLSearchParams} query */
const question = (query) => ({
    clusterId: query.get("check"),
    resource: query.get("resource"),
    namespace: query.get("namespace"),
    image: query.get("image"),
});

/** @param {GateAnswer} answer @returns {Child} */
function verdict(answer) {
    const { decision, csc_score: score, override, message, reasons, risks } = answer;
    return [
        h("p", { class: "row verdict" }, scoreBadge(score, decision), h("strong", null, WORDS[decision])),
        override && h("p", { class: "notice" }, overrideLine(override)),
        targetPart(answer),
        message && h("p", null, foreign(message)),
        reasonList(reasons),
        h("p", { class: "muted small" },
            "By the snapshot of ", timeAgo(answer.score_time), ". Asking here is not recorded."),
        risks.length > 0 && h("details", { key: "risks" },
            h("summary", null, `The costliest risks (${risks.length} of ${answer.risks_total})`),
            riskList(risks)),
    ];
}

/**
 * @param {{signal: AbortSignal, setQuery: SetQuery, draw: () => void}} how
 * @returns {{ask: (query: URLSearchParams) => void, draw: (query: URLSearchParams, clusters: Cluster[]) => Child}}
 */
export function gateCheck({ signal, setQuery, draw }) {
    let asked = JSON.stringify(question(new URLSearchParams()));
    let stop = new AbortController();
    /** @type {import("../parts/live.js").Live<GateAnswer> | null} */
    let answer = null;
    let told = "";
    signal.addEventListener("abort", () => stop.abort());

    /** Draws, and says each new answer once. */
    function tell() {
        const words = answer?.data ? WORDS[answer.data.decision] : "";
        if (words && words !== told) {
            announce(words);
        }
        told = words;
        draw();
    }

    /** @param {URLSearchParams} query */
    function ask(query) {
        const now = question(query);
        if (JSON.stringify(now) === asked) {
            return;
        }
        asked = JSON.stringify(now);
        stop.abort();
        stop = new AbortController();
        answer = now.clusterId
            ? live("/api/gate", () => now, { signal: stop.signal, every: 30_000, draw: tell }) : null;
    }

    /** @param {Event} event */
    function submit(event) {
        event.preventDefault();
        const values = new FormData(/** @type {HTMLFormElement} */ (event.currentTarget));
        const value = (/** @type {string} */ name) => String(values.get(name) ?? "").trim();
        setQuery({ check: value("check"), resource: value("resource"), namespace: value("namespace"),
            image: value("image") }, true);
        answer?.now();
    }

    /** @param {URLSearchParams} query @param {Cluster[]} clusters */
    function form(query, clusters) {
        const check = query.get("check") ?? "";
        const options = clusterOptions(clusters, "Choose a cluster");
        if (!options.some(([id]) => id === check)) {
            options.push([check, check]);
        }
        return h("form", { class: "toolbar", onsubmit: submit, "aria-labelledby": "would-pass" },
            h("label", null, "Cluster", h("select", { name: "check", required: true, value: check },
                options.map(([id, text]) => h("option", { value: id, key: id }, text)))),
            MORE.map(([name, label, placeholder]) => h("label", { key: name }, `${label} (optional)`,
                h("input", { name, placeholder, value: query.get(name) ?? "", maxlength: 512,
                    autocomplete: "off", spellcheck: "false" }))),
            h("button", { type: "submit", class: "primary" }, "Ask the gate"));
    }

    /** @returns {Child} */
    function result() {
        const error = answer?.data === null && answer.error;
        if (error instanceof ApiError && [400, 404, 409].includes(error.status)) {
            return h("p", { class: "notice bad" }, error.message);
        }
        return answer && shown(answer, "the gate's answer", verdict);
    }

    return {
        ask,
        draw: (query, clusters) => h("section", { class: "card", "aria-labelledby": "would-pass" },
            h("h2", { id: "would-pass" }, "Would a deploy pass now?"),
            form(query, clusters),
            h("div", null, result()),
            commands(question(query))),
    };
}
