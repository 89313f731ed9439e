// @ts-check
// Accepting a risk for a time: what is said of a risk that is exempt, and the form that makes an exemption.

import { h } from "../../core/dom.js";
import { send, serverNow } from "../../core/api.js";
import { can } from "../../core/session.js";
import { dialog, notify } from "../../parts/dialog.js";
import { field, form } from "../../parts/form.js";
import { foreign } from "../../parts/names.js";
import { endOf } from "../../parts/time.js";

/** @typedef {import("../../core/types.js").Risk} Risk */
/** @typedef {import("../../core/dom.js").Child} Child */

const DAY = 86_400_000;

/** @param {number} days @returns {string} that day, in UTC, as the server takes it */
const inDays = (days) => new Date(serverNow() + days * DAY).toISOString().slice(0, 10);

/** @param {string} cluster @param {Risk} risk */
function accept(cluster, { check, namespace = "", resource = "" }) {
    const where = [namespace, resource].filter(Boolean).join(" ");
    dialog({
        title: "Accept this risk for a time",
        body: (close) => form({
            label: "Accept this risk",
            submit: "Accept the risk",
            actions: h("button", { type: "button", onclick: () => close() }, "Cancel"),
            fields: [
                h("p", null, h("code", null, check), " of ", h("bdi", null, where), " costs nothing from the next " +
                    "push on. It stays listed, with what it would cost, and the gate says so."),
                field({ name: "reason", label: "Reason", more: { maxlength: 500, "data-focus": true } }),
                field({ name: "owner", label: "Owner", hint: "who answers for it", more: { maxlength: 200 } }),
                field({ name: "expires", label: "Until the end of", type: "date", value: inDays(90),
                    hint: "in UTC, a year at most; then it counts again", more: { min: inDays(0), max: inDays(366) } }),
            ],
            work: async ({ reason, owner, expires }) => {
                await send("POST", "/api/exemptions", { check, clusterId: cluster, namespace: namespace || null,
                    resource: resource || null, reason, owner, expires });
                close();
                notify(`Accepted: ${check} of ${where} counts again after ${expires}.`);
            },
        }),
    });
}

/**
 * The button that accepts a risk; nothing for who may not.
 * @param {string} cluster
 * @param {Risk} risk
 * @returns {Child}
 */
export const acceptButton = (cluster, risk) => (!risk.exempt && can("operator")
    ? h("button", { type: "button", class: "small", onclick: () => accept(cluster, risk) }, "Accept for a time …")
    : null);

/**
 * Why a risk is exempt, or not any more; nothing of others.
 * @param {Risk} risk
 * @returns {Child[]}
 */
export function exemptWords({ exempt, would_cost: would = 0, exemption_owner: owner, exemption_expires: end,
    exemption_expired: expired }) {
    if (typeof exempt !== "string" && !expired) {
        return [];
    }
    const reason = typeof exempt === "string" ? exempt : expired ?? "";
    return [expired ? "It has expired and counts again: " : `It would cost ${would.toFixed(2)} points: `,
        foreign(reason), owner && [" (", foreign(owner), ")"],
        end && [expired ? ", was until " : ", until ", endOf(end)],
        ". ", h("a", { href: "#/settings/exemptions" }, "All exemptions")];
}
