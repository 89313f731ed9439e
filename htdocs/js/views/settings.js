// @ts-check
// Settings: API keys, members, the password, the second factor, sessions, exemptions, the plan, the audit trail.

import { openTabs } from "../parts/tabs.js";
import { openAudit } from "./settings-audit.js";
import { openExemptions } from "./settings-exemptions.js";
import { openKeys } from "./settings-keys.js";
import { openMembers } from "./settings-members.js";
import { openPassword } from "./settings-password.js";
import { openPlan } from "./settings-plan.js";
import { openSecondFactor } from "./settings-second-factor.js";
import { openSessions } from "./settings-sessions.js";

/**
 * @param {import("../core/router.js").Context} context
 * @returns {import("../core/router.js").View}
 */
export const open = (context) => openTabs(context, {
    title: "Settings",
    path: "settings",
    tabs: [
        { name: "keys", title: "API keys", open: openKeys },
        { name: "members", title: "Members", role: "admin", open: openMembers },
        { name: "password", title: "Password", open: openPassword },
        { name: "second-factor", title: "Second factor", open: openSecondFactor },
        { name: "sessions", title: "Sessions", open: openSessions },
        { name: "exemptions", title: "Exemptions", open: openExemptions },
        { name: "plan", title: "Plan and usage", open: openPlan },
        { name: "audit", title: "Audit trail", role: "admin", open: openAudit },
    ],
});
