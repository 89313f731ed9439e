// @ts-check
// Every view: its address, its title, who may see it. Views are loaded when they are opened first.

/** @type {import("./core/router.js").Route[]} */
export const routes = [
    { path: "/signin", title: "Sign in", open: true, load: () => import("./views/signin.js") },
    { path: "/signup", title: "Sign up", open: true, load: () => import("./views/signup.js") },
    { path: "/link/:token?", title: "By a link", open: true, always: true, same: [],
        load: () => import("./views/link.js") },
    { path: "/forgot", title: "A new password", open: true, load: () => import("./views/forgot.js") },
    { path: "/second-factor", title: "Second factor", load: () => import("./views/second-factor.js") },
    { path: "/clusters", title: "Clusters", nav: "Clusters", load: () => import("./views/clusters.js") },
    { path: "/clusters/:id/:tab?", title: "Cluster", same: ["id"], load: () => import("./views/cluster.js") },
    { path: "/gate/:id?", title: "Gate", nav: "Gate", load: () => import("./views/gate.js") },
    { path: "/alerts/:tab?", title: "Alerts", nav: "Alerts", same: [], load: () => import("./views/alerts.js") },
    {
        path: "/settings/:tab?", title: "Settings", nav: "Settings", same: [],
        load: () => import("./views/settings.js"),
    },
];
