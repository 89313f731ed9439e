// @ts-check
// What was deployed, as marks below the chart: one for each snapshot and each thing that happened.

import { link } from "../../core/router.js";
import { millis } from "../../parts/time.js";

/** @typedef {import("../../core/types.js").Deploy} Deploy */
/** @typedef {import("./markers.js").Marker} Marker */

/** Workloads that the text of a mark names. */
const NAMED = 3;

/**
 * What the chart marks. Replicas and configuration that changed are in the tab alone.
 * @type {Record<string, {sign: string, tone: string, title: string, name: [one: string, many: string]}>}
 */
const EVENTS = {
    started: { sign: "D", tone: "", title: "Rollout started", name: ["rollout started", "rollouts started"] },
    finished: { sign: "D✓", tone: "safe", title: "Rollout finished", name: ["rollout finished", "rollouts finished"] },
    rolled_back: { sign: "D↺", tone: "warn", title: "Rolled back",
        name: ["deploy rolled back", "deploys rolled back"] },
    stalled: { sign: "D!", tone: "block", title: "Rollout stalled", name: ["rollout stalled", "rollouts stalled"] },
};

/** @param {Deploy} deploy */
function nameOf({ namespace, resource, images }) {
    const to = images.length === 1 ? images[0].to : null;
    return `${resource} in ${namespace}${to ? ` (${to})` : ""}`;
}

/** @param {Deploy[]} deploys of one snapshot and one event @returns {Marker} */
function markOf(deploys) {
    const [{ id, at, event, cluster_id: cluster, namespace, resource }] = deploys;
    const { title, ...look } = EVENTS[event];
    const more = deploys.length > NAMED ? ` and ${deploys.length - NAMED} more` : "";
    return {
        ...look, id, at: millis(at), kind: "deploy", count: deploys.length,
        text: `${title}: ${deploys.slice(0, NAMED).map(nameOf).join(", ")}${more}`,
        href: link(["clusters", cluster, "deploys"],
            deploys.length === 1 ? { namespace, resource } : { event, from: at, to: at }),
    };
}

/**
 * @param {Deploy[]} deploys the newest first
 * @param {boolean} whole whether these are all
 * @returns {Marker[]}
 */
export function deployMarkers(deploys, whole) {
    /** @type {Map<string, Deploy[]>} */
    const moments = new Map();
    for (const one of deploys.filter(({ event }) => event in EVENTS)) {
        const key = `${one.at} ${one.event}`;
        moments.set(key, [...moments.get(key) ?? [], one]);
    }
    const found = [...moments.values()].map(markOf);
    const oldest = deploys[deploys.length - 1];
    return whole || !oldest ? found : [...found, {
        id: "deploys-before", at: millis(oldest.at), kind: "deploy", sign: "D…", tone: "", count: 1,
        name: ["mark where more deploys are", "marks where more deploys are"],
        text: `Before this moment there are more deploys than the ${deploys.length} that are marked`,
        href: link(["clusters", oldest.cluster_id, "deploys"], { to: oldest.at }),
    }];
}
