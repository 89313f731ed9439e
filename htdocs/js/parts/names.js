// @ts-check
// Names of clusters and channels, for lists to choose from, and texts that others have written.

import { h } from "../core/dom.js";
import { getAll, isAbort } from "../core/api.js";
import { link } from "../core/router.js";

/** @typedef {import("../core/types.js").Cluster} Cluster */
/** @typedef {import("../core/alert-types.js").Channel} Channel */

/** Longer texts break anywhere; making elements of all of their parts would be for nobody. */
const BREAKABLE = 500;

/**
 * A name that may be broken behind slashes, colons and at signs, before it is broken anywhere else.
 * @param {string} name
 * @returns {import("../core/dom.js").Child}
 */
export const breakable = (name) => (name.length > BREAKABLE ? name
    : name.split(/(?<=[/:@])/).map((part, i) => [i > 0 && h("wbr", null), part]));

/**
 * A text that somebody else has written: its direction of writing does not spill over.
 * @param {string} text
 * @returns {HTMLElement}
 */
export const foreign = (text) => h("bdi", { class: "foreign" }, breakable(text));

/**
 * The clusters, as soon as they are there. Whoever chooses among them can do without.
 * @param {AbortSignal} signal
 * @param {(clusters: Cluster[]) => void} found
 */
export async function readClusters(signal, found) {
    try {
        const clusters = await getAll("/api/clusters", {}, { signal });
        if (!signal.aborted) {
            found(clusters);
        }
    } catch (error) {
        if (!isAbort(error) && !signal.aborted) {
            found([]);
        }
    }
}

/**
 * As options of a select, the first of which stands for all.
 * @param {Cluster[]} clusters
 * @param {string} all its text; "" for none
 * @returns {[string, string][]}
 */
export function clusterOptions(clusters, all) {
    /** @type {[string, string][]} */
    const options = clusters.map(({ id, name }) => [id, name && name !== id ? `${name} (${id})` : id]);
    return all ? [["", all], ...options] : options;
}

/**
 * A link to a cluster, or what stands for all of them.
 * @param {string | null} id
 * @param {string} [all]
 * @returns {HTMLElement}
 */
export const clusterLink = (id, all = "All clusters") => (id === null ? h("span", null, all)
    : h("a", { href: link(["clusters", id]) }, foreign(id)));

/** @param {Channel[] | null} channels @param {string} id @returns {string} */
export const channelName = (channels, id) => channels?.find((one) => one.id === id)?.name ?? `${id.slice(0, 8)}…`;
