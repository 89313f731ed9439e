// @ts-check
// What changed between two moments: the points of its parts sum to the difference of the two scores.

import { get, isAbort, serverNow } from "../../core/api.js";
import { h, morph } from "../../core/dom.js";
import { ApiError } from "../../core/http.js";
import { CATEGORIES, categoryTag, chip, decisionOf, severityTag, signed } from "../../parts/score.js";
import { explain, loading } from "../../parts/states.js";
import { steady } from "../../parts/steady.js";
import { table } from "../../parts/table.js";
import { fullMoment, instant, localInput, millis } from "../../parts/time.js";
import { agesOf } from "./ages.js";
import { lowestBetween } from "./lowest.js";

/** @typedef {import("../../core/types.js").Difference} Difference */
/** @typedef {import("../../core/types.js").Moment} Moment */
/** @typedef {import("../../core/types.js").Risk} Risk */

const HOUR = 3_600_000;

/** @type {[string, number][]} */
const SINCE = [["1 hour ago", HOUR], ["yesterday", 24 * HOUR], ["a week ago", 168 * HOUR]];

const OTHER_CHECKS = "The checks, or what they cost, changed in between. Some of these differences are " +
    "not changes of the cluster.";

/** @param {number} points */
const pointsOf = (points) => h("span", { class: points < -0.005 ? "loss" : points > 0.005 && "gain" }, signed(points));

/** @param {string} name @param {Moment} moment */
const end = (name, { time, score, score_exact: exact }) => h("div", null,
    h("div", { class: "muted small" }, name, " ", fullMoment(time)),
    h("span", { class: "score" }, h("b", { class: "number" }, exact.toFixed(2)), chip(decisionOf(score))));

/** @param {Difference} difference */
const byCategory = ({ from, to }) => h("ul", { class: "row plain-row" }, CATEGORIES.map((one) =>
    h("li", null, categoryTag(one), " ", pointsOf(from.lost[one] - to.lost[one]))));

/** @type {[keyof Difference["sums"], string][]} */
const SUMS = [
    ["opened", "Opened"], ["resolved", "Resolved"], ["changed", "Cost more or less"], ["unchanged", "Unchanged"],
];

/** @param {Difference} difference */
function sums({ sums: all, change }) {
    const rows = SUMS.map(([name, text]) => ({ text, ...all[name] }));
    const count = rows.reduce((sum, row) => sum + row.count, 0);
    const total = { text: "Difference of the scores", count, points: change };
    return table({
        caption: "What the difference is made of", rows: [...rows, total], key: ({ text }) => text,
        small: true, rowClass: (row) => (row === total ? "total" : ""),
        columns: [
            { label: "Risks", cell: ({ text }) => text, head: true },
            { label: "How many", cell: (row) => row.count, number: true },
            { label: "Points", cell: ({ points }) => pointsOf(points), number: true },
        ],
    });
}

/** @param {Risk} risk */
const placeOf = ({ namespace, resource }) => [namespace, resource].filter(Boolean).join(" ");

/** @param {string} title @param {{risk: Risk, points: number}[]} entries @param {number} count */
function list(title, entries, count) {
    return entries.length > 0 && h("details", { key: title, class: "group", open: entries.length <= 8 },
        h("summary", null, h("b", null, title), h("span", { class: "muted" }, ` ${count}`)),
        h("ul", { class: "change-list" }, entries.map(({ risk, points }) => h("li", { key: risk.id },
            h("span", { class: "points number" }, pointsOf(points)), severityTag(risk.severity),
            h("span", { class: "risk-text" }, h("span", null, risk.message),
                h("span", { class: "muted small" }, h("bdi", null, placeOf(risk)), " ", categoryTag(risk.category)))))),
        count > entries.length && h("p", { class: "muted" }, `and ${count - entries.length} more that weigh less`));
}

/** @param {Difference} difference */
function lists({ opened, resolved, changed, sums: all }) {
    return [
        list("Opened", opened.map((risk) => ({ risk, points: -risk.impact })), all.opened.count),
        list("Resolved", resolved.map((risk) => ({ risk, points: risk.impact })), all.resolved.count),
        list("Cost more or less", changed.map(({ before, after, risk }) => ({ risk, points: before - after })),
            all.changed.count),
    ];
}

/** The card that compares two moments. The address has them: since, until. */
export class ChangesCard {
    root = h("section", { class: "card changes", "aria-labelledby": "changes", preserve: true });
    /** @type {Difference | null} */
    difference = null;
    /** @type {import("./lowest.js").Lowest | null} */
    lowest = null;
    /** @type {unknown} */
    problem = null;
    asked = "";

    /**
     * @param {import("../../core/router.js").Context} context
     * @param {string} clusterId
     * @param {() => void} moved the moments are others
     */
    constructor(context, clusterId, moved) {
        this.context = context;
        this.clusterId = clusterId;
        this.moved = moved;
        this.query = context.place.query;
        /** Unless the address says otherwise; 0 until it is known. */
        this.usual = 0;
        this.read();
        this.draw();
    }

    /** A day ago, or where the history begins. */
    async findUsual() {
        const dayAgo = serverNow() - 24 * HOUR;
        const { data } = await get("/api/score-history", { clusterId: this.clusterId, step: 86_400 },
            { signal: this.context.signal });
        const first = millis(data[0]?.worst_at);
        this.usual = first > dayAgo ? first : dayAgo;
    }

