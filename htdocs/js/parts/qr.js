// @ts-check
// A QR code that the server has made: rows of modules, "1" is dark. It is black on white in every theme.

import { s } from "../core/dom.js";

/** Light modules around it, so that a camera finds it. */
const QUIET = 4;

/**
 * @param {unknown} rows
 * @param {string} label
 * @returns {Element | null} null when they are no square
 */
export function qr(rows, label) {
    const lines = Array.isArray(rows) ? rows.map(String) : [];
    const { length } = lines;
    if (!length || length > 177 || lines.some((line) => line.length !== length)) {
        return null;
    }
    const side = length + 2 * QUIET;
    const path = lines.flatMap((line, y) => [...line].map((one, x) => (
        one === "1" ? `M${x + QUIET} ${y + QUIET}h1v1h-1z` : ""))).join("");
    return s("svg", { viewBox: `0 0 ${side} ${side}`, class: "qr", role: "img", "aria-label": label, width: 4 * side,
        height: 4 * side, "shape-rendering": "crispEdges" },
    s("rect", { width: side, height: side, fill: "#fff" }), s("path", { d: path, fill: "#000" }));
}
