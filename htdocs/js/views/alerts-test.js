// @ts-check
// A test message to a channel, and what its receiver answered.

import { h, morph } from "../core/dom.js";
import { get, isAbort, send } from "../core/api.js";
import { dialog } from "../parts/dialog.js";
import { foreign } from "../parts/names.js";
import { explain } from "../parts/states.js";

/** @typedef {import("../core/alert-types.js").Channel} Channel */
/** @typedef {import("../core/alert-types.js").Delivery} Delivery */
/** @typedef {import("../core/dom.js").Child} Child */

const EVERY_MS = 700;
const PATIENCE_MS = 60_000;

/** @param {Channel["health"]} health */
const fails = ({ status }) => status === "failing" || status === "unhealthy";

/** @param {Channel} channel @returns {Child} */
const waiting = ({ health }) => [
    h("p", { class: "row" }, h("span", { class: "spinner", "aria-hidden": "true" }),
        "The message is on its way …"),
    fails(health) && h("p", { class: "notice warn" }, "Messages before it have not arrived, and it waits behind " +
        "them. The last answer: ", foreign(health.lastError ?? "none")),
];

/** @param {AbortSignal} signal @returns {Promise<void>} */
const pause = (signal) => new Promise((resolve) => {
    const timer = setTimeout(resolve, EVERY_MS);
    signal.addEventListener("abort", () => {
        clearTimeout(timer);
        resolve();
    }, { once: true });
});

/** @param {string} id @param {AbortSignal} signal @returns {Promise<Delivery>} */
async function read(id, signal) {
    const { data } = await get("/api/notifications/deliveries", { id }, { signal });
    // With an id the answer is that one and no list.
    return /** @type {Delivery} */ (/** @type {unknown} */ (data));
}

/** @param {Delivery} delivery @returns {Child} */
function outcome({ state, lastStatus, lastError }) {
    if (state === "sent") {
        return h("p", { class: "notice good" }, h("strong", null, "It arrived. "),
            `The receiver answered ${lastStatus}.`);
    }
    const told = lastStatus ? `The receiver answered ${lastStatus}. ` : "No answer. ";
    return [
        h("p", { class: "notice bad" }, h("strong", null, "It did not arrive. "), told,
            lastError && foreign(lastError)),
        state === "queued" && h("p", null, "It is tried again later. ", h("a", { href: "#/alerts/deliveries" },
            "Deliveries"), " show how that goes."),
    ];
}

/**
 * Sends a test and waits for the first attempt.
 * @param {Channel} channel
 * @param {AbortSignal} signal
 * @returns {Promise<Child>} what came of it
 */
async function attempt({ id, health }, signal) {
    const queued = await send("POST", "/api/notifications/channels/test", { id });
    const end = Date.now() + PATIENCE_MS;
    while (Date.now() < end && !signal.aborted) {
        await pause(signal);
        const delivery = await read(String(queued.id), signal);
        if (delivery.state !== "queued" || delivery.attempts > 0) {
            return outcome(delivery);
        }
    }
    return h("p", { class: "notice warn" }, "The message is queued and was not sent within a minute. ",
        fails(health) ? "It is sent after those that wait before it."
            : "Does loadline-notify run? The operator of this Loadline knows.");
}

/**
 * The dialog of a test.
 * @param {Channel} channel
 * @param {AbortSignal} signal of the view
 * @returns {Promise<void>} when it is closed
 */
export async function testChannel(channel, signal) {
    const stop = new AbortController();
    const end = () => stop.abort();
    signal.addEventListener("abort", end, { once: true });
    const result = h("div", { role: "status" }, waiting(channel));
    attempt(channel, stop.signal).then((told) => morph(result, told), (error) => {
        if (!isAbort(error) && !stop.signal.aborted) {
            morph(result, h("p", { class: "notice bad" }, explain(error)));
        }
    });
    await dialog({
        title: `Test of ${channel.name}`,
        body: (close) => [result, h("div", { class: "actions" },
            h("button", { type: "button", "data-focus": true, onclick: () => close() }, "Close"))],
    });
    stop.abort();
}
