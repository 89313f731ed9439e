// @ts-check
// What Loadline is, in a few plain sentences.

import { h } from "../core/dom.js";
import { chip } from "../parts/score.js";

/** @returns {HTMLElement} */
export const welcome = () => h("section", { class: "welcome", "aria-labelledby": "what" },
    h("p", { class: "claim", id: "what" }, "Is this cluster safe to deploy to?"),
    h("p", null, "Loadline scores what kubectl shows of a Kubernetes cluster from 0 to 100. Every point that is " +
        "missing belongs to a named risk, with a sentence on what to do about it."),
    h("ul", { class: "plain" },
        h("li", null, chip("SAFE"), " 70 and more: go ahead"),
        h("li", null, chip("WARN"), " 50 to 69: look first"),
        h("li", null, chip("BLOCK"), " below 50: wait")),
    h("p", null, "CI asks before it deploys and gets one of these, with the reasons. You see here what it saw, why " +
        "the score moved, and what to do. When a score drops, Slack, Teams or your own receiver is told."),
    h("p", { class: "muted" }, "Contents of Secrets and ConfigMaps and values of environment variables are dropped " +
        "before anything is stored."));
