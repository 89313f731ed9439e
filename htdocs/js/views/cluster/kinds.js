// @ts-check
// The tables of what is in a cluster: which collections each tab reads, and its columns.

import { h } from "../../core/dom.js";
import { link } from "../../core/router.js";
import { breakable } from "../../parts/names.js";
import { timeAgo } from "../../parts/time.js";
import {
    cpuWords, eventSubject, eventTime, images, kindOf, memoryWords, nameOf, namespaceOf, nodeOf, nodeStatus, number,
    ownerOf, readyWords, replicas, text,
} from "./kube.js";
import { containers, isBadPod, podStatus, restarts } from "./pod.js";

/** @typedef {import("../../core/types.js").KubeObject} KubeObject */
/** @typedef {import("../../parts/table.js").Column<KubeObject>} Column */

/**
 * @typedef {object} Kind
 * @property {string} title
 * @property {string} include as GET /api/cluster takes it
 * @property {(cluster: string) => Column[]} columns
 * @property {{[name: string]: (object: KubeObject) => string | number | null}} sorts
 * @property {string} sort unless somebody sorts otherwise
 * @property {(object: KubeObject) => boolean} bad worth a look
 * @property {(object: KubeObject) => string} words what a search looks at
 */

/** Letters of a text that are put on the page; the snapshot may have a megabyte of it. */
const MOST = 2000;

/** @param {string} words */
const cut = (words) => (words.length <= MOST ? words
    : `${words.slice(0, MOST)} … (cut: it has ${words.length.toLocaleString("en")} letters)`);

/** @param {boolean} bad @param {string} words */
const state = (bad, words) => h("span", { class: bad ? "state-word loss" : "state-word" }, bad && "⚠ ",
    h("bdi", null, cut(words)));

/** @param {KubeObject} object */
const created = (object) => timeAgo(text(object, "metadata", "creationTimestamp"), "unknown");

/** @param {KubeObject} event */
const messageOf = (event) => text(event, "message") || text(event, "note");

/**
 * A link to a part of the cluster's page.
 * @param {string[]} parts
 * @param {{[name: string]: string}} query
 * @param {import("../../core/dom.js").Child} label
 */
const to = (parts, query, label) => h("a", { class: "to", href: link(["clusters", ...parts], query) }, label);

/** @param {string} words */
const plain = (words) => h("bdi", null, cut(words));

/** @param {KubeObject} object */
const isShort = (object) => kindOf(object) !== "cronjob" && replicas(object).isReady === false;

/** @param {KubeObject} object */
const ready = (object) => (kindOf(object) === "cronjob"
    ? h("span", { class: "muted" }, text(object, "spec", "schedule"))
    : state(isShort(object), readyWords(replicas(object))));

/** @param {KubeObject} object @returns {number | null} how many more are ready than are wanted */
function surplus(object) {
    const { ready: have, all } = replicas(object);
    return have === null || all === null ? null : have - all;
}

/** @type {Kind} */
const workloads = {
    title: "Workloads",
    include: "deployments,statefulsets,daemonsets,jobs,cronjobs",
    sort: "name",
    bad: isShort,
    words: (one) => `${kindOf(one)}/${nameOf(one)} ${namespaceOf(one)} ${images(one).join(" ")}`,
    sorts: {
        name: nameOf, namespace: namespaceOf, kind: kindOf, ready: surplus,
        age: (one) => text(one, "metadata", "creationTimestamp"),
    },
    columns: (cluster) => [
        { label: "Name", cell: (one) => plain(nameOf(one)), sort: "name", head: true },
        { label: "Namespace", cell: (one) => plain(namespaceOf(one)), sort: "namespace" },
        { label: "Kind", cell: (one) => h("span", { class: "nowrap" }, text(one, "kind")), sort: "kind" },
        { label: "Ready", cell: ready, sort: "ready" },
        { label: "Images", cell: (one) => images(one).map((image) =>
            h("code", { class: "small image" }, breakable(image))) },
        { label: "Created", cell: created, sort: "age", down: true },
        { label: "", cell: (one) => h("span", { class: "row small" },
            to([cluster, "pods"], { q: nameOf(one), namespace: namespaceOf(one) }, "pods"),
            to([cluster, "logs"], { workload: `${kindOf(one)}/${nameOf(one)}`, namespace: namespaceOf(one) }, "logs"),
            to([cluster], { q: `${kindOf(one)}/${nameOf(one)}`, namespace: namespaceOf(one) }, "risks")) },
    ],
};

