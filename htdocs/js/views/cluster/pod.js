// @ts-check
// A pod as kubectl shows it: printPod() of kubernetes/pkg/printers/internalversion, as lib/kube/pod_shown.c has it.

import { at, conditions, isSummary, list, number, readiness, readyCondition, text, told, toldReady } from "./kube.js";

/** @typedef {import("../../core/types.js").KubeObject} KubeObject */
/** @typedef {import("./kube.js").Readiness} Readiness */

/**
 * What kubectl prints of a pod; null: it does not say.
 * @typedef {object} Shown
 * @property {string} status
 * @property {number | null} restarts
 */

const PHASES = ["Pending", "Running", "Succeeded", "Failed", "Unknown"];

/**
 * A status that is no phase is the word of kubectl, which a reason beside it only explains.
 * @param {KubeObject} pod
 */
function toldStatus(pod) {
    const status = text(pod, "status");
    return (PHASES.includes(status) ? "" : status) || text(pod, "reason") || text(pod, "phase") || status;
}

/** @param {KubeObject} pod */
const phaseOf = (pod) => (isSummary(pod)
    ? text(pod, "phase") || (PHASES.find((one) => one === text(pod, "status")) ?? "") : text(pod, "status", "phase"));

/** @param {unknown} status of a container @returns {string} why it waits, or how it ended */
function word(status) {
    const waits = text(status, "state", "waiting", "reason");
    const end = at(status, "state", "terminated");
    if (waits || !end) {
        return waits;
    }
    const signal = number(end, "signal");
    return text(end, "reason") || (signal ? `Signal:${signal}` : `ExitCode:${number(end, "exitCode")}`);
}

/** @param {KubeObject} pod @returns {Set<string>} names of the init containers that stay beside the others */
const sidecars = (pod) => new Set(list(pod, "spec", "initContainers")
    .filter((one) => text(one, "restartPolicy") === "Always").map((one) => text(one, "name")));

/** @param {unknown[]} states @returns {number} */
const restartsOf = (states) => states.reduce((/** @type {number} */ sum, one) => sum + number(one, "restartCount"), 0);

/**
 * The init containers as far as they have come: those that are through, and the first that is not.
 * @param {KubeObject} pod
 */
function initOf(pod) {
    const staying = sidecars(pod);
    const stays = (/** @type {unknown} */ one) => staying.has(text(one, "name"));
    const states = list(pod, "status", "initContainerStatuses");
    const isThrough = (/** @type {unknown} */ one) => {
        const end = at(one, "state", "terminated");
        return (end && number(end, "exitCode") === 0) || (stays(one) && at(one, "started") === true);
    };
    const found = states.findIndex((one) => !isThrough(one));
    const reached = found < 0 ? states : states.slice(0, found + 1);
    const why = found < 0 ? "" : word(states[found]);
    const count = `${found}/${list(pod, "spec", "initContainers").length}`;
    return {
        status: found < 0 ? "" : `Init:${["", "PodInitializing"].includes(why) ? count : why}`,
        restarts: restartsOf(reached), staying: reached.filter(stays),
    };
}

/**
 * The other containers; the first that has a word tells it.
 * @param {KubeObject} pod
 */
function mainWord(pod) {
    const states = list(pod, "status", "containerStatuses");
    const found = states.map(word).find(Boolean) ?? "";
    const runs = states.some((one) => at(one, "ready") === true && at(one, "state", "running"));
    return found === "Completed" && runs ? (readyCondition(pod) === "True" ? "Running" : "NotReady") : found;
}

/** @param {KubeObject} pod */
const isGated = (pod) => list(pod, "status", "conditions").some((one) => text(one, "type") === "PodScheduled" &&
    text(one, "reason") === "SchedulingGated");

/** @param {KubeObject} pod @param {string} status unless it is being deleted */
function deletedStatus(pod, status) {
    if (!at(pod, "metadata", "deletionTimestamp")) {
        return status;
    }
    if (text(pod, "status", "reason") === "NodeLost") {
        return "Unknown";
    }
    return ["Succeeded", "Failed"].includes(phaseOf(pod)) ? status : "Terminating";
}

/** @param {KubeObject} pod @returns {Shown} */
function shown(pod) {
    if (isSummary(pod)) {
        return { status: toldStatus(pod), restarts: told(pod, "restarts") ?? told(pod, "restartCount") };
    }
    const init = initOf(pod);
    const isBegun = !init.status ||
        conditions(pod).some(({ type, status }) => type === "Initialized" && status === "True");
    const status = (isBegun && mainWord(pod)) || init.status || (isGated(pod) && "SchedulingGated") ||
        text(pod, "status", "reason") || phaseOf(pod);
    const running = [...init.staying, ...list(pod, "status", "containerStatuses")];
    return { status: deletedStatus(pod, status), restarts: isBegun ? restartsOf(running) : init.restarts };
}

/** @param {KubeObject} pod @returns {string} */
export const podStatus = (pod) => shown(pod).status;

/** @param {KubeObject} pod @returns {number | null} */
export const restarts = (pod) => shown(pod).restarts;

/** @param {KubeObject} pod @returns {Readiness} of its containers, and of the init containers that stay beside them */
export function containers(pod) {
    if (isSummary(pod)) {
        const { status, ready, all } = toldReady(pod);
        return readiness(ready, all, status || readyCondition(pod));
    }
    const staying = sidecars(pod);
    const states = [...list(pod, "status", "containerStatuses"),
        ...list(pod, "status", "initContainerStatuses").filter((one) => staying.has(text(one, "name")))];
    return readiness(states.filter((one) => at(one, "ready") === true).length,
        list(pod, "spec", "containers").length + staying.size);
}

/** @param {KubeObject} pod */
export function isBadPod(pod) {
    const { status } = shown(pod);
    if (["Running", ""].includes(status)) {
        return containers(pod).isReady === false;
    }
    // A container that has ended well is not yet a pod that has.
    const isOver = phaseOf(pod) === "Succeeded" || (isSummary(pod) && phaseOf(pod) === "");
    return !(isOver && ["Completed", "Succeeded"].includes(status));
}
