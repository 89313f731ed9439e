// @ts-check
// How long new API keys last: unless said, and at most.

import { h } from "../core/dom.js";
import { get, send } from "../core/api.js";
import { dialog, notify } from "../parts/dialog.js";
import { field, form } from "../parts/form.js";

const PATH = "/api/keys/lifetime";
const DAYS_MAX = 3650;

/** @param {string} name @param {string} label @param {number} value @param {boolean} first */
const days = (name, label, value, first) => field({ name, label, type: "number", value: String(value),
    hint: "days; 0: for ever", more: { min: 0, max: DAYS_MAX, step: 1, "data-focus": first } });

/** Asks an admin, and keeps it. */
export async function keyLifetime() {
    const { data } = await get(PATH);
    await dialog({
        title: "How long new API keys last",
        body: (close) => form({
            label: "How long new API keys last",
            submit: "Save",
            actions: h("button", { type: "button", onclick: () => close() }, "Cancel"),
            fields: [
                days("defaultDays", "Unless said otherwise", data.defaultDays, true),
                days("longestDays", "At most", data.longestDays, false),
                h("p", { class: "hint" }, "Keys that are there stay as they are. One that nobody has used for " +
                    `${data.unusedDays} days is marked as unused.`),
            ],
            work: async ({ defaultDays, longestDays }) => {
                await send("PATCH", PATH, { defaultDays: Number(defaultDays), longestDays: Number(longestDays) });
                close();
                notify("New keys last as you have said.");
            },
        }),
    });
}