    /** The two moments in ms, the earlier one first, however they were picked; without an end it is now. */
    moments() {
        const since = instant(this.query.get("since"));
        const until = instant(this.query.get("until"));
        const to = Number.isNaN(until) ? null : until;
        const usual = to !== null && to <= this.usual ? to - 24 * HOUR : this.usual;
        const from = Number.isNaN(since) ? usual : since;
        return to !== null && to < from ? { since: to, until: from } : { since: from, until: to };
    }

    /** What the chart marks. */
    pins() {
        const { from, to } = this.difference ?? {};
        return from && to ? [{ at: millis(from.time), text: "from" }, { at: millis(to.time), text: "to" }] : [];
    }

    /** @param {number} at @param {boolean} isEnd */
    pick(at, isEnd) {
        this.context.setQuery({ [isEnd ? "until" : "since"]: new Date(at).toISOString() });
    }

    /** @returns {Promise<Difference>} */
    async readDifference() {
        const { since, until } = this.moments();
        const { data } = await get("/api/risks", {
            clusterId: this.clusterId, since: new Date(since).toISOString(),
            at: until === null ? null : new Date(until).toISOString(), limit: 200,
        }, { signal: this.context.signal });
        return /** @type {Difference} */ (data);
    }

    /**
     * What is told besides: without it the rest is right, too.
     * @param {Difference} difference
     * @param {string} asked
     */
    async readLowest({ from, to }, asked) {
        const lowest = await lowestBetween(this.clusterId, from, to, this.context.signal).catch(() => null);
        if (this.asked === asked && JSON.stringify(lowest) !== JSON.stringify(this.lowest)) {
            this.lowest = lowest;
            this.draw();
        }
    }

    async read() {
        const asked = this.query.toString();
        this.asked = asked;
        try {
            if (!this.usual) {
                await this.findUsual();
            }
            const difference = await this.readDifference();
            if (this.asked === asked) {
                Object.assign(this, { difference, problem: null });
                this.readLowest(difference, asked);
            }
        } catch (error) {
            if (isAbort(error) || this.asked !== asked) {
                return;
            }
            this.difference = null;
            this.problem = error;
        }
        this.draw();
        this.moved();
    }

    /** There are answers: what could not be read for want of one is read now. */
    again() {
        if (this.problem instanceof ApiError && this.problem.away) {
            this.read();
        }
    }

    tools() {
        const { since, until } = this.moments();
        const { setQuery } = this.context;
        const input = (/** @type {string} */ label, /** @type {string} */ name, /** @type {number | null} */ at) =>
            h("label", null, label, h("input", { type: "datetime-local", value: at ? localInput(at) : "",
                onchange: (/** @type {Event} */ event) => {
                    const at2 = instant(/** @type {HTMLInputElement} */ (event.target).value);
                    setQuery({ [name]: Number.isNaN(at2) ? null : new Date(at2).toISOString() });
                } }));
        const preset = (/** @type {[string, number]} */ [text, ms]) => h("button", {
            type: "button", class: "small",
            onclick: () => setQuery({ since: new Date(serverNow() - ms).toISOString(), until: null }),
        }, `Since ${text}`);
        return h("div", { class: "toolbar" }, input("From", "since", since), input("To (empty: now)", "until", until),
            SINCE.map(preset));
    }

    /**
     * A score that fell and came back leaves no difference.
     * @param {Moment} from
     */
    dip({ time }) {
        const { lowest } = this;
        const until = lowest && new Date(lowest.at).toISOString();
        const go = () => this.context.setQuery({ since: time, until }, true);
        return lowest && h("p", { class: "notice warn row" }, h("span", null, "In between it was as low as ",
            h("b", null, lowest.score), " ", chip(decisionOf(lowest.score)), ", ", fullMoment(lowest.at), "."),
        h("button", { type: "button", class: "small", onclick: go }, "What changed until then"));
    }

    result() {
        const { difference, problem } = this;
        if (problem) {
            const early = problem instanceof ApiError && problem.code === "no_ledger";
            return h("p", { class: early ? "notice" : "notice bad" }, explain(problem));
        }
        if (!difference) {
            return loading("what changed");
        }
        const { from, to, change, check_set_changed: otherChecks, formula } = difference;
        return [
            h("div", { class: "ends" },
                end("From", from), h("span", { class: "big-change number" }, pointsOf(change)), end("To", to)),
            this.dip(from),
            formula && h("p", { class: "notice warn" }, formula.message),
            otherChecks && h("p", { class: "notice" }, OTHER_CHECKS),
            byCategory(difference),
            h("div", { class: "sides" }, sums(difference), h("div", null, lists(difference), agesOf(to.time))),
        ];
    }

    draw() {
        steady(() => morph(this.root, h("h2", { id: "changes" }, "What changed"), this.tools(), this.result()));
    }

    /** @param {import("../../core/router.js").Place} place */
    changed({ query }) {
        const same = ["since", "until"].every((name) => query.get(name) === this.query.get(name));
        this.query = query;
        if (!same) {
            this.lowest = null;
            this.read();
            this.draw();
        }
    }
}
