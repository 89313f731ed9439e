// @ts-check
// Channels: who is told, and whether messages arrive there.

import { h, morph } from "../core/dom.js";
import { send } from "../core/api.js";
import { confirmed } from "../parts/confirmed.js";
import { dialog, notify, perform } from "../parts/dialog.js";
import { field, form } from "../parts/form.js";
import { live, shown } from "../parts/live.js";
import { foreign } from "../parts/names.js";
import { showSecret } from "../parts/secret.js";
import { empty } from "../parts/states.js";
import { table } from "../parts/table.js";
import { day } from "../parts/time.js";
import { testChannel } from "./alerts-test.js";
import { healthWords } from "./alerts-words.js";

/** @typedef {import("../core/router.js").Context} Context */
/** @typedef {import("../core/alert-types.js").Channel} Channel */

const PATH = "/api/notifications/channels";

/** @type {[string, string][]} */
const TYPES = [
    ["slack", "Slack: an app with an Incoming Webhook"],
    ["teams", "Teams: a workflow “When a Teams webhook request is received”"],
    ["webhook", "Webhook: a program of your own, JSON that is signed"],
];

const URL_HINT = "https://… of the receiver. It is as good as a password: only its host is shown afterwards.";

/** @param {string} secret @param {string} name @param {string} [more] */
const showSigningSecret = (secret, name, more = "") => showSecret({
    title: "The signing secret",
    text: ["The receiver checks with it that messages come from here. It is shown this once. Give it to the receiver " +
        "of ", foreign(name), `.${more}`],
    secret,
    what: "signing secret",
});

/** @param {() => void} close */
const cancel = (close) => h("button", { type: "button", onclick: close }, "Cancel");

/** @param {() => void} changed */
async function create(changed) {
    /** @type {Channel | null} */
    let made = null;
    await dialog({
        title: "New channel",
        body: (close) => form({
            label: "New channel",
            submit: "Make the channel",
            actions: cancel(() => close()),
            fields: [
                field({ name: "type", label: "Type", type: "select", options: TYPES, more: { "data-focus": true } }),
                field({ name: "webhookUrl", label: "URL", type: "url", hint: URL_HINT,
                    more: { maxlength: 2048, autocomplete: "off", spellcheck: "false" } }),
                field({ name: "name", label: "Name", optional: true, hint: "without one: type and host",
                    more: { maxlength: 200, autocomplete: "off" } }),
            ],
            work: async ({ type, webhookUrl, name }) => {
                const asked = { type, webhookUrl: webhookUrl.trim(), name: name.trim() || null };
                const answer = await send("POST", PATH, asked);
                made = /** @type {Channel} */ (/** @type {unknown} */ (answer));
                close();
            },
        }),
    });
    const channel = /** @type {Channel | null} */ (made);
    if (channel) {
        changed();
        if (channel.secret) {
            await showSigningSecret(channel.secret, channel.name);
        }
        notify(`The channel ${channel.name} is made. Send it a test.`);
    }
}

/** @param {Channel} channel @param {() => void} changed */
function edit({ id, name }, changed) {
    dialog({
        title: `Change ${name}`,
        body: (close) => form({
            label: "Change the channel",
            submit: "Save",
            actions: cancel(() => close()),
            fields: [
                field({ name: "name", label: "Name", value: name,
                    more: { maxlength: 200, autocomplete: "off", "data-focus": true } }),
                field({ name: "webhookUrl", label: "New URL", type: "url", optional: true,
                    hint: `${URL_HINT} Leave it empty to keep the one there is.`,
                    more: { maxlength: 2048, autocomplete: "off", spellcheck: "false" } }),
            ],
            work: async (values) => {
                await send("PATCH", PATH, { id, name: values.name, webhookUrl: values.webhookUrl.trim() || null });
                close();
                notify(`${values.name} is changed.`);
                changed();
            },
        }),
    });
}

