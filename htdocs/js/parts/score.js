// @ts-check
// Scores, decisions, severities and categories: always a word and a shape, never colour alone.

import { h, hidden, s } from "../core/dom.js";

/** @typedef {import("../core/types.js").Decision} Decision */
/** @typedef {import("../core/types.js").Category} Category */

/** @type {Category[]} */
export const CATEGORIES = ["policy", "runtime", "history", "health"];

/** @type {import("../core/types.js").Severity[]} */
export const SEVERITIES = ["critical", "high", "medium", "low"];

/** What each category is about, in a few words. @type {Record<Category, string>} */
export const ABOUT = {
    policy: "how things are configured",
    runtime: "what is wrong right now",
    history: "what went wrong lately",
    health: "what is down or missing",
};

/** @type {Record<Decision, string>} circle with a tick, triangle, octagon with a bar */
const SHAPES = {
    SAFE: "M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1Zm3.3 5.3-4 4.4a.8.8 0 0 1-1.2 0L4.4 8.9l1.1-1.1 1.2 1.2 3.4-3.8Z",
    WARN: "M8 1 .6 14.5h14.8ZM7.2 6h1.6l-.2 4.4H7.4Zm.8 5.2a1 1 0 1 1 0 2 1 1 0 0 1 0-2Z",
    BLOCK: "M5.1 1h5.8L15 5.1v5.8L10.9 15H5.1L1 10.9V5.1ZM4 7v2h8V7Z",
};

/**
 * The decision of a score without anything else known.
 * @param {number} score
 * @returns {Decision}
 */
export function decisionOf(score) {
    if (score >= 70) {
        return "SAFE";
    }
    return score >= 50 ? "WARN" : "BLOCK";
}

/** @param {Decision} decision @returns {SVGElement} */
export const shape = (decision) => s("svg", { viewBox: "0 0 16 16", width: 14, height: 14, "aria-hidden": "true" },
    s("path", { d: SHAPES[decision], fill: "currentColor", "fill-rule": "evenodd" }));

/**
 * SAFE, WARN or BLOCK.
 * @param {Decision | null | undefined} decision
 * @returns {HTMLElement}
 */
export const chip = (decision) => (decision
    ? h("span", { class: `chip ${decision.toLowerCase()}` }, shape(decision), decision)
    : h("span", { class: "chip" }, "not scored"));

/**
 * A score with its decision.
 * @param {number | null} score
 * @param {Decision | null} [decision] unless the score alone makes it
 * @returns {HTMLElement}
 */
export function scoreBadge(score, decision) {
    if (score === null) {
        return h("span", { class: "score" }, h("b", { class: "number" }, "–"), chip(null));
    }
    return h("span", { class: "score" }, h("b", { class: "number" }, score), hidden(" of 100, "),
        chip(decision ?? decisionOf(score)));
}

/**
 * What a decision meant for who asked.
 * @type {Record<Decision, string>}
 */
export const OUTCOME = { SAFE: "allowed", WARN: "allowed, with a warning", BLOCK: "refused" };

/** @param {string} severity @returns {HTMLElement} */
export const severityTag = (severity) => h("span", { class: `severity ${severity}` }, severity);

/** @param {string} category @returns {HTMLElement} */
export const categoryTag = (category) => h("span", { class: `category ${category}` }, category);

/**
 * Points with their sign: −4.31, +1.20, 0.00.
 * @param {number} value
 * @returns {string}
 */
export function signed(value) {
    const text = Math.abs(value).toFixed(2);
    if (Number(text) === 0) {
        return text;
    }
    return (value < 0 ? "−" : "+") + text;
}

/**
 * The points lost by category as one bar of 100, with the words below.
 * @param {import("../core/types.js").Lost} lost
 * @returns {HTMLElement}
 */
export function lostBar(lost) {
    const total = CATEGORIES.reduce((sum, one) => sum + lost[one], 0);
    const words = CATEGORIES.map((one) => `${one} ${lost[one].toFixed(1)}`).join(", ");
    const width = (/** @type {number} */ points) => ({ "inline-size": `${Math.max(0, Math.min(100, points))}%` });
    const label = `Points lost: ${words}`;
    return h("span", { class: "lost", role: "img", "aria-label": label, title: label },
        h("span", { class: "kept", style: width(100 - total) }),
        CATEGORIES.map((one) => h("span", { class: `part ${one}`, style: width(lost[one]) })));
}

/**
 * A small line of scores, 0 to 100, with the marks of 50 and 70.
 * @param {(number | null)[]} scores oldest first, null where there is none
 * @param {string} label
 * @returns {SVGElement}
 */
export function sparkline(scores, label) {
    const width = 120;
    const height = 32;
    const step = width / Math.max(1, scores.length - 1);
    const y = (/** @type {number} */ score) => (height - 2 - (score / 100) * (height - 4)).toFixed(1);
    let path = "";
    let pen = "M";
    scores.forEach((score, i) => {
        if (score === null) {
            pen = "M";
        } else {
            // A point alone is a short dash, so that it is seen.
            path += `${pen}${(i * step).toFixed(1)} ${y(score)}${pen === "M" ? "h1" : ""}`;
            pen = "L";
        }
    });
    const frame = { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none" };
    return s("svg", { ...frame, class: "spark", role: "img", "aria-label": label },
        s("path", { d: `M0 ${y(70)}H${width}M0 ${y(50)}H${width}`, class: "marks" }),
        s("path", { d: path, class: "line" }));
}

/** @param {(number | null)[]} scores @returns {string} the line in words */
export function sparkWords(scores) {
    const known = scores.filter((one) => one !== null).map(Number);
    return known.length === 0 ? "no scores in 24 hours"
        : `24 hours: lowest ${Math.min(...known)}, highest ${Math.max(...known)}, now ${known[known.length - 1]}`;
}

/**
 * Whether the decision is not the one of the score: the snapshot is old.
 * @param {import("../core/types.js").Cluster} cluster
 * @returns {boolean}
 */
export const isCapped = ({ cscScore, decision }) => cscScore !== null && Boolean(decision) &&
    decision !== decisionOf(cscScore);
