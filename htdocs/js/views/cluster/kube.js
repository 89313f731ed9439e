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

/** @param {KubeObject} object @returns {string} */
export const nameOf = (object) => text(object, "metadata", "name");

/** @param {KubeObject} object @returns {string} */
export const namespaceOf = (object) => text(object, "metadata", "namespace");

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

/**
 * Wanted and ready replicas of a workload.
 * @param {KubeObject} object
 * @returns {{wanted: number, ready: number}}
 */
export function replicas(object) {
    const kind = kindOf(object);
    if (kind === "daemonset") {
        const wanted = number(object, "status", "desiredNumberScheduled");
        return { wanted, ready: number(object, "status", "numberReady") };
    }
    if (kind === "job") {
        return { wanted: number(object, "spec", "completions") || 1, ready: number(object, "status", "succeeded") };
    }
    const wanted = at(object, "spec", "replicas");
    return { wanted: typeof wanted === "number" ? wanted : 1, ready: number(object, "status", "readyReplicas") };
}

/** @param {KubeObject} object @returns {string[]} the images, each once */
export function images(object) {
    const spec = at(object, "spec", "template", "spec") ??
        at(object, "spec", "jobTemplate", "spec", "template", "spec") ?? at(object, "spec");
    return [...new Set(list(spec, "containers").map((one) => text(one, "image")).filter(Boolean))];
}

/**
 * What kubectl shows as the status of a pod.
 * @param {KubeObject} pod
 * @returns {string}
 */
export function podStatus(pod) {
    if (at(pod, "metadata", "deletionTimestamp")) {
        return "Terminating";
    }
    const states = list(pod, "status", "containerStatuses");
    const reasons = states.map((one) => text(one, "state", "waiting", "reason") ||
        text(one, "state", "terminated", "reason"));
    return reasons.find((one) => one && one !== "Completed") || text(pod, "status", "reason") ||
        reasons.find(Boolean) || text(pod, "status", "phase");
}

/** @param {KubeObject} pod @returns {{ready: number, all: number, restarts: number}} */
export function containers(pod) {
    const states = list(pod, "status", "containerStatuses");
    return {
        all: list(pod, "spec", "containers").length,
        ready: states.filter((one) => at(one, "ready") === true).length,
        restarts: states.reduce((/** @type {number} */ sum, one) => sum + number(one, "restartCount"), 0),
    };
}

/**
 * Ready, NotReady, and what else keeps pods away.
 * @param {KubeObject} node
 * @returns {string}
 */
export function nodeStatus(node) {
    const ready = list(node, "status", "conditions").find((one) => text(one, "type") === "Ready");
    const words = [text(ready, "status") === "True" ? "Ready" : "NotReady"];
    if (at(node, "spec", "unschedulable") === true) {
        words.push("cordoned");
    }
    const bad = list(node, "status", "conditions")
        .filter((one) => text(one, "type") !== "Ready" && text(one, "status") === "True");
    return [...words, ...bad.map((one) => text(one, "type"))].join(", ");
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
