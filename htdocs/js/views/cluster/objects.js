// @ts-check
// Workloads, pods, nodes and events of the latest snapshot.

import { h, morph } from "../../core/dom.js";
import { poll } from "../../core/poll.js";
import { failure, loading, stale } from "../../parts/states.js";
import { paged, sorted, table } from "../../parts/table.js";
import { kinds } from "./kinds.js";
import { kindOf, nameOf, namespaceOf } from "./kube.js";

/** @typedef {import("../../core/types.js").KubeObject} KubeObject */

const PAGE = 100;

/** A tab with a table of objects. */
export class ObjectsPanel {
    root = h("section", { class: "card flush", "aria-labelledby": "objects", preserve: true });
    /** @type {KubeObject[] | null} */
    objects = null;
    /** @type {unknown} */
    problem = null;
    seen = Date.now();

    /**
     * @param {import("../../core/router.js").Context} context
     * @param {string} clusterId
     * @param {string} tab
     */
    constructor(context, clusterId, tab) {
        this.context = context;
        this.clusterId = clusterId;
        this.kind = kinds[tab];
        this.query = context.place.query;
        this.reads = this.poll();
        this.draw();
    }

    poll() {
        const { include } = this.kind;
        const { signal, active } = this.context;
        return poll("/api/cluster", () => ({ id: this.clusterId, include }), {
            every: 15_000, signal, active,
            show: (data) => {
                this.objects = include.split(",").flatMap((one) => /** @type {KubeObject[]} */ (data[one] ?? []));
                this.draw();
            },
            well: () => {
                const { problem } = this;
                Object.assign(this, { problem: null, seen: Date.now() });
                if (problem) {
                    this.draw();
                }
            },
            failed: (error) => {
                this.problem = error;
                this.draw();
            },
        });
    }

    /** @param {KubeObject[]} objects */
    found(objects) {
        const words = (this.query.get("q") ?? "").toLowerCase().split(/\s+/).filter(Boolean);
        const namespace = this.query.get("namespace");
        const bad = this.query.get("only") === "bad";
        return objects.filter((one) => (!namespace || namespaceOf(one) === namespace) && (!bad || this.kind.bad(one)) &&
            words.every((word) => this.kind.words(one).toLowerCase().includes(word)));
    }

    /** @param {KubeObject[]} objects @param {number} count */
    tools(objects, count) {
        const { query, context, kind } = this;
        const namespaces = [...new Set(objects.map(namespaceOf))].filter(Boolean).sort();
        const given = query.get("namespace");
        const value = (/** @type {Event} */ event) => /** @type {HTMLInputElement} */ (event.target).value;
        const all = given && !namespaces.includes(given) ? [...namespaces, given] : namespaces;
        return h("div", { class: "toolbar inside", role: "search", "aria-label": kind.title },
            h("label", { class: "grow" }, "Search", h("input", { type: "search", value: query.get("q") ?? "",
                oninput: (/** @type {Event} */ event) => context.setQuery({ q: value(event), page: null }) })),
            all.length > 0 && h("label", null, "Namespace", h("select", { value: given ?? "",
                onchange: (/** @type {Event} */ event) => context.setQuery({ namespace: value(event), page: null }) },
            h("option", { value: "" }, "all"), all.map((one) => h("option", { value: one }, one)))),
            h("label", null, "Show", h("select", { value: query.get("only") ?? "",
                onchange: (/** @type {Event} */ event) => context.setQuery({ only: value(event), page: null }) },
            h("option", { value: "" }, "all"), h("option", { value: "bad" }, "what needs a look"))),
            h("span", { class: "muted" }, `${count} of ${objects.length}`));
    }

    /** @param {KubeObject[]} objects */
    body(objects) {
        const { kind, query, context } = this;
        const sort = query.get("sort") ?? kind.sort;
        const found = sorted(this.found(objects), sort, kind.sorts);
        const { rows, pager } = paged(found, Number(query.get("page") ?? 1), PAGE,
            (page) => context.setQuery({ page: page > 1 ? page : null }, true));
        return [
            this.tools(objects, found.length),
            rows.length === 0 && h("p", { class: "state" }, objects.length > 0 ? "Nothing is like that."
                : `The latest snapshot has no ${kind.title.toLowerCase()}: there are none, or they are not pushed.`),
            rows.length > 0 && table({
                caption: kind.title, columns: kind.columns(this.clusterId), rows, sort,
                key: (one) => `${kindOf(one)}/${namespaceOf(one)}/${nameOf(one)}`,
                onsort: (next) => context.setQuery({ sort: next, page: null }),
            }),
            pager,
        ];
    }

    draw() {
        const { objects, problem, kind, seen } = this;
        morph(this.root, h("h2", { class: "visually-hidden", id: "objects" }, kind.title),
            h("div", { class: "over" }, problem && objects ? stale(problem, seen) : null),
            objects && this.body(objects),
            !objects && (problem ? failure(problem, () => this.reads.now()) : loading(kind.title.toLowerCase())));
    }

    /** @param {import("../../core/router.js").Place} place */
    changed({ query }) {
        this.query = query;
        this.draw();
    }
}
