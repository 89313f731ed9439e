// @ts-check
// What the API answers, as types. This file is read by the type checker alone.
// docs/api.md tells what the members mean.

/** @typedef {"SAFE" | "WARN" | "BLOCK"} Decision */
/** @typedef {"policy" | "runtime" | "history" | "health"} Category */
/** @typedef {"critical" | "high" | "medium" | "low"} Severity */
/** @typedef {Record<Category, number>} Lost */

/**
 * @typedef {object} Cluster
 * @property {string} id
 * @property {string} name
 * @property {string} provider
 * @property {"connected" | "stale" | "disconnected"} status
 * @property {string} region
 * @property {number | null} cscScore
 * @property {number} pods
 * @property {number} nodes
 * @property {number} risks
 * @property {string | null} lastSnapshot
 * @property {"cluster" | "namespaces"} scope
 * @property {string | null} verdict
 * @property {Decision | null} [decision]
 * @property {number | null} [scoreExact]
 * @property {Lost | null} [categories]
 * @property {number} [firingAlerts]
 * @property {(number | null)[]} [history]
 * @property {string | null} [takenAt]
 */

/**
 * @typedef {object} Risk
 * @property {string} id
 * @property {string} check
 * @property {Category} category
 * @property {Severity} severity
 * @property {string} scope
 * @property {string} [namespace]
 * @property {string} [resource]
 * @property {string} [container]
 * @property {string} message
 * @property {string} recommendation
 * @property {number} impact
 * @property {number} [count]
 * @property {string[]} [frameworks]
 * @property {string | null} [first_seen]
 * @property {string | null} [absorbed_by]
 * @property {unknown} [exempt]
 * @property {number} [would_cost]
 * @property {string} [exemption_owner]
 * @property {string} [exemption_expires]
 * @property {string} [exemption_expired]
 */

/**
 * @typedef {object} Point
 * @property {string} timestamp
 * @property {number} score
 * @property {number} nodes
 * @property {number} pods
 * @property {number} risks
 * @property {number} [mean]
 * @property {number} [last]
 * @property {string} [worst_at]
 * @property {number} [points]
 * @property {number} [formula]
 */

/**
 * @typedef {object} Moment
 * @property {string} time
 * @property {number} score
 * @property {number} score_exact
 * @property {Lost} lost
 * @property {string} check_set
 * @property {number} formula
 */

/** @typedef {{count: number, points: number}} Sum */

/**
 * @typedef {object} Difference
 * @property {Moment} from
 * @property {Moment} to
 * @property {number} change
 * @property {boolean} check_set_changed
 * @property {{from: number, to: number, message: string}} [formula]
 * @property {Record<"opened" | "resolved" | "changed" | "unchanged", Sum>} sums
 * @property {Risk[]} opened
 * @property {Risk[]} resolved
 * @property {{before: number, after: number, risk: Risk}[]} changed
 */

/**
 * What became of a decision.
 * @typedef {{outcome: "success" | "failure" | "rolled_back", by: string, note: string | null, at: string}} Outcome
 */

/**
 * @typedef {object} GateDecision
 * @property {string} id
 * @property {string} decided_at
 * @property {string} cluster_id
 * @property {Decision} decision
 * @property {number} csc_score
 * @property {string | null} score_time
 * @property {string | null} resource
 * @property {string | null} namespace
 * @property {string | null} action
 * @property {string | null} image
 * @property {string | null} user
 * @property {string | null} source
 * @property {string | null} key_id
 * @property {string | null} key_name
 * @property {number} risks_total
 * @property {Risk[]} risks
 * @property {string | null} message
 * @property {string[]} reasons
 * @property {NamedOverride | null} override
 * @property {Outcome | null} outcome
 */

/**
 * @typedef {object} GateAnswer
 * @property {Decision} decision
 * @property {number} csc_score
 * @property {boolean} overridden
 * @property {NamedOverride} [override]
 * @property {string} message
 * @property {string[]} reasons
 * @property {string} cluster_id
 * @property {string} score_time
 * @property {number} snapshot_age_seconds
 * @property {"cluster" | "namespaces"} scope
 * @property {Risk[]} risks
 * @property {number} risks_total
 * @property {string} [target_state] when a resource or a namespace was named
 * @property {TargetRisk[]} [target_risks]
 * @property {number} [target_risks_total]
 * @property {number} [target_points]
 */

/**
 * Why a risk concerns the target of a change.
 * @typedef {"change" | "target" | "dependency" | "node" | "cluster" | "namespace"} Concern
 */

/** @typedef {Risk & {concerns: Concern}} TargetRisk */

/**
 * @typedef {object} LogLine
 * @property {string} timestamp
 * @property {string} level
 * @property {string} namespace
 * @property {string} pod
 * @property {string} container
 * @property {string} message
 */

/**
 * @typedef {object} Key
 * @property {string} id
 * @property {string} name
 * @property {"agent" | "cicd" | "full"} scope
 * @property {string} prefix
 * @property {string} createdAt
 * @property {string | null} expiresAt
 * @property {string | null} lastUsedAt
 * @property {boolean} unused for longer than the service wants
 * @property {string[] | null} clusters that it is bound to
 * @property {string[] | null} addresses that it is bound to
 * @property {string} [apiKey] in the answer that makes it
 */

