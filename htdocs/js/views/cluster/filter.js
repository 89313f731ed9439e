// @ts-check
// Which risks are shown, and in which groups. Pure: no page, no server.

import { SEVERITIES } from "../../parts/score.js";

/** @typedef {import("../../core/types.js").Risk} Risk */

/** @typedef {Risk & {words: string}} Searchable a risk with all that a search looks at, in lower case */

/** The parameters of the address that narrow the risks. */
export const NARROW = ["q", "category", "severity", "namespace", "check", "framework"];

/**
 * @param {Risk[]} risks
 * @returns {Searchable[]}
 */
export const searchable = (risks) => risks.map((risk) => ({
    ...risk,
    words: [risk.message, risk.check, risk.namespace, risk.resource, risk.container, ...(risk.frameworks ?? [])]
        .join("\n").toLowerCase(),
}));

/**
 * The framework of "CIS:5.2.7" is CIS.
 * @param {string} control
 */
const frameworkOf = (control) => control.split(":")[0];

/**
 * The choices that there are, for the filters.
 * @param {Risk[]} risks
 * @returns {Record<"namespace" | "check" | "framework", string[]>}
 */
export function choices(risks) {
    const namespaces = new Set(risks.map(({ namespace }) => namespace ?? ""));
    const checks = new Set(risks.map(({ check }) => check));
    const frameworks = new Set(risks.flatMap((risk) => (risk.frameworks ?? []).map(frameworkOf)));
    const listed = (/** @type {Set<string>} */ set) => [...set].filter(Boolean).sort();
    return { namespace: listed(namespaces), check: listed(checks), framework: listed(frameworks) };
}

/**
 * @param {Searchable[]} risks
 * @param {URLSearchParams} query
 * @returns {Searchable[]} in the order they came in
 */
export function narrowed(risks, query) {
    const words = (query.get("q") ?? "").toLowerCase().split(/\s+/).filter(Boolean);
    const [category, severity, namespace, check, framework] = NARROW.slice(1).map((name) => query.get(name));
    return risks.filter((risk) => (!category || risk.category === category) &&
        (!severity || risk.severity === severity) &&
        (!namespace || risk.namespace === namespace) &&
        (!check || risk.check === check) &&
        (!framework || (risk.frameworks ?? []).some((one) => frameworkOf(one) === framework || one === framework)) &&
        words.every((word) => risk.words.includes(word)));
}

/** @typedef {{name: string, risks: Searchable[], points: number, worst: string}} Group */

/**
 * Groups, the costliest first.
 * @param {Searchable[]} risks costliest first
 * @param {"workload" | "check"} by
 * @returns {Group[]}
 */
export function grouped(risks, by) {
    /** @type {Map<string, Searchable[]>} */
    const groups = new Map();
    for (const risk of risks) {
        const workload = [risk.namespace, risk.resource].filter(Boolean).join(" ");
        const name = by === "check" ? risk.check : workload || "the cluster";
        const there = groups.get(name);
        if (there) {
            there.push(risk);
        } else {
            groups.set(name, [risk]);
        }
    }
    return [...groups].map(([name, all]) => ({
        name, risks: all,
        points: all.reduce((sum, { impact }) => sum + impact, 0),
        worst: SEVERITIES.find((one) => all.some(({ severity }) => severity === one)) ?? "low",
    })).sort((one, other) => other.points - one.points || other.risks.length - one.risks.length);
}

/**
 * What was found about the same thing and is paid for by this risk.
 * @param {Risk} risk
 * @param {Risk[]} risks all
 * @returns {Risk[]}
 */
export const absorbedBy = (risk, risks) => risks.filter((one) => one.absorbed_by === risk.check &&
    one.id !== risk.id && one.namespace === risk.namespace && one.resource === risk.resource);
