// @ts-check
// One's own second factor: turned on with an app, recovery codes, turned off; and whether the company requires one.

import { h, morph } from "../core/dom.js";
import { ApiError, send } from "../core/api.js";
import { can, checkRole, session } from "../core/session.js";
import { confirmed } from "../parts/confirmed.js";
import { copyable } from "../parts/copy.js";
import { dialog, notify } from "../parts/dialog.js";
import { field, form } from "../parts/form.js";
import { live, shown } from "../parts/live.js";
import { qr } from "../parts/qr.js";
import { showSecret } from "../parts/secret.js";
import { day } from "../parts/time.js";

/** @typedef {import("../core/types.js").SecondFactor} SecondFactor */
/** @typedef {import("../core/dom.js").Child} Child */

const PATH = "/api/auth/second-factor";
const CODE = { autocomplete: "one-time-code", autocapitalize: "none", spellcheck: "false", maxlength: 64 };

/** @param {() => void} close */
const cancel = (close) => h("button", { type: "button", onclick: close }, "Cancel");

/** @param {boolean} first whether it gets the focus @returns {Child} */
const passwordField = (first) => [
    // Password managers look for whose password it is.
    h("input", { type: "text", autocomplete: "username", value: session()?.email ?? "", hidden: true, readonly: true }),
    field({ name: "password", label: "Password", type: "password",
        more: { autocomplete: "current-password", "data-focus": first } }),
];

/**
 * Says at which field it is that a password or a code is wrong.
 * @template T
 * @param {Promise<T>} sending
 * @returns {Promise<T>}
 */
async function blaming(sending) {
    try {
        return await sending;
    } catch (error) {
        const wrong = error instanceof ApiError && { bad_login: "password", bad_code: "code" }[error.code];
        if (wrong) {
            throw new ApiError(401, wrong, wrong === "password" ? "This is not your password."
                : "The code is wrong, was used already, or is too old.", { field: wrong });
        }
        throw error;
    }
}

/** @param {unknown} codes */
const showCodes = (codes) => showSecret({
    title: "Your recovery codes",
    text: "Each lets you in once in place of a code, when the phone is lost. Keep them where the phone is not. They " +
        "are shown this once, and take the place of earlier ones.",
    secret: /** @type {string[]} */ (codes).join("\n"),
    what: "recovery codes",
});

/**
 * The secret, for an app; then a code of the app.
 * @param {{[member: string]: unknown}} begun
 * @returns {Promise<unknown>} the recovery codes; undefined: it was left
 */
async function confirm({ secret, uri, qr: rows }) {
    /** @type {unknown} */
    let codes;
    await dialog({
        title: "Add it to your app",
        body: (close) => [
            h("p", null, "Scan this with an authenticator app, or copy the key into one. It is shown this once."),
            qr(rows, "QR code of the key"),
            copyable(String(secret), "key"),
            h("details", null, h("summary", null, "As an address, for apps and scripts that take one"),
                copyable(String(uri), "address")),
            form({
                label: "Confirm the second factor",
                submit: "Turn it on",
                actions: cancel(() => close()),
                fields: field({ name: "code", label: "Code that the app shows",
                    more: { ...CODE, "data-focus": true } }),
                work: async ({ code }) => {
                    codes = (await blaming(send("POST", `${PATH}/confirm`, { code }))).recoveryCodes;
                    close();
                },
            }),
        ],
    });
    return codes;
}

/**
 * Turns it on: the password, the app, the recovery codes.
 * @param {() => unknown} changed called when it is on
 */
export async function turnOn(changed) {
    /** @type {{[member: string]: unknown} | null} */
    let begun = null;
    await dialog({
        title: "Turn on the second factor",
        body: (close) => form({
            label: "Turn on the second factor",
            submit: "Go on",
            actions: cancel(() => close()),
            fields: passwordField(true),
            work: async ({ password }) => {
                begun = await blaming(send("POST", PATH, { password }));
                close();
            },
        }),
    });
    const codes = begun && await confirm(begun);
    if (codes) {
        await showCodes(codes);
        notify("The second factor is on. Your other sessions are ended.");
        await changed();
    }
}

