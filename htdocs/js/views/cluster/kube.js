// @ts-check
// Reading objects of Kubernetes, of which nothing is certain: what is missing or of another type is empty.

/** @typedef {import("../../core/types.js").KubeObject} KubeObject */

/**
 * What is found along a path, else undefined.
 * @param {unknown} value
 * @param {...(string | number)} path
 * @returns {unknown}
 */
export function at(value, ...path) {
    let here = value;
    for (const name of path) {
        const has = typeof here === "object" && here !== null && Object.hasOwn(here, name);
        here = has ? Reflect.get(/** @type {object} */ (here), name) : undefined;
    }
    return here;
}

/** @param {unknown} value @param {...(string | number)} path @returns {string} */
export function text(value, ...path) {
    const found = at(value, ...path);
    return typeof found === "string" || typeof found === "number" || typeof found === "boolean" ? String(found) : "";
}

/** @param {unknown} value @param {...(string | number)} path @returns {number} 0 when it is none */
export function number(value, ...path) {
    const found = at(value, ...path);
    return typeof found === "number" ? found : 0;
}

/** @param {unknown} value @param {...(string | number)} path @returns {unknown[]} */
export function list(value, ...path) {
    const found = at(value, ...path);
    return Array.isArray(found) ? found : [];
}

/**
 * Whether an item is a summary: without `metadata`, all that it says stands at its top level. It is read as
 * lib/reader/summary.c does, and what it does not say is nothing: null, or empty.
 * @param {KubeObject} object
 */
export const isSummary = (object) => typeof object.metadata !== "object" || object.metadata === null;

/** @param {KubeObject} object */
const identity = (object) => (isSummary(object) ? object : object.metadata);

/** @param {KubeObject} object @returns {string} */
export const nameOf = (object) => text(identity(object), "name");

/** @param {KubeObject} object @returns {string} */
export const namespaceOf = (object) => text(identity(object), "namespace");

/** @param {KubeObject} object @returns {string} deployment */
export const kindOf = (object) => text(object, "kind").toLowerCase();

/**
 * Whom an object belongs to: deployment/api for its ReplicaSet.
 * @param {KubeObject} object
 * @returns {string}
 */
export function ownerOf(object) {
    const owner = list(object, "metadata", "ownerReferences")[0];
    return owner ? `${text(owner, "kind").toLowerCase()}/${text(owner, "name")}` : "";
}

/** @param {KubeObject} object @param {string} name @returns {number | null} what a summary says, also as a text */
export function told(object, name) {
    const found = text(object, name);
    return /^\d{1,15}$/.test(found) ? Number(found) : null;
}

/** @param {unknown} value @returns {string} True, False or Unknown in any case, or a boolean */
const conditionStatus = (value) =>
    ["True", "False", "Unknown"].find((one) => one.toLowerCase() === text(value).toLowerCase()) ?? "";

/** @param {KubeObject} object @returns {{type: string, status: string}[]} those that have a status */
export function conditions(object) {
    const found = isSummary(object) ? object.conditions : at(object, "status", "conditions");
    const all = Array.isArray(found) ? found.map((one) => ({ type: text(one, "type"), status: at(one, "status") }))
        : Object.entries(typeof found === "object" ? found ?? {} : {}).map(([type, status]) => ({ type, status }));
    return all.map(({ type, status }) => ({ type, status: conditionStatus(status) })).filter(({ status }) => status);
}

/** @param {KubeObject} object @returns {string} the status of the condition Ready */
export const readyCondition = (object) => conditions(object).find(({ type }) => type === "Ready")?.status ?? "";

/**
 * What a summary says by `ready`: true, "True", how many are, or "2/3".
 * @param {KubeObject} object
 * @returns {{status: string, ready: number | null, all: number | null}}
 */
export function toldReady(object) {
    const parts = /^(\d{1,15})\/(\d{1,15})$/.exec(text(object, "ready"));
    if (parts) {
        const [ready, all] = [Number(parts[1]), Number(parts[2])];
        return { status: ready >= all && all > 0 ? "True" : "False", ready, all };
    }
    const ready = told(object, "ready");
    const status = ready === 0 || ready === 1 ? conditionStatus(ready === 1) : conditionStatus(at(object, "ready"));
    return { status, ready, all: null };
}

/**
 * How many are ready, of how many, and whether that is enough; null: nobody says so.
 * @typedef {{ready: number | null, all: number | null, isReady: boolean | null}} Readiness
 */

/** @param {number | null} ready @param {number | null} all @param {string} [status] @returns {Readiness} */
export function readiness(ready, all, status = "") {
    const said = status === "True" || status === "False" ? status === "True" : null;
    return { ready, all, isReady: ready !== null && all !== null ? ready >= all : said };
}

