// @ts-check
// What was deployed, as snapshots told, the newest first.

import { h, morph } from "../../core/dom.js";
import { link } from "../../core/router.js";
import { filterBar } from "../../parts/filters.js";
import { live, pages, shown } from "../../parts/live.js";
import { foreign } from "../../parts/names.js";
import { chip } from "../../parts/score.js";
import { empty } from "../../parts/states.js";
import { table } from "../../parts/table.js";
import { duration, millis, moment } from "../../parts/time.js";
import { BECAME } from "../gate-outcomes.js";

/** @typedef {import("../../core/types.js").Deploy} Deploy */
/** @typedef {import("../../core/dom.js").Child} Child */

const PAGE = 50;

/** @type {Record<Deploy["event"], string>} */
const EVENTS = { started: "Rollout started", rolled_back: "Rolled back", changed: "Changed",
    finished: "Rollout finished", stalled: "Rollout stalled" };

/** The mark beside the words: never colour alone. @type {Record<Deploy["event"], string>} */
const TONES = { started: "", rolled_back: "warn", changed: "", finished: "good", stalled: "bad" };

/** @param {Deploy["images"]} images @returns {Child[]} */
const imageLines = (images) => images.map(({ container, from, to }) => h("li", { key: `image ${container}` },
    foreign(container), ": ", from === null ? null : [foreign(from), " → "], to === null ? "gone" : foreign(to)));

/** @param {Deploy} deploy @returns {Child} */
function what({ changes, images, configuration, replicas, cause, event, at, started_at: began }) {
    const lines = [
        changes.includes("created") && h("li", { key: "created" }, "a new workload"),
        ...imageLines(images),
        changes.includes("template") && h("li", { key: "template" }, "its template, with the same images"),
        replicas && h("li", { key: "replicas" }, `replicas: ${replicas.from} → ${replicas.to}`),
        ...configuration.map((one) => h("li", { key: one }, "configuration: ", foreign(one))),
        cause && h("li", { key: "cause" }, "“", foreign(cause), "”"),
        (event === "finished" || event === "stalled") && began && h("li", { key: "took" },
            `after ${duration(millis(at) - millis(began))}`),
    ].filter(Boolean);
    return lines.length ? h("ul", { class: "plain" }, lines) : h("span", { class: "muted" }, "–");
}

/** @param {Deploy} deploy @returns {Child} */
const gate = ({ decision_id: id, decision, outcome }) => (id === null || decision === null
    ? h("span", { class: "muted" }, "not asked")
    : [h("a", { href: link(["gate", id]) }, chip(decision)), outcome && ` ${BECAME[outcome.outcome]}`]);

/** @param {Deploy[]} rows */
const list = (rows) => table({
    caption: "Deploys, the newest first",
    rows,
    key: ({ id }) => id,
    columns: [
        { label: "When", cell: ({ at }) => moment(at) },
        { label: "Workload", head: true, cell: ({ namespace, resource }) => [foreign(resource), " ",
            h("span", { class: "muted small" }, foreign(namespace))] },
        { label: "What happened", cell: ({ event }) => h("span", { class: `tag ${TONES[event]}` }, EVENTS[event]) },
        { label: "What changed", cell: what },
        { label: "By", cell: ({ by }) => (by ? foreign(by) : h("span", { class: "muted" }, "–")) },
        { label: "Gate", cell: gate },
    ],
});

const FILTERS = ["namespace", "resource", "event", "from", "to"];

/** @param {URLSearchParams} query */
const none = (query) => (FILTERS.some((name) => query.get(name))
    ? empty("No deploy fits", h("p", null, "Nothing like this was deployed. Take a filter away."))
    : empty("Nothing was deployed yet", h("p", null, "What changes from one snapshot to the next is listed here: " +
        "images, templates, replicas, configuration, and how rollouts went on.")));

/** The tab with what was deployed. */
export class DeploysPanel {
    root = h("section", { class: "card deploys", "aria-labelledby": "deploys", preserve: true });

    /**
     * @param {import("../../core/router.js").Context} context
     * @param {string} clusterId
     */
    constructor(context, clusterId) {
        this.context = context;
        this.clusterId = clusterId;
        this.query = context.place.query;
        this.deploys = live("/api/deploys", () => this.params(), { signal: context.signal, active: context.active,
            draw: () => this.draw() });
        this.draw();
    }

    params() {
        const of = (/** @type {string} */ name) => this.query.get(name);
        return {
            clusterId: this.clusterId, namespace: of("namespace"), resource: of("resource"), event: of("event"),
            from: of("from"), to: of("to"), cursor: of("cursor"), limit: PAGE,
        };
    }

    draw() {
        const { query, context, deploys } = this;
        morph(this.root, h("h2", { id: "deploys" }, "Deploys"),
            filterBar([
                { name: "resource", label: "Workload", type: "text", placeholder: "deployment/api" },
                { name: "namespace", label: "Namespace", type: "text" },
                { name: "event", label: "What happened", type: "select",
                    options: [["", "anything"], ...Object.entries(EVENTS)] },
                { name: "from", label: "Since", type: "time" },
                { name: "to", label: "Until", type: "time" },
            ], query, context.setQuery),
            shown(deploys, "deploys", (rows) => (rows.length ? list(rows) : none(query))),
            deploys.data && pages(deploys, query, context.setQuery));
    }

    /** @param {import("../../core/router.js").Place} place */
    changed({ query }) {
        const before = JSON.stringify(this.params());
        this.query = query;
        if (JSON.stringify(this.params()) === before) {
            this.draw();
        } else {
            this.deploys.again();
        }
    }
}
