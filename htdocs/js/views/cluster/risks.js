// @ts-check
// All risks of the latest snapshot: search, filters, groups.

import { announce, h, morph } from "../../core/dom.js";
import { CATEGORIES, SEVERITIES, severityTag } from "../../parts/score.js";
import { agesOf } from "./ages.js";
import { choices, grouped, NARROW, narrowed, searchable } from "./filter.js";
import { riskLine } from "./risk.js";

/** @typedef {import("../../core/types.js").Risk} Risk */
/** @typedef {import("./filter.js").Searchable} Searchable */
/** @typedef {import("../../core/router.js").Place} Place */

const CHUNK = 60;

/** The list of risks. It is given them by the view, which reads them. */
export class RiskList {
    root = h("section", { class: "card risks", "aria-labelledby": "risks", preserve: true });
    /** @type {Searchable[]} */
    risks = [];
    limit = CHUNK;
    /** @type {Set<string>} risks and groups that are open */
    opened = new Set();
    /** What the address wants to see, until it has been shown. */
    wanted = "";
    timer = 0;
    takenAt = "";

    /**
     * @param {import("../../core/router.js").Context} context
     * @param {string} clusterId
     */
    constructor(context, clusterId) {
        this.context = context;
        this.clusterId = clusterId;
        this.query = context.place.query;
        this.wanted = this.query.get("risk") ?? "";
        if (this.wanted) {
            this.opened.add(this.wanted);
        }
    }

    /** @param {Risk[]} risks @param {string} takenAt of the snapshot */
    show(risks, takenAt) {
        this.takenAt = takenAt;
        this.risks = searchable(risks);
        this.choices = choices(risks);
        this.draw();
        this.reveal();
    }

    /** Shows as many risks as it takes to reach the one that the address names. */
    stretch() {
        const found = narrowed(this.risks, this.query).findIndex(({ id }) => id === this.wanted);
        this.limit = Math.max(this.limit, found + 1);
    }

    /** Brings the risk that the address names into view, once. */
    reveal() {
        const there = this.wanted && document.getElementById(`risk-${this.wanted}`);
        if (there) {
            there.scrollIntoView({ block: "center" });
            there.querySelector("summary")?.focus({ preventScroll: true });
            this.wanted = "";
        }
    }

    /** @param {Place} place */
    changed({ query }) {
        const changed = [...NARROW, "group"].some((name) => query.get(name) !== this.query.get(name));
        this.query = query;
        const risk = query.get("risk");
        if (risk && !this.opened.has(risk)) {
            this.wanted = risk;
            this.opened.add(risk);
        }
        if (changed) {
            this.limit = CHUNK;
        }
        this.draw();
        this.reveal();
    }

    /** @param {string} name @param {string} label @param {readonly string[]} values */
    select(name, label, values) {
        const value = this.query.get(name) ?? "";
        // What the address wants is offered even when there is none of it now.
        const all = value && !values.includes(value) ? [...values, value] : values;
        return h("label", null, label, h("select", { value, onchange: (/** @type {Event} */ event) => {
            this.context.setQuery({ [name]: /** @type {HTMLSelectElement} */ (event.target).value });
        } }, h("option", { value: "" }, "all"), all.map((one) => h("option", { value: one }, one))));
    }

    tools() {
        const { query, context } = this;
        const group = query.get("group") ?? "";
        const press = (/** @type {string} */ value, /** @type {string} */ text) => h("button", {
            type: "button", "aria-pressed": String(group === value), onclick: () => context.setQuery({ group: value }),
        }, text);
        return h("div", { class: "toolbar", role: "search", "aria-label": "Risks" },
            h("label", { class: "grow" }, "Search", h("input", { type: "search", value: query.get("q") ?? "",
                placeholder: "message, resource, check …", oninput: (/** @type {Event} */ event) => {
                    context.setQuery({ q: /** @type {HTMLInputElement} */ (event.target).value });
                } })),
            this.select("severity", "Severity", SEVERITIES),
            this.select("category", "Category", CATEGORIES),
            this.select("namespace", "Namespace", this.choices?.namespace ?? []),
            this.select("check", "Check", this.choices?.check ?? []),
            this.select("framework", "Framework", this.choices?.framework ?? []),
            h("div", { class: "segments", role: "group", "aria-label": "Group" },
                press("", "One list"), press("workload", "By workload"), press("check", "By check")));
    }

