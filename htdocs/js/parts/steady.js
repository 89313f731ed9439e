// @ts-check
// Where somebody reads or types stays where it is while something above it grows. Browsers do that by themselves for
// what they take to be read, which is not always what has the focus.

/**
 * Draws, and scrolls by as much as that has moved what has the focus.
 * @param {() => void} draw
 */
export function steady(draw) {
    const held = document.activeElement;
    const main = document.getElementById("main");
    const before = held?.getBoundingClientRect().top ?? NaN;
    draw();
    if (held && held !== main && main?.contains(held) && before >= 0 && before < window.innerHeight) {
        const moved = held.getBoundingClientRect().top - before;
        if (Math.abs(moved) >= 1) {
            window.scrollBy(0, moved);
        }
    }
}