/** @param {Event} event @param {Channel} channel */
async function rotate(event, { id, name }) {
    await confirmed(event, {
        title: "A new signing secret?",
        text: ["Messages to ", foreign(name), " are signed with the new and the old secret for 24 hours. After that " +
            "the old one is gone."],
        action: "Make a new secret",
    }, async () => {
        const answer = await send("POST", `${PATH}/rotate`, { id });
        const until = new Date(String(answer.previousValidUntil)).toLocaleString();
        await showSigningSecret(String(answer.secret), name, ` The old one is valid until ${until}.`);
        return `${name} has a new signing secret.`;
    });
}

/** @param {Event} event @param {Channel} channel @param {() => void} changed */
async function remove(event, { id, name }, changed) {
    if (await confirmed(event, {
        title: "Delete this channel?",
        text: ["Nothing is sent to ", foreign(name), " any more, and what is queued for it is cancelled. Rules that " +
            "name no other channel tell nobody then."],
        action: "Delete the channel",
    }, async () => {
        await send("DELETE", PATH, { id });
        return `${name} is deleted.`;
    })) {
        changed();
    }
}

/** @param {Event} event @param {Channel} channel @param {() => void} changed */
async function toggle(event, { id, name, enabled }, changed) {
    if (await perform(event, async () => {
        await send("PATCH", PATH, { id, enabled: !enabled });
        return enabled ? `${name} is disabled. What it had queued is cancelled.` : `${name} is enabled.`;
    })) {
        changed();
    }
}

/** @param {Channel} channel @param {() => void} changed @param {AbortSignal} signal */
function actions(channel, changed, signal) {
    const { name, enabled, type } = channel;
    /** @param {string} text @param {string} label @param {(event: Event) => void} onclick @param {string} [kind] */
    const button = (text, label, onclick, kind = "") => h("button", { type: "button", class: `small ${kind}`,
        "aria-label": label, onclick, key: label }, text);
    return h("div", { class: "row end" },
        enabled && button("Send a test", `Send a test to ${name}`, () => testChannel(channel, signal).then(changed)),
        button("Change", `Change ${name}`, () => edit(channel, changed)),
        type === "webhook" && button("Rotate secret", `Rotate the secret of ${name}`,
            (event) => rotate(event, channel)),
        button(enabled ? "Disable" : "Enable", `${enabled ? "Disable" : "Enable"} ${name}`,
            (event) => toggle(event, channel, changed)),
        button("Delete", `Delete ${name}`, (event) => remove(event, channel, changed), "danger"));
}

/** @param {Channel[]} rows @param {() => void} changed @param {AbortSignal} signal */
const list = (rows, changed, signal) => table({
    caption: "Channels, newest first",
    rows,
    key: ({ id }) => id,
    columns: [
        { label: "Name", head: true, cell: ({ name }) => foreign(name) },
        { label: "Type", cell: ({ type }) => type },
        { label: "Receiver", cell: ({ webhookUrl }) => h("span", { class: "foreign" }, webhookUrl) },
        { label: "State", cell: ({ health }) => h("div", null, healthWords(health)) },
        { label: "Created", cell: ({ createdAt }) => day(createdAt) },
        { label: "", cell: (channel) => actions(channel, changed, signal) },
    ],
});

const none = () => empty("No channels yet", h("p", null, "A channel is a place in Slack or Teams, or a receiver of " +
    "your own, that is told when something fires. With the first one you are alerted when a score falls below 50; " +
    "rules say when else."));

/**
 * @param {Context} context
 * @returns {void}
 */
export function openChannels({ root, signal }) {
    const channels = live("/api/notifications/channels", () => ({}), { signal, draw: () => draw() });

    function draw() {
        morph(root, h("section", { class: "card", "aria-labelledby": "channels" },
            h("div", { class: "page-head" }, h("h2", { id: "channels" }, "Channels"), h("div", { class: "spacer" }),
                h("button", { type: "button", class: "primary", onclick: () => create(channels.now) }, "New channel")),
            shown(channels, "channels", (rows) => (rows.length ? list(rows, channels.now, signal) : none()))));
    }
    draw();
}