    /** @param {Searchable} risk */
    line(risk) {
        const { id } = risk;
        return riskLine(this.clusterId, risk, this.risks, {
            open: this.opened.has(id),
            wanted: this.query.get("risk") === id,
            toggled: (open) => this.toggle(id, open),
        });
    }

    /** @param {string} id @param {boolean} open */
    toggle(id, open) {
        if (open !== this.opened.has(id)) {
            if (open) {
                this.opened.add(id);
            } else {
                this.opened.delete(id);
            }
            this.draw();
        }
    }

    /** @param {import("./filter.js").Group} group */
    group({ name, risks, points, worst }) {
        const id = `group ${name}`;
        return h("details", { key: id, class: "group", ontoggle: (/** @type {Event} */ event) => {
            this.toggle(id, /** @type {HTMLDetailsElement} */ (event.currentTarget).open);
        } },
        h("summary", null, h("span", { class: "points number" }, points > 0.005 ? `−${points.toFixed(2)}` : "0"),
            severityTag(worst), h("span", { class: "risk-text" }, h("b", null, h("bdi", null, name)),
                h("span", { class: "muted small" }, `${risks.length} ${risks.length === 1 ? "risk" : "risks"}`))),
        this.opened.has(id) && h("div", { class: "risk-list" }, risks.slice(0, 500).map((risk) => this.line(risk)),
            risks.length > 500 && h("p", { class: "muted" }, "The 500 costliest are shown. Narrow them down.")));
    }

    /** @param {Searchable[]} found */
    list(found) {
        const by = this.query.get("group");
        const all = by === "workload" || by === "check" ? grouped(found, by) : found;
        const rest = all.length - this.limit;
        const lines = all.slice(0, this.limit).map((one) => ("worst" in one ? this.group(one) : this.line(one)));
        return [h("div", { class: "risk-list" }, lines), rest > 0 && h("button", { type: "button", onclick: () => {
            this.limit += CHUNK;
            this.draw();
        } }, `Show ${Math.min(rest, CHUNK)} more of ${rest}`)];
    }

    draw() {
        if (this.wanted) {
            this.stretch();
        }
        const found = narrowed(this.risks, this.query);
        const points = found.reduce((sum, { impact }) => sum + impact, 0);
        const isNarrow = NARROW.some((name) => this.query.get(name));
        const count = `${found.length}${isNarrow ? ` of ${this.risks.length}` : ""} ` +
            `${found.length === 1 ? "risk" : "risks"}, ${points.toFixed(2)} points`;
        morph(this.root,
            h("div", { class: "page-head" }, h("h2", { id: "risks" }, "Risks"), h("span", { class: "muted" }, count),
                h("div", { class: "spacer" }),
                isNarrow && h("button", { type: "button", class: "small", onclick: () => this.clear() },
                    "Clear filters")),
            this.tools(),
            this.isGone() && h("p", { class: "notice" }, "The risk that the link names is gone: the latest snapshot " +
                "does not have it."),
            found.length === 0 && h("p", { class: "muted" }, isNarrow ? "No risk is like that." : "Nothing was found."),
            this.list(found), agesOf(this.takenAt));
        this.tell(count);
    }

    isGone() {
        const risk = this.query.get("risk");
        return risk !== null && !this.risks.some(({ id }) => id === risk);
    }

    clear() {
        this.context.setQuery(Object.fromEntries(NARROW.map((name) => [name, null])));
    }

    /**
     * Says how many there are, once somebody has stopped typing.
     * @param {string} count
     */
    tell(count) {
        if (count !== this.said) {
            this.said = count;
            clearTimeout(this.timer);
            this.timer = window.setTimeout(() => announce(count), 800);
        }
    }

    said = "";
}
