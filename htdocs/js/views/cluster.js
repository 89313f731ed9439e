// @ts-check
// A cluster: why its score is what it is, how it got there, and what is in it.

import { ApiError } from "../core/http.js";
import { h, morph } from "../core/dom.js";
import { poll } from "../core/poll.js";
import { link } from "../core/router.js";
import { severityTag, signed } from "../parts/score.js";
import { empty, failure, loading, stale } from "../parts/states.js";
import { agesOf } from "./cluster/ages.js";
import { ChangesCard } from "./cluster/changes.js";
import { DeploysPanel } from "./cluster/deploys.js";
import { NARROW } from "./cluster/filter.js";
import { clusterHead } from "./cluster/head.js";
import { HistoryCard } from "./cluster/history.js";
import { LogsPanel } from "./cluster/logs.js";
import { ObjectsPanel } from "./cluster/objects.js";
import { RiskList } from "./cluster/risks.js";

/** @typedef {import("../core/router.js").Context} Context */
/** @typedef {import("../core/router.js").Place} Place */
/** @typedef {import("../core/types.js").Cluster} Cluster */
/** @typedef {{root: HTMLElement, changed: (place: Place) => void}} Panel */

/** @type {[tab: string, text: string][]} */
const TABS = [["", "Score and risks"], ["workloads", "Workloads"], ["pods", "Pods"], ["nodes", "Nodes"],
    ["events", "Events"], ["deploys", "Deploys"], ["logs", "Logs"]];

/** @param {{namespace?: string, resource?: string}} risk */
const placeOf = ({ namespace, resource }) => [namespace, resource].filter(Boolean).join(" ");

/** What the first tab has: the chart, what changed, the risks. */
class Overview {
    /** @param {Context} context @param {string} id */
    constructor(context, id) {
        this.context = context;
        this.id = id;
        this.changes = new ChangesCard(context, id, () => this.chart?.redraw());
        this.chart = new HistoryCard(context, id, {
            pins: () => this.changes.pins(), picked: (at, shift) => this.changes.pick(at, shift),
        });
        this.risks = new RiskList(context, id);
        /** @type {unknown} */
        this.problem = null;
        this.loaded = false;
        this.seen = Date.now();
        this.takenAt = "";
        this.reads = this.poll();
        this.root = h("div", { class: "stack", preserve: true });
        this.draw();
    }

    poll() {
        return poll("/api/cluster", () => ({ id: this.id, include: "risks" }), {
            every: 10_000,
            signal: this.context.signal,
            active: this.context.active,
            well: () => {
                const { problem } = this;
                Object.assign(this, { problem: null, seen: Date.now() });
                if (problem) {
                    this.draw();
                }
                this.changes.again();
            },
            show: (data) => {
                this.loaded = true;
                this.takenAt = String(data.taken_at);
                this.risks.show(/** @type {import("../core/types.js").Risk[]} */ (data.risks), this.takenAt);
                this.draw();
                this.risks.reveal();
                // The end of what is compared may be now.
                this.changes.read();
            },
            failed: (error) => {
                this.problem = error;
                this.draw();
            },
        });
    }

    /** Why the score is what it is, before anything else. */
    costliest() {
        const some = this.risks.risks.filter(({ impact }) => impact > 0).slice(0, 3);
        const show = (/** @type {Event} */ event, /** @type {string} */ risk) => {
            event.preventDefault();
            const none = Object.fromEntries([...NARROW, "group"].map((name) => [name, null]));
            this.context.setQuery({ ...none, risk }, true);
        };
        return some.length > 0 && h("section", { class: "card costliest", "aria-labelledby": "costliest" },
            h("h2", { id: "costliest" }, "What costs the most"),
            h("ol", { class: "change-list" }, some.map(({ id, impact, severity, message, ...risk }) =>
                h("li", { key: id }, h("span", { class: "points number" }, signed(-impact)), severityTag(severity),
                    h("span", { class: "risk-text" },
                        h("a", { href: link(["clusters", this.id], { risk: id }),
                            onclick: (/** @type {Event} */ event) => show(event, id) }, message),
                        h("span", { class: "muted small" },
                            h("bdi", null, placeOf(risk)), ": ", risk.recommendation))))),
        agesOf(this.takenAt));
    }

