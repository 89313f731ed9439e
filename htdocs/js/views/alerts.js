// @ts-check
// Alerts: what fires, what is muted, who is told of what, and whether it arrived.

import { openTabs } from "../parts/tabs.js";
import { openChannels } from "./alerts-channels.js";
import { openDeliveries } from "./alerts-deliveries.js";
import { openEnded } from "./alerts-ended.js";
import { openFiring } from "./alerts-firing.js";
import { openRules } from "./alerts-rules.js";
import { openSilences } from "./alerts-silences.js";

/**
 * @param {import("../core/router.js").Context} context
 * @returns {import("../core/router.js").View}
 */
export const open = (context) => openTabs(context, {
    title: "Alerts",
    path: "alerts",
    tabs: [
        { name: "firing", title: "Firing", open: openFiring },
        { name: "ended", title: "Ended", open: openEnded },
        { name: "silences", title: "Silences (mute)", open: openSilences },
        { name: "rules", title: "Rules", open: openRules },
        { name: "channels", title: "Channels", role: "operator", open: openChannels },
        { name: "deliveries", title: "Deliveries", open: openDeliveries },
    ],
});
