// @ts-check
import { h, morph } from "../core/dom.js";
/**
 * @param {import("../core/router.js").Context} context
 * @returns {void}
 */
export function open({ root }) {
    morph(root, h("h1", null, "Alerts"));
}