/**
 * @typedef {{id: string, email: string, role: "admin" | "operator" | "member", createdAt: string,
 *   secondFactor: boolean, invited?: boolean}} Member
 */

/**
 * @typedef {object} OpenSession
 * @property {string} id
 * @property {string} createdAt
 * @property {string} lastUsedAt
 * @property {string} endsAt
 * @property {string} address
 * @property {string} userAgent
 * @property {boolean} current
 */

/** @typedef {{defaultDays: number, longestDays: number, unusedDays: number}} KeyLifetime */
/** @typedef {{used: number, max: number, plan: string}} Slots */

/**
 * @typedef {object} Calibration how often a decision was followed by what
 * @property {Decision} decision
 * @property {number} decisions
 * @property {number} known
 * @property {number} success
 * @property {number} failure
 * @property {number} rolled_back
 * @property {number} reported
 * @property {number | null} failed_percent
 */

/**
 * @typedef {object} Deploy something that was deployed, as snapshots told
 * @property {string} id
 * @property {string} at
 * @property {string} cluster_id
 * @property {string} namespace
 * @property {string} resource
 * @property {"started" | "rolled_back" | "changed" | "finished" | "stalled"} event
 * @property {string[]} changes
 * @property {{container: string, from: string | null, to: string | null}[]} images
 * @property {string[]} configuration
 * @property {{from: number, to: number} | null} replicas
 * @property {string | null} revision
 * @property {string | null} started_at
 * @property {string | null} by
 * @property {string | null} cause
 * @property {string | null} decision_id
 * @property {Decision | null} decision
 * @property {GateDecision["outcome"]} outcome
 */

/**
 * @typedef {object} Override
 * @property {string} id
 * @property {string} clusterId
 * @property {string | null} namespace
 * @property {string} reason
 * @property {string} until
 * @property {"active" | "over" | "ended"} state
 * @property {string} createdBy
 * @property {string} createdAt
 * @property {string | null} endedBy
 * @property {string | null} endedAt
 */

/**
 * An override as the gate names it.
 * @typedef {{id: string, namespace: string | null, by: string, reason: string, until: string}} NamedOverride
 */

/**
 * @typedef {object} Exemption
 * @property {string} id
 * @property {string} check
 * @property {string | null} clusterId
 * @property {string | null} namespace
 * @property {string | null} resource
 * @property {string} reason
 * @property {string} owner
 * @property {string} expires
 * @property {"pending" | "active" | "unused" | "expired" | "ended"} state
 * @property {number} risks
 * @property {number} wouldCost
 * @property {number} countAgain
 * @property {string} createdBy
 */

/**
 * @typedef {object} SecondFactor
 * @property {boolean} on
 * @property {string | null} since
 * @property {number} recoveryCodes
 * @property {boolean} required of everybody in the company
 */

/**
 * @typedef {object} AuditEntry
 * @property {string} id
 * @property {string} timestamp
 * @property {string} action
 * @property {string | null} actor
 * @property {string | null} actorId
 * @property {string | null} address
 * @property {string} subject
 * @property {string} result
 */

/**
 * An object of Kubernetes as it was pushed: nothing in it is certain.
 * @typedef {{kind?: string, metadata?: {[member: string]: unknown}, [member: string]: unknown}} KubeObject
 */

/** @typedef {import("./alert-types.js").Firing} Firing */
/** @typedef {import("./alert-types.js").Ended} Ended */
/** @typedef {import("./alert-types.js").Channel} Channel */
/** @typedef {import("./alert-types.js").Rule} Rule */
/** @typedef {import("./alert-types.js").Silence} Silence */
/** @typedef {import("./alert-types.js").Delivery} Delivery */

/**
 * What GET answers, by path.
 * @typedef {{
 *   "/api/clusters": Cluster[],
 *   "/api/risks": Risk[] | Difference,
 *   "/api/score-history": Point[],
 *   "/api/decisions": GateDecision[],
 *   "/api/deploys": Deploy[],
 *   "/api/logs": LogLine[],
 *   "/api/sessions": OpenSession[],
 *   "/api/auth/second-factor": SecondFactor,
 *   "/api/keys": Key[],
 *   "/api/keys/lifetime": KeyLifetime,
 *   "/api/members": Member[],
 *   "/api/cluster-slots": Slots,
 *   "/api/exemptions": Exemption[],
 *   "/api/overrides": Override[],
 *   "/api/decisions/calibration": Calibration[],
 *   "/api/audit": AuditEntry[],
 *   "/api/cluster": {[collection: string]: unknown},
 *   "/api/gate": GateAnswer,
 *   "/api/notifications/firing": Firing[],
 *   "/api/notifications/ended": Ended[],
 *   "/api/notifications/channels": Channel[],
 *   "/api/notifications/rules": Rule[],
 *   "/api/notifications/silences": Silence[],
 *   "/api/notifications/deliveries": Delivery[],
 * }} Reads
 */

export {};
