// Light or dark, before anything is drawn. The choice is kept for this browser; without one the
// system's preference counts.
(() => {
    "use strict";
    try {
        const chosen = localStorage.getItem("loadline-theme");
        if (chosen === "light" || chosen === "dark") {
            document.documentElement.dataset.theme = chosen;
        }
    } catch {
        // Storage may be forbidden: then the choice lasts as long as the page.
    }
})();
