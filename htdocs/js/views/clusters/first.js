// @ts-check
// There is no cluster yet: the commands that push the first snapshot.

import { h } from "../../core/dom.js";
import { copyable } from "../../parts/copy.js";

const KEY = "YOUR_API_KEY";
const KINDS = "po,deploy,rs,sts,ds,job,cj,svc,ep,ing,netpol,pdb,hpa,sa,cm,pvc,quota,limits,no,ns,ev";

/** @param {string} url of this Loadline */
const script = (url) => `export LOADLINE_URL=${url}
export LOADLINE_API_KEY=${KEY}
scripts/push-snapshot my-cluster`;

/** @param {string} url */
const pipe = (url) => `export LOADLINE_API_KEY=${KEY}
{ kubectl get ${KINDS} -A -o json
  for kind in roles rolebindings clusterroles clusterrolebindings co mcp; do
    kubectl get $kind -A -o json; done 2>/dev/null; } |
  gzip | curl -sS ${url}/ingest -H "X-API-Key: $LOADLINE_API_KEY" -H "X-Cluster-Id: my-cluster" \\
    -H "Content-Type: application/json" -H "Content-Encoding: gzip" --data-binary @-`;

/** @returns {HTMLElement} */
export function firstSnapshot() {
    const url = new URL(".", document.baseURI).href.replace(/\/$/, "");
    return h("div", { class: "card first" },
        h("h2", null, "Push the first snapshot"),
        h("p", null, "Where kubectl reaches your cluster, put your API key into the marked place and run one of ",
            "these. This page shows the cluster as soon as its snapshot is here."),
        h("h3", null, "With the script of Loadline's repository"),
        copyable(script(url), "the script's command", KEY),
        h("h3", null, "With kubectl and curl alone"),
        copyable(pipe(url), "the command with curl", KEY),
        h("p", null, "You have no key any more? ",
            h("a", { href: "#/settings/keys" }, "Make one in the settings"), "."),
        h("p", { class: "row muted" },
            h("span", { class: "spinner", "aria-hidden": "true" }), "Waiting for a snapshot …"));
}
