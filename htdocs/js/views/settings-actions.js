// @ts-check
// What the audit trail knows, for its filter.

/**
 * As in lib/store/actions.def; tests/lint/tables.t compares them.
 * @type {string[]}
 */
export const ACTIONS = [
    "signup",
    "sign_in",
    "sign_in_failed",
    "sign_out",
    "session_refreshed",
    "sessions_ended",
    "password_changed",
    "password_reset",
    "link_made",
    "email_verified",
    "invitation_accepted",
    "key_created",
    "key_revoked",
    "member_added",
    "member_invited",
    "member_role_changed",
    "member_removed",
    "channel_created",
    "channel_changed",
    "channel_deleted",
    "channel_tested",
    "channel_secret_rotated",
    "rule_created",
    "rule_changed",
    "rule_deleted",
    "silence_created",
    "silence_deleted",
    "exemption_created",
    "exemption_changed",
    "exemption_ended",
    "delivery_replayed",
    "decision",
    "export",
    "cluster_created",
    "cluster_changed",
    "cluster_deleted",
    "plan_changed",
    "access_revoked",
    "tenant_purged",
];
