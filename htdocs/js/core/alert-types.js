// @ts-check
// What the API answers about alerts, as types. This file is read by the type checker alone.

/**
 * @typedef {object} Firing
 * @property {string} clusterId
 * @property {string | null} ruleId
 * @property {"score_drop" | "degraded_app"} condition
 * @property {number | null} threshold
 * @property {string | null} app
 * @property {string} since
 * @property {string | null} lastSentAt
 */

/**
 * @typedef {object} Ended an alert that is over
 * @property {string} id
 * @property {string} clusterId
 * @property {string | null} ruleId
 * @property {"score_drop" | "degraded_app"} condition
 * @property {number | null} threshold
 * @property {string | null} app
 * @property {string} since
 * @property {string | null} lastSentAt
 * @property {string} endedAt
 * @property {boolean} recovered false: its rule was deleted, disabled or changed
 */

/**
 * @typedef {object} ChannelHealth
 * @property {"unknown" | "ok" | "failing" | "unhealthy" | "disabled"} status
 * @property {string | null} failingSince
 * @property {string | null} lastAttemptAt
 * @property {string | null} lastSuccessAt
 * @property {number | null} lastStatus
 * @property {string | null} lastError
 * @property {string | null} disabledReason
 */

/**
 * @typedef {object} Channel
 * @property {string} id
 * @property {"slack" | "teams" | "webhook"} type
 * @property {string} name
 * @property {string} webhookUrl
 * @property {boolean} enabled
 * @property {string} createdAt
 * @property {ChannelHealth} health
 * @property {string} [secret] in the answer that makes it
 */

/**
 * @typedef {object} Rule
 * @property {string} id
 * @property {"score_drop" | "degraded_app"} condition
 * @property {number | null} threshold
 * @property {string | null} clusterId
 * @property {string[] | null} channelIds
 * @property {boolean} enabled
 * @property {string} createdAt
 */

/**
 * @typedef {object} Silence
 * @property {string} id
 * @property {string | null} clusterId
 * @property {string} until
 * @property {string | null} reason
 * @property {string | null} createdBy
 * @property {string} createdAt
 */

/**
 * @typedef {object} Delivery
 * @property {string} id
 * @property {string} channelId
 * @property {string | null} clusterId
 * @property {string} event
 * @property {string} title
 * @property {"queued" | "sent" | "gave_up" | "cancelled"} state
 * @property {number} attempts
 * @property {string} createdAt
 * @property {string | null} lastAttemptAt
 * @property {string | null} nextAttemptAt
 * @property {number | null} lastStatus
 * @property {string | null} lastError
 */

export {};