/**
 * Asks for password and code, and does something with them.
 * @param {{title: string, text: string, submit: string, danger?: boolean}} what
 * @param {(proof: {password: string, code: string}) => Promise<void>} work
 */
const proven = ({ title, text, submit, danger }, work) => dialog({
    title,
    body: (close) => form({
        label: title,
        submit,
        danger,
        actions: cancel(() => close()),
        fields: [h("p", null, text), passwordField(true), field({ name: "code", label: "Code", more: CODE })],
        work: async ({ password, code }) => {
            await blaming(work({ password, code }));
            close("done");
        },
    }),
});

/** @param {() => void} changed */
async function turnOff(changed) {
    if (await proven({ title: "Turn off the second factor", submit: "Turn it off", danger: true,
        text: "From then on the password alone signs you in." }, async (proof) => {
        await send("DELETE", PATH, proof);
    })) {
        notify("The second factor is off.");
        await checkRole(); // where one is required the page leads to a new one
        changed();
    }
}

/** @param {() => void} changed */
async function newCodes(changed) {
    /** @type {unknown} */
    let codes;
    await proven({ title: "New recovery codes", submit: "Make new ones",
        text: "The earlier ones do not work any more." }, async (proof) => {
        codes = (await send("POST", `${PATH}/recovery`, proof)).recoveryCodes;
    });
    if (codes) {
        await showCodes(codes);
        changed();
    }
}

/** @param {Event} event @param {boolean} required @param {() => void} changed */
async function require(event, required, changed) {
    if (await confirmed(event, required ? {
        title: "Require a second factor of everybody?",
        text: "Members who have none can do nothing until they have set one up. API keys go on working.",
        action: "Require it",
    } : {
        title: "Require it no more?",
        text: "Members may turn theirs off then.",
        action: "Require it no more",
    }, async () => {
        await send("PATCH", `${PATH}/rule`, { required });
        return required ? "Everybody needs a second factor now." : "A second factor is up to each member now.";
    })) {
        changed();
    }
}

/** @param {SecondFactor} state @param {() => void} changed @returns {Child} */
const own = ({ on, since, recoveryCodes }, changed) => [
    h("p", null, on ? ["It is on since ", day(since ?? ""), `. You have ${recoveryCodes} recovery codes left.`]
        : "It is off: the password alone signs you in."),
    on && recoveryCodes < 3 && h("p", { class: "notice warn" }, "Make new recovery codes before you need them."),
    h("div", { class: "actions" }, on ? [
        h("button", { type: "button", onclick: () => newCodes(changed) }, "New recovery codes"),
        h("button", { type: "button", class: "danger", onclick: () => turnOff(changed) }, "Turn it off"),
    ] : h("button", { type: "button", class: "primary", onclick: () => turnOn(changed) }, "Turn it on")),
];

/** @param {SecondFactor} state @param {() => void} changed @returns {Child} */
const company = ({ on, required }, changed) => [
    h("h3", null, "Your company"),
    h("p", null, required ? "Everybody has to have a second factor."
        : "A second factor is up to each member."),
    can("admin") && h("div", { class: "actions" }, h("button", { type: "button", disabled: !on && !required,
        onclick: (/** @type {Event} */ event) => require(event, !required, changed) },
    required ? "Require it no more" : "Require it of everybody")),
    can("admin") && !on && !required && h("p", { class: "hint" }, "Turn on your own first."),
];

/**
 * @param {import("../core/router.js").Context} context
 * @returns {void}
 */
export function openSecondFactor({ root, signal }) {
    const state = live(PATH, () => ({}), { signal, every: 20_000, draw: () => draw() });

    function draw() {
        morph(root, h("section", { class: "card narrow", "aria-labelledby": "second-factor" },
            h("h2", { id: "second-factor" }, "Second factor"),
            h("p", { class: "hint" }, "Beside the password, a code that an app on your phone shows and that changes " +
                "every half minute. Who has only your password does not get in."),
            shown(state, "your second factor", (data) => [own(data, state.now), company(data, state.now)])));
    }
    draw();
}
