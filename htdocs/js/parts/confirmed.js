// @ts-check
// Acts that cannot be undone: asked first, done then, and told.

import { confirmDialog, perform } from "./dialog.js";

/**
 * @param {Event} event of the button
 * @param {Parameters<typeof confirmDialog>[0]} question
 * @param {() => Promise<string | void>} work resolves to what is told when it is done
 * @returns {Promise<boolean>} whether it was done
 */
export async function confirmed(event, question, work) {
    // After the dialog the event has no target any more.
    const { currentTarget } = event;
    const asked = /** @type {Event} */ (/** @type {unknown} */ ({ currentTarget }));
    return await confirmDialog(question) && perform(asked, work);
}