/** @param {Readiness} readiness @returns {string} "2 of 3", or as much of it as is known */
export function readyWords({ ready, all, isReady }) {
    if (all !== null) {
        return `${ready ?? "?"} of ${all}`;
    }
    if (ready !== null) {
        return String(ready);
    }
    return isReady === null ? "" : isReady ? "yes" : "no";
}

/** @param {KubeObject} object @returns {Readiness} */
function toldReplicas(object) {
    const { status, ready, all: of } = toldReady(object);
    const all = told(object, "replicas") ?? of;
    const some = told(object, "readyReplicas") ?? ready ?? told(object, "availableReplicas");
    if (some === null && all !== null && (status === "True" || status === "False")) {
        return readiness(status === "True" ? all : 0, all);
    }
    return readiness(some, all, status);
}

/**
 * Ready and wanted replicas of a workload.
 * @param {KubeObject} object
 * @returns {Readiness}
 */
export function replicas(object) {
    const kind = kindOf(object);
    if (isSummary(object)) {
        return toldReplicas(object);
    }
    if (kind === "daemonset") {
        return readiness(number(object, "status", "numberReady"), number(object, "status", "desiredNumberScheduled"));
    }
    if (kind === "job") {
        return readiness(number(object, "status", "succeeded"), number(object, "spec", "completions") || 1);
    }
    const wanted = at(object, "spec", "replicas");
    return readiness(number(object, "status", "readyReplicas"), typeof wanted === "number" ? wanted : 1);
}

/** @param {KubeObject} object @returns {string[]} the images, each once */
export function images(object) {
    const spec = at(object, "spec", "template", "spec") ??
        at(object, "spec", "jobTemplate", "spec", "template", "spec") ?? at(object, "spec");
    const named = list(spec, "containers").map((one) => text(one, "image"));
    return [...new Set([...named, isSummary(object) ? text(object, "image") : ""].filter(Boolean))];
}

/** @param {KubeObject} pod @returns {string} the name of the node it is on */
export const nodeOf = (pod) => (isSummary(pod) ? text(pod, "node") || text(pod, "nodeName")
    : text(pod, "spec", "nodeName"));

/**
 * Of the two words of a summary, `ready` and the column of kubectl ("NotReady,SchedulingDisabled"), the worse one.
 * @param {KubeObject} node
 * @returns {string} the status of Ready
 */
function toldNodeReady(node) {
    const { status } = toldReady(node);
    const word = /^(not)?ready|^unknown/i.exec(text(node, "status") || text(node, "phase"));
    if (!word || status === "False") {
        return status;
    }
    return word[0].toLowerCase() === "ready" ? status || "True" : "False";
}

/** @param {KubeObject} node */
const isCordoned = (node) => at(node, "spec", "unschedulable") === true ||
    (isSummary(node) && text(node, "status").includes("SchedulingDisabled"));

/**
 * Ready, NotReady, and what else keeps pods away.
 * @param {KubeObject} node
 * @returns {string}
 */
export function nodeStatus(node) {
    const ready = readyCondition(node) || (isSummary(node) ? toldNodeReady(node) : "Unknown");
    const bad = conditions(node).filter(({ type, status }) => type !== "Ready" && status === "True");
    return [ready && (ready === "True" ? "Ready" : "NotReady"), isCordoned(node) && "cordoned",
        ...bad.map(({ type }) => type)].filter(Boolean).join(", ");
}

/**
 * A quantity of CPU as people say it: "3920m" is 3.92. What is none stays as it is.
 * @param {string} quantity
 * @returns {string}
 */
export function cpuWords(quantity) {
    const found = /^(\d{1,12})m$/.exec(quantity);
    return found ? String(Math.round(Number(found[1]) / 10) / 100) : quantity;
}

const BINARY = ["", "Ki", "Mi", "Gi", "Ti", "Pi"];

/**
 * A quantity of memory in the unit that keeps it short: "15074036Ki" is 14.4 GiB.
 * @param {string} quantity
 * @returns {string}
 */
export function memoryWords(quantity) {
    const found = /^(\d{1,15})(|[KMGTP]i)$/.exec(quantity);
    if (!found) {
        return quantity;
    }
    let unit = BINARY.indexOf(found[2]);
    let amount = Number(found[1]);
    while (amount >= 1024 && unit < BINARY.length - 1) {
        amount /= 1024;
        unit += 1;
    }
    return `${Math.round(amount * 10) / 10} ${BINARY[unit]}B`;
}

/** @param {KubeObject} event @returns {string} when it was last */
export const eventTime = (event) => text(event, "lastTimestamp") || text(event, "series", "lastObservedTime") ||
    text(event, "eventTime") || text(event, "firstTimestamp") || text(event, "metadata", "creationTimestamp");

/** @param {KubeObject} event @returns {string} pod/api-1 */
export function eventSubject(event) {
    const about = at(event, "involvedObject") ?? at(event, "regarding");
    return `${text(about, "kind").toLowerCase()}/${text(about, "name")}`;
}
