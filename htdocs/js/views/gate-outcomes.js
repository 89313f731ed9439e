// @ts-check
// What became of decisions, and how often SAFE, WARN and BLOCK were right.

import { h } from "../core/dom.js";
import { foreign } from "../parts/names.js";
import { table } from "../parts/table.js";
import { moment } from "../parts/time.js";

/** @typedef {import("../core/types.js").Calibration} Calibration */
/** @typedef {import("../core/types.js").GateDecision} GateDecision */
/** @typedef {import("../core/dom.js").Child} Child */

/** In words. */
export const BECAME = { success: "it went well", failure: "it failed", rolled_back: "it was rolled back" };

/** @param {GateDecision["outcome"]} outcome @returns {Child} */
export const outcomeFact = (outcome) => (outcome === null ? h("span", { class: "muted" }, "not known")
    : [BECAME[outcome.outcome], h("span", { class: "muted" }, outcome.by === "reported" ? ", as the job told, "
        : ", by the snapshots, "), moment(outcome.at), outcome.note && [": ", foreign(outcome.note)]]);

/**
 * The table; nothing as long as no outcome is known.
 * @param {Calibration[]} rows
 * @returns {Child}
 */
export const calibrationCard = (rows) => rows.some(({ known }) => known > 0) && h("section", { class: "card",
    key: "calibration", "aria-labelledby": "calibration" },
h("h2", { id: "calibration" }, "Was it right?"),
h("p", { class: "hint above" }, "What became of the changes of the last 30 days, as jobs told, or the snapshots that " +
    "followed."),
table({
    caption: "What followed SAFE, WARN and BLOCK",
    rows,
    key: ({ decision }) => decision,
    columns: [
        { label: "Decision", head: true, cell: ({ decision }) => decision },
        { label: "Asked", number: true, cell: ({ decisions }) => String(decisions) },
        { label: "Known", number: true, cell: ({ known }) => String(known) },
        { label: "Went well", number: true, cell: ({ success }) => String(success) },
        { label: "Failed", number: true, cell: ({ failure }) => String(failure) },
        { label: "Rolled back", number: true, cell: (row) => String(row.rolled_back) },
        { label: "Failed, %", number: true, cell: (row) => (row.failed_percent === null ? "–"
            : String(row.failed_percent)) },
    ],
}));
