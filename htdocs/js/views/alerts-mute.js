// @ts-check
// Muting: one click for an hour.

import { h } from "../core/dom.js";
import { send, serverNow } from "../core/api.js";
import { dialog, notify, perform } from "../parts/dialog.js";
import { field, form } from "../parts/form.js";
import { clusterOptions } from "../parts/names.js";
import { localInput, moment } from "../parts/time.js";

/** @typedef {import("../core/types.js").Cluster} Cluster */
/** @typedef {import("../core/dom.js").Child} Child */

const HOUR = 3_600_000;
const MORNING = 8;

/** @returns {number} eight o'clock of the next day, in the viewer's zone */
function tomorrow() {
    const when = new Date(serverNow());
    when.setDate(when.getDate() + 1);
    return when.setHours(MORNING, 0, 0, 0);
}

/**
 * What can be had with one click.
 * @type {{text: string, until: () => number}[]}
 */
const SPANS = [
    { text: "Mute for 1 h", until: () => serverNow() + HOUR },
    { text: "Mute for 4 h", until: () => serverNow() + 4 * HOUR },
    { text: "Mute until tomorrow 08:00", until: tomorrow },
];

/**
 * @param {{clusterId: string | null, until: number, reason?: string}} what
 * @returns {Promise<string>} what was done, in words
 */
export async function mute({ clusterId, until, reason }) {
    const when = new Date(until).toISOString();
    await send("POST", "/api/notifications/silences", { until: when, clusterId: clusterId || null,
        reason: reason?.trim() || null });
    return `Muted ${clusterId || "all clusters"} until ${moment(until).firstChild?.textContent}.`;
}

/** @param {string} clusterId @param {string} reason @param {() => void} done */
function muteUntil(clusterId, reason, done) {
    dialog({
        title: `Mute ${clusterId || "all clusters"} until …`,
        body: (close) => form({
            label: "Mute until",
            submit: "Mute",
            actions: h("button", { type: "button", onclick: () => close() }, "Cancel"),
            fields: [
                field({ name: "until", label: "Until", type: "datetime-local",
                    hint: "in your time zone, 90 days at most", value: localInput(serverNow() + 24 * HOUR),
                    more: { "data-focus": true } }),
                field({ name: "reason", label: "Reason", optional: true, value: reason, more: { maxlength: 500 } }),
            ],
            work: async ({ until, reason: why }) => {
                notify(await mute({ clusterId, until: Date.parse(until), reason: why }));
                close();
                done();
            },
        }),
    });
}

/**
 * The card that mutes a cluster, or all.
 * @param {{clusters: Cluster[], chosen: string, done: () => void}} what chosen: the cluster that is preselected
 * @returns {HTMLElement}
 */
export function muteCard({ clusters, chosen, done }) {
    const options = clusterOptions(clusters, "All clusters");
    if (!options.some(([id]) => id === chosen)) {
        options.push([chosen, chosen]);
    }
    const values = (/** @type {Event} */ event) => {
        const one = new FormData(/** @type {HTMLFormElement} */ (/** @type {Element} */ (event.currentTarget)
            .closest("form")));
        return { clusterId: String(one.get("clusterId") ?? ""), reason: String(one.get("reason") ?? "") };
    };
    const click = (/** @type {() => number} */ until) => async (/** @type {Event} */ event) => {
        const what = values(event);
        if (await perform(event, () => mute({ ...what, until: until() }))) {
            done();
        }
    };
    return h("form", { class: "card", "aria-labelledby": "mute",
        onsubmit: (/** @type {Event} */ event) => event.preventDefault() },
    h("h2", { id: "mute" }, "Mute alerts"),
    h("div", { class: "toolbar" },
        h("label", null, "Cluster", h("select", { name: "clusterId", value: chosen },
            options.map(([id, text]) => h("option", { value: id, key: id }, text)))),
        h("label", null, "Reason (optional)", h("input", { name: "reason", maxlength: 500, autocomplete: "off",
            placeholder: "new nodes" })),
        SPANS.map(({ text, until }, at) => h("button", { type: "button", class: at === 0 ? "primary" : null,
            onclick: click(until) }, text)),
        h("button", { type: "button", onclick: (/** @type {Event} */ event) => {
            const { clusterId, reason } = values(event);
            muteUntil(clusterId, reason, done);
        } }, "Another time …")),
    h("p", { class: "hint" }, "Nothing is sent about snapshots taken until then. What still fires afterwards is told " +
        "then. The gate goes on deciding."));
}
