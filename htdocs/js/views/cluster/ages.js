// @ts-check
// Texts of a snapshot tell ages as they were then: "6 d ago" stays so until the next snapshot comes.

import { h } from "../../core/dom.js";
import { fullMoment } from "../../parts/time.js";

/**
 * From when ages in texts count back.
 * @param {string | null | undefined} takenAt of the snapshot
 * @returns {HTMLElement | null}
 */
export const agesOf = (takenAt) => (takenAt
    ? h("p", { class: "hint" }, "Ages in these texts, like \u201c6 d ago\u201d, count back from the snapshot: ",
        fullMoment(takenAt), ".") : null);
