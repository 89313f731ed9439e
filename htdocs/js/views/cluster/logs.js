// @ts-check
// Logs that agents have pushed, the newest first.

import { get, isAbort } from "../../core/api.js";
import { h, morph } from "../../core/dom.js";
import { repeat } from "../../core/poll.js";
import { failure, loading } from "../../parts/states.js";
import { fullMoment, instant, localInput } from "../../parts/time.js";

/** @typedef {import("../../core/types.js").LogLine} LogLine */

const LEVELS = ["trace", "debug", "info", "warn", "error", "fatal"];

/** Texts that narrow the lines: parameter, label, example. */
const TEXTS = [["q", "Text", ""], ["workload", "Workload", "deployment/api"], ["pod", "Pod", ""],
    ["namespace", "Namespace", ""], ["container", "Container", ""]];

/** @param {string} level */
const toneOf = (level) => (LEVELS.includes(level.toLowerCase()) ? level.toLowerCase() : "info");

/** The tab with logs. */
export class LogsPanel {
    root = h("section", { class: "card logs", "aria-labelledby": "logs", preserve: true });
    /** @type {LogLine[] | null} */
    lines = null;
    next = "";
    /** @type {unknown} */
    problem = null;
    /** Whether older pages are shown: then nothing moves below the reader. */
    older = false;
    /** Whether a page of older ones is on its way. */
    reading = false;

    /**
     * @param {import("../../core/router.js").Context} context
     * @param {string} clusterId
     */
    constructor(context, clusterId) {
        const { signal, active } = context;
        this.context = context;
        this.clusterId = clusterId;
        this.query = context.place.query;
        this.reads = repeat({ every: 5000, signal, active, work: () => this.read(), failed: (error) => {
            this.problem = error;
            this.draw();
        } });
        this.draw();
    }

    params() {
        const { query } = this;
        const of = (/** @type {string} */ name) => query.get(name);
        return {
            cluster: this.clusterId, limit: 200, level: of("level"), q: of("q"), workload: of("workload"),
            pod: of("pod"), namespace: of("namespace"), container: of("container"), from: of("since"), to: of("until"),
        };
    }

    async read() {
        if (this.older) {
            return;
        }
        const asked = this.query.toString();
        const { data, next } = await get("/api/logs", this.params(), { signal: this.context.signal });
        if (asked === this.query.toString() && !this.older) {
            this.lines = data;
            this.next = next;
            this.problem = null;
            this.draw();
        }
    }

    async more() {
        if (this.reading) {
            return;
        }
        const asked = this.query.toString();
        this.reading = true;
        this.older = true;
        try {
            const { data, next } = await get("/api/logs", {}, { signal: this.context.signal, next: this.next });
            // Not when something else is asked by now.
            if (asked === this.query.toString() && this.older) {
                this.lines = [...(this.lines ?? []), ...data];
                this.next = next;
                this.problem = null;
            }
        } catch (error) {
            if (!isAbort(error) && asked === this.query.toString()) {
                this.problem = error;
            }
        }
        this.reading = false;
        this.draw();
    }

    tools() {
        const { query, context } = this;
        const value = (/** @type {Event} */ event) => /** @type {HTMLInputElement} */ (event.target).value;
        const time = (/** @type {string} */ name, /** @type {string} */ label) => {
            const at = instant(query.get(name));
            const shown = Number.isNaN(at) ? "" : localInput(at);
            return h("label", null, label, h("input", { type: "datetime-local", value: shown,
                onchange: (/** @type {Event} */ event) => {
                    const ms = instant(value(event));
                    context.setQuery({ [name]: Number.isNaN(ms) ? null : new Date(ms).toISOString() });
                } }));
        };
        return h("div", { class: "toolbar", role: "search", "aria-label": "Logs" },
            TEXTS.map(([name, label, placeholder]) => h("label", null, label, h("input", {
                type: "search", placeholder, value: query.get(name) ?? "",
                onchange: (/** @type {Event} */ event) => context.setQuery({ [name]: value(event) }),
            }))),
            h("label", null, "Level at least", h("select", { value: query.get("level") ?? "",
                onchange: (/** @type {Event} */ event) => context.setQuery({ level: value(event) }) },
            h("option", { value: "" }, "any"), LEVELS.map((one) => h("option", { value: one }, one.toUpperCase())))),
            time("since", "From (empty: 1 h)"), time("until", "To (empty: now)"));
    }

    /** @param {LogLine[]} lines */
    list(lines) {
        return h("ol", { class: "log-lines" }, lines.map(({ timestamp, level, namespace, pod, container, message }) =>
            h("li", { key: `${timestamp} ${namespace} ${pod} ${container} ${message}`, class: `log ${toneOf(level)}` },
                fullMoment(timestamp), h("span", { class: "tag" }, level),
                h("span", { class: "muted small" }, h("bdi", null, `${namespace}/${pod} ${container}`)),
                h("pre", null, message))));
    }

    draw() {
        const { lines, problem } = this;
        morph(this.root, h("h2", { id: "logs" }, "Logs"), this.tools(),
            problem ? failure(problem, () => (this.older ? this.more() : this.reads.now())) : null,
            !lines && !problem && loading("logs"),
            lines?.length === 0 && h("p", { class: "muted" },
                "No lines are like that. Those of containers that fail are pushed by ",
                h("code", null, "loadline-agent --logs"), ", any others by ", h("code", null, "POST /ingest/logs"),
                ". Without a time the last hour is searched."),
            lines && this.list(lines),
            this.next && h("button", { type: "button", onclick: () => this.more() }, "Show older lines"),
            this.older && h("button", { type: "button", onclick: () => {
                this.older = false;
                this.reads.now();
            } }, "Back to the newest"));
    }

    /** @param {import("../../core/router.js").Place} place */
    changed({ query }) {
        if (query.toString() !== this.query.toString()) {
            this.query = query;
            this.older = false;
            this.lines = null;
            this.reads.now();
        }
        this.draw();
    }
}
