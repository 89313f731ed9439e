// @ts-check
// Commands and secrets that are copied.

import { announce, h, hidden } from "../core/dom.js";

/**
 * Where there is no clipboard (plain http to another host) the text is selected instead.
 * @param {HTMLElement} source
 * @returns {Promise<string>} what to say
 */
async function copy(source) {
    try {
        await navigator.clipboard.writeText(source.textContent ?? "");
        return "Copied";
    } catch {
        getSelection()?.selectAllChildren(source);
        return "Selected: press Ctrl+C";
    }
}

/**
 * A text with a button that copies it.
 * @param {string} text
 * @param {string} what is copied, for the button's name: "the key"
 * @param {string} [place] a part of it that is to be replaced by hand; it is marked
 * @returns {HTMLElement}
 */
export function copyable(text, what, place = "") {
    const parts = place ? text.split(place) : [text];
    const source = h("code", null, parts.map((part, i) => [i > 0 && h("mark", null, place), part]));
    const label = h("span", null, "Copy");
    const button = h("button", { type: "button", class: "small", onclick: async () => {
        label.textContent = await copy(source);
        announce(label.textContent);
        setTimeout(() => {
            label.textContent = "Copy";
        }, 3000);
    } }, label, hidden(` ${what}`));
    return h("div", { class: "copyable", preserve: true, key: `copy ${text}` },
        h("pre", { tabindex: 0, role: "region", "aria-label": what }, source), button);
}