/** @type {Kind} */
const pods = {
    title: "Pods",
    include: "pods",
    sort: "name",
    bad: isBadPod,
    words: (one) => `pod/${nameOf(one)} ${namespaceOf(one)} ${podStatus(one)} ${nodeOf(one)}`,
    sorts: {
        name: nameOf, namespace: namespaceOf, status: podStatus, restarts, node: nodeOf,
        age: (one) => text(one, "metadata", "creationTimestamp"),
    },
    columns: (cluster) => [
        { label: "Name", cell: (one) => plain(nameOf(one)), sort: "name", head: true },
        { label: "Namespace", cell: (one) => plain(namespaceOf(one)), sort: "namespace" },
        { label: "Status", cell: (one) => state(isBadPod(one), podStatus(one)), sort: "status" },
        { label: "Ready", cell: (one) => readyWords(containers(one)) },
        { label: "Restarts", cell: restarts, sort: "restarts", number: true, down: true },
        { label: "Node", sort: "node", cell: (one) =>
            nodeOf(one) && to([cluster, "nodes"], { q: nodeOf(one) }, plain(nodeOf(one))) },
        { label: "Owner", cell: (one) => plain(ownerOf(one)) },
        { label: "Created", cell: created, sort: "age", down: true },
        { label: "", cell: (one) => to([cluster, "logs"], { pod: nameOf(one), namespace: namespaceOf(one) }, "logs") },
    ],
};

/** @param {KubeObject} node @param {string} what */
const allocatable = (node, what) => text(node, "status", "allocatable", what);

/** @param {KubeObject} node */
const isBadNode = (node) => !["Ready", ""].includes(nodeStatus(node));

/** @type {Kind} */
const nodes = {
    title: "Nodes",
    include: "nodes",
    sort: "name",
    bad: isBadNode,
    words: (one) => `node/${nameOf(one)} ${nodeStatus(one)} ${text(one, "status", "nodeInfo", "kubeletVersion")}`,
    sorts: { name: nameOf, status: nodeStatus, age: (one) => text(one, "metadata", "creationTimestamp") },
    columns: (cluster) => [
        { label: "Name", cell: (one) => plain(nameOf(one)), sort: "name", head: true },
        { label: "Status", cell: (one) => state(isBadNode(one), nodeStatus(one)), sort: "status" },
        { label: "Kubelet", cell: (one) => plain(text(one, "status", "nodeInfo", "kubeletVersion")) },
        { label: "CPU", cell: (one) => plain(cpuWords(allocatable(one, "cpu"))), number: true },
        { label: "Memory", cell: (one) => plain(memoryWords(allocatable(one, "memory"))), number: true },
        { label: "System", cell: (one) => plain(text(one, "status", "nodeInfo", "osImage")) },
        { label: "Created", cell: created, sort: "age", down: true },
        { label: "", cell: (one) => to([cluster, "pods"], { q: nameOf(one) }, "pods") },
    ],
};

/** @type {Kind} */
const events = {
    title: "Events",
    include: "events",
    sort: "-time",
    bad: (one) => text(one, "type") === "Warning",
    words: (one) => `${eventSubject(one)} ${namespaceOf(one)} ${text(one, "reason")} ${messageOf(one)}`,
    sorts: {
        time: eventTime, reason: (one) => text(one, "reason"), subject: eventSubject, namespace: namespaceOf,
        count: (one) => number(one, "count") || 1,
    },
    columns: () => [
        { label: "Last", cell: (one) => timeAgo(eventTime(one), "unknown"), sort: "time", down: true },
        { label: "Reason", cell: (one) => state(text(one, "type") === "Warning", text(one, "reason")), sort: "reason" },
        { label: "About", cell: (one) => plain(eventSubject(one)), sort: "subject", head: true },
        { label: "Namespace", cell: (one) => plain(namespaceOf(one)), sort: "namespace" },
        { label: "Message", cell: (one) => h("bdi", { class: "message" }, cut(messageOf(one))) },
        { label: "Times", cell: (one) => number(one, "count") || 1, sort: "count", number: true, down: true },
    ],
};

/** @type {{[tab: string]: Kind}} */
export const kinds = { workloads, pods, nodes, events };