    draw() {
        const { problem, loaded, seen } = this;
        const old = problem && loaded ? h("div", { class: "over" }, stale(problem, seen)) : null;
        morph(this.root, old, this.costliest(), this.chart.root, this.changes.root,
            loaded ? this.risks.root : h("div", { class: "card" },
                problem ? failure(problem, () => this.reads.now()) : loading("risks")));
    }

    /** @param {Place} place */
    changed(place) {
        this.chart.changed(place);
        this.changes.changed(place);
        this.risks.changed(place);
    }
}

/** The page of one cluster. */
class ClusterView {
    /** @type {Cluster | null} */
    cluster = null;
    /** @type {unknown} */
    problem = null;
    gone = false;
    seen = Date.now();
    tab = "";
    /** @type {Map<string, Panel>} */
    panels = new Map();

    /** @param {Context} context */
    constructor(context) {
        this.context = context;
        this.id = context.place.params.id;
        this.place = context.place;
        context.setTitle(this.id);
        this.reads = this.poll();
        this.changed(context.place);
    }

    poll() {
        return poll("/api/clusters", () => ({ id: this.id }), {
            every: 5000,
            signal: this.context.signal,
            show: (data) => {
                this.cluster = data.find(({ id }) => id === this.id) ?? null;
                this.gone = !this.cluster;
                this.draw();
            },
            well: () => {
                this.seen = Date.now();
                if (this.problem) {
                    this.problem = null;
                    this.draw();
                }
            },
            failed: (error) => {
                this.gone = error instanceof ApiError && error.code === "unknown_cluster";
                this.problem = error;
                this.draw();
            },
        });
    }

    /** @returns {Panel} */
    panel() {
        let panel = this.panels.get(this.tab);
        if (!panel) {
            panel = this.make();
            this.panels.set(this.tab, panel);
        }
        return panel;
    }

    /** @returns {Panel} */
    make() {
        const { tab } = this;
        // What nobody looks at asks nothing.
        const context = { ...this.context, place: this.place, active: () => this.tab === tab };
        if (this.tab === "logs") {
            return new LogsPanel(context, this.id);
        }
        if (this.tab === "deploys") {
            return new DeploysPanel(context, this.id);
        }
        return this.tab === "" ? new Overview(context, this.id) : new ObjectsPanel(context, this.id, this.tab);
    }

    tabs() {
        return h("nav", { "aria-label": "Parts of the cluster" }, h("ul", { class: "tabs" }, TABS.map(([tab, text]) =>
            h("li", null, h("a", { href: link(tab ? ["clusters", this.id, tab] : ["clusters", this.id]),
                "aria-current": tab === this.tab ? "page" : null }, text)))));
    }

    draw() {
        const { context, cluster, problem, gone } = this;
        if (gone) {
            morph(context.root, h("h1", null, h("bdi", null, this.id)), empty("There is no such cluster",
                h("p", null, "It was deleted, or its name is another."),
                h("p", null, h("a", { href: "#/clusters" }, "To the clusters"))));
            return;
        }
        if (!cluster) {
            morph(context.root, h("h1", null, h("bdi", null, this.id)),
                problem ? failure(problem, () => this.reads.now()) : loading("the cluster"));
            return;
        }
        morph(context.root, problem ? stale(problem, this.seen) : null,
            clusterHead(cluster, () => this.reads.now()), this.tabs(), this.panel().root);
    }

    /** @param {Place} place */
    changed(place) {
        const known = TABS.some(([tab]) => tab === place.params.tab);
        this.tab = known ? place.params.tab : "";
        this.place = place;
        this.panels.get(this.tab)?.changed(place);
        this.draw();
    }
}

/**
 * @param {Context} context
 * @returns {import("../core/router.js").View}
 */
export function open(context) {
    const view = new ClusterView(context);
    return { changed: (place) => view.changed(place) };
}
