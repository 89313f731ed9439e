-- Made by scripts/gen-schema: what the migrations make of an empty database. To be read; never applied.

CREATE TABLE `alert_state` (
  `cluster` uuid NOT NULL,
  `rule_id` uuid NOT NULL,
  `subject` varbinary(512) NOT NULL,
  `tenant_id` uuid NOT NULL,
  `since` datetime(3) NOT NULL,
  `sent_at` datetime(3) DEFAULT NULL,
  `clear_since` datetime(3) DEFAULT NULL,
  PRIMARY KEY (`cluster`,`rule_id`,`subject`),
  KEY `fires` (`tenant_id`,`clear_since`,`since`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `api_keys` (
  `key_id` uuid NOT NULL,
  `tenant_id` uuid NOT NULL,
  `key_hash` binary(32) NOT NULL,
  `name` varchar(200) NOT NULL,
  `scope` varchar(16) NOT NULL,
  `created_at` datetime(3) NOT NULL,
  `expires_at` datetime(3) DEFAULT NULL,
  `revoked_at` datetime(3) DEFAULT NULL,
  `prefix` varchar(16) NOT NULL DEFAULT '',
  `last_used_at` datetime(3) DEFAULT NULL,
  `clusters` varchar(4000) DEFAULT NULL,
  `addresses` varchar(2000) DEFAULT NULL,
  PRIMARY KEY (`key_id`),
  UNIQUE KEY `hash` (`key_hash`),
  KEY `tenant` (`tenant_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `audit` (
  `tenant_id` uuid NOT NULL,
  `at` datetime(3) NOT NULL,
  `audit_id` uuid NOT NULL,
  `actor_id` uuid DEFAULT NULL,
  `actor` varchar(254) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci NOT NULL,
  `address` varchar(64) NOT NULL,
  `action` varchar(32) NOT NULL,
  `subject` varchar(512) NOT NULL,
  `result` varchar(32) NOT NULL,
  `noted_at` datetime(3) NOT NULL DEFAULT `at`,
  PRIMARY KEY (`tenant_id`,`at`,`audit_id`),
  KEY `chain` (`tenant_id`,`noted_at`,`audit_id`),
  KEY `noted` (`noted_at`),
  KEY `actor` (`tenant_id`,`actor`,`at`),
  KEY `actor_id` (`tenant_id`,`actor_id`,`at`),
  KEY `action` (`tenant_id`,`action`,`at`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `audit_chain` (
  `tenant_id` uuid NOT NULL,
  `position` bigint(20) NOT NULL,
  `noted_at` datetime(3) NOT NULL,
  `audit_id` uuid NOT NULL,
  `mac` binary(32) NOT NULL,
  PRIMARY KEY (`tenant_id`,`position`),
  KEY `entry` (`tenant_id`,`noted_at`,`audit_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `briefs` (
  `cluster` uuid NOT NULL,
  `tenant_id` uuid NOT NULL,
  `reasons` text NOT NULL,
  `risks` longtext NOT NULL,
  `risks_hash` bigint(20) NOT NULL,
  `workloads` longtext NOT NULL,
  `api_use` mediumtext DEFAULT NULL,
  `packed` mediumblob DEFAULT NULL,
  `risk_hashes` varbinary(2100) DEFAULT NULL,
  `scope` mediumblob DEFAULT NULL,
  PRIMARY KEY (`cluster`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `channels` (
  `channel_id` uuid NOT NULL,
  `tenant_id` uuid NOT NULL,
  `type` varchar(16) NOT NULL,
  `name` varchar(200) NOT NULL,
  `url` varbinary(2200) NOT NULL,
  `url_masked` varchar(300) NOT NULL,
  `secret` varbinary(200) DEFAULT NULL,
  `secret_previous` varbinary(200) DEFAULT NULL,
  `secret_previous_until` datetime(3) DEFAULT NULL,
  `enabled` tinyint(4) NOT NULL,
  `disabled_reason` varchar(500) NOT NULL DEFAULT '',
  `created_at` datetime(3) NOT NULL,
  `last_attempt_at` datetime(3) DEFAULT NULL,
  `last_success_at` datetime(3) DEFAULT NULL,
  `failing_since` datetime(3) DEFAULT NULL,
  `last_status` smallint(6) DEFAULT NULL,
  `last_error` varchar(500) NOT NULL DEFAULT '',
  PRIMARY KEY (`channel_id`),
  KEY `tenant` (`tenant_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `clusters` (
  `cluster` uuid NOT NULL,
  `tenant_id` uuid NOT NULL,
  `name` varchar(128) NOT NULL,
  `provider` varchar(32) NOT NULL DEFAULT 'unknown',
  `region` varchar(64) NOT NULL DEFAULT 'unknown',
  `created_at` datetime(3) NOT NULL,
  `received_at` datetime(3) DEFAULT NULL,
  `taken_at` datetime(3) DEFAULT NULL,
  `score` tinyint(3) unsigned DEFAULT NULL,
  `score_exact` smallint(5) unsigned DEFAULT NULL,
  `nodes` int(10) unsigned NOT NULL DEFAULT 0,
  `pods` int(10) unsigned NOT NULL DEFAULT 0,
  `risks` int(10) unsigned NOT NULL DEFAULT 0,
  `categories` varchar(1000) NOT NULL DEFAULT '[]',
  `brief_hash` bigint(20) NOT NULL DEFAULT 0,
  `newest_at` datetime(3) DEFAULT NULL,
  `ledger_base` datetime(3) DEFAULT NULL,
  `ledger_hash` bigint(20) NOT NULL DEFAULT 0,
  `partial` tinyint(4) NOT NULL DEFAULT 0,
  `shown` varchar(4000) NOT NULL DEFAULT '',
  `verdict` varchar(1000) NOT NULL DEFAULT '',
  `risk_rows` int(10) unsigned NOT NULL DEFAULT 0,
  `snapshot_bytes` bigint(20) unsigned NOT NULL DEFAULT 0,
  `kept_bytes` bigint(20) unsigned NOT NULL DEFAULT 0,
  `snapshot_hash` bigint(20) NOT NULL DEFAULT 0,
  `overridden_until` datetime(3) DEFAULT NULL,
  `deploys_hash` bigint(20) NOT NULL DEFAULT 0,
  `deploys_due` datetime(3) DEFAULT NULL,
  `packed_to` datetime(3) DEFAULT NULL,
  `calm_at` datetime(3) DEFAULT NULL,
  `rolled_to` datetime(3) DEFAULT NULL,
  PRIMARY KEY (`cluster`),
  UNIQUE KEY `name` (`tenant_id`,`name`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `decision_risks` (
  `cluster` uuid NOT NULL,
  `risks_hash` bigint(20) NOT NULL,
  `tenant_id` uuid NOT NULL,
  `risks` longtext /*M!100301 COMPRESSED*/ NOT NULL DEFAULT '',
  `unused_since` datetime(3) DEFAULT NULL,
  PRIMARY KEY (`cluster`,`risks_hash`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `decisions` (
  `cluster` uuid NOT NULL,
  `decided_at` datetime(3) NOT NULL,
  `decision_id` uuid NOT NULL,
  `tenant_id` uuid NOT NULL,
  `key_id` uuid NOT NULL,
  `decision` varchar(8) NOT NULL,
  `csc_score` tinyint(3) unsigned NOT NULL,
  `score_time` datetime(3) NOT NULL,
  `risks_total` int(10) unsigned NOT NULL,
  `resource` varchar(512) NOT NULL,
  `namespace` varchar(512) NOT NULL,
  `action` varchar(512) NOT NULL,
  `image` varchar(512) NOT NULL,
  `requested_by` varchar(512) NOT NULL,
  `source` varchar(512) NOT NULL,
  `findings` text NOT NULL,
  `risks_hash` bigint(20) NOT NULL,
  `message` text NOT NULL DEFAULT '',
  `reasons` mediumtext NOT NULL DEFAULT '',
  `override_id` uuid DEFAULT NULL,
  `watched` tinyint(4) NOT NULL DEFAULT 0,
  `target` text DEFAULT NULL,
  `started_at` datetime(3) DEFAULT NULL,
  `started` text DEFAULT NULL,
  `outcome` varchar(16) NOT NULL DEFAULT '',
  `outcome_by` varchar(8) NOT NULL DEFAULT '',
  `outcome_note` varchar(500) NOT NULL DEFAULT '',
  `outcome_at` datetime(3) DEFAULT NULL,
  PRIMARY KEY (`cluster`,`decided_at`,`decision_id`),
  KEY `id` (`decision_id`),
  KEY `risks` (`cluster`,`risks_hash`),
  KEY `by_time` (`tenant_id`,`decided_at`,`decision_id`),
  KEY `by_source` (`tenant_id`,`source`,`decided_at`,`decision_id`),
  KEY `watched` (`cluster`,`watched`),
  KEY `last` (`cluster`,`decision`,`decided_at`),
  KEY `calibration` (`tenant_id`,`decision`,`decided_at`,`decision_id`,`cluster`,`outcome`,`outcome_by`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `deleted_clusters` (
  `cluster` uuid NOT NULL,
  `tenant_id` uuid NOT NULL,
  `deleted_at` datetime(3) NOT NULL,
  PRIMARY KEY (`cluster`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `deploy_states` (
  `cluster` uuid NOT NULL,
  `tenant_id` uuid NOT NULL,
  `kept` bigint(20) NOT NULL DEFAULT 0,
  `state` mediumblob NOT NULL,
  PRIMARY KEY (`cluster`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `deploys` (
  `cluster` uuid NOT NULL,
  `at` datetime(3) NOT NULL,
  `deploy_id` uuid NOT NULL,
  `tenant_id` uuid NOT NULL,
  `kind` varchar(255) NOT NULL,
  `namespace` varchar(255) NOT NULL,
  `name` varchar(255) NOT NULL,
  `event` varchar(16) NOT NULL,
  `changes` varchar(64) NOT NULL DEFAULT '',
  `images` text NOT NULL,
  `configuration` text NOT NULL,
  `replicas_from` bigint(20) NOT NULL DEFAULT -1,
  `replicas_to` bigint(20) NOT NULL DEFAULT -1,
  `revision` varchar(255) NOT NULL DEFAULT '',
  `began_at` datetime(3) DEFAULT NULL,
  `deployed_by` varchar(255) NOT NULL DEFAULT '',
  `cause` varchar(500) NOT NULL DEFAULT '',
  `decision_id` uuid DEFAULT NULL,
  PRIMARY KEY (`cluster`,`at`,`deploy_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `ended_alerts` (
  `cluster` uuid NOT NULL,
  `ended_at` datetime(3) NOT NULL,
  `alert_id` uuid NOT NULL,
  `tenant_id` uuid NOT NULL,
  `rule_id` uuid NOT NULL,
  `threshold` tinyint(3) unsigned DEFAULT NULL,
  `subject` varbinary(512) NOT NULL,
  `since` datetime(3) NOT NULL,
  `sent_at` datetime(3) DEFAULT NULL,
  `recovered` tinyint(4) NOT NULL,
  PRIMARY KEY (`cluster`,`ended_at`,`alert_id`),
  KEY `by_time` (`tenant_id`,`ended_at`,`alert_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `exemption_use` (
  `cluster` uuid NOT NULL,
  `exemption_id` uuid NOT NULL,
  `tenant_id` uuid NOT NULL,
  `risks` int(10) unsigned NOT NULL,
  `would_cost` int(10) unsigned NOT NULL,
  `counting` int(10) unsigned NOT NULL,
  PRIMARY KEY (`cluster`,`exemption_id`),
  KEY `used` (`tenant_id`,`exemption_id`,`risks`,`would_cost`,`counting`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `exemptions` (
  `exemption_id` uuid NOT NULL,
  `tenant_id` uuid NOT NULL,
  `cluster_name` varchar(128) DEFAULT NULL,
  `check_id` varchar(64) NOT NULL,
  `namespace` varchar(255) NOT NULL,
  `resource` varchar(512) NOT NULL,
  `reason` varchar(500) NOT NULL,
  `owner` varchar(200) NOT NULL,
  `expires_at` datetime(3) NOT NULL,
  `created_by` varchar(254) NOT NULL,
  `created_at` datetime(3) NOT NULL,
  `changed_at` datetime(3) NOT NULL,
  `ended_by` varchar(254) NOT NULL DEFAULT '',
  `ended_at` datetime(3) DEFAULT NULL,
  PRIMARY KEY (`exemption_id`),
  KEY `tenant` (`tenant_id`,`created_at`,`exemption_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `known_addresses` (
  `tenant_id` uuid NOT NULL,
  `user_id` uuid NOT NULL,
  `address` varchar(64) NOT NULL,
  `seen_at` datetime(3) NOT NULL,
  PRIMARY KEY (`user_id`,`address`),
  KEY `age` (`seen_at`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `ledgers` (
  `cluster` uuid NOT NULL,
  `taken_at` datetime(3) NOT NULL,
  `tenant_id` uuid NOT NULL,
  `base_at` datetime(3) DEFAULT NULL,
  `check_set` bigint(20) NOT NULL,
  `score_exact` smallint(5) unsigned NOT NULL,
  `body` mediumblob NOT NULL,
  `formula` tinyint(3) unsigned NOT NULL DEFAULT 1,
  PRIMARY KEY (`cluster`,`taken_at`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `links` (
  `link_id` uuid NOT NULL,
  `token_hash` binary(32) DEFAULT NULL,
  `tenant_id` uuid NOT NULL,
  `user_id` uuid NOT NULL,
  `kind` varchar(16) NOT NULL,
  `created_at` datetime(3) NOT NULL,
  `expires_at` datetime(3) NOT NULL,
  `mail_at` datetime(3) DEFAULT NULL,
  `mail_tries` int(10) unsigned NOT NULL DEFAULT 0,
  PRIMARY KEY (`link_id`),
  UNIQUE KEY `token` (`token_hash`),
  KEY `user` (`user_id`),
  KEY `mail` (`mail_at`),
  KEY `age` (`expires_at`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `log_errors` (
  `cluster` uuid NOT NULL,
  `minute` datetime(3) NOT NULL,
  `namespace` varchar(253) NOT NULL,
  `workload` varchar(253) NOT NULL,
  `shape` tinyint(3) unsigned NOT NULL,
  `tenant_id` uuid NOT NULL,
  `errors` int(10) unsigned NOT NULL,
  PRIMARY KEY (`cluster`,`minute`,`namespace`,`workload`,`shape`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `log_streams` (
  `cluster` uuid NOT NULL,
  `stream` bigint(20) NOT NULL,
  `tenant_id` uuid NOT NULL,
  `namespace` varchar(253) NOT NULL,
  `pod` varchar(253) NOT NULL,
  `container` varchar(253) NOT NULL,
  `workload` varchar(253) NOT NULL,
  `shape` tinyint(3) unsigned NOT NULL,
  `pushed_at` datetime(3) NOT NULL,
  PRIMARY KEY (`cluster`,`stream`),
  KEY `recent` (`cluster`,`pushed_at`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `log_usage` (
  `cluster` uuid NOT NULL,
  `tenant_id` uuid NOT NULL,
  `bytes` bigint(20) unsigned NOT NULL,
  `counted_at` datetime(3) NOT NULL,
  PRIMARY KEY (`cluster`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `logs` (
  `cluster` uuid NOT NULL,
  `at` datetime(3) NOT NULL,
  `nanos` mediumint(8) unsigned NOT NULL,
  `line` bigint(20) NOT NULL,
  `tenant_id` uuid NOT NULL,
  `stream` bigint(20) NOT NULL,
  `severity` tinyint(3) unsigned NOT NULL,
  `level` varchar(32) NOT NULL,
  `position` smallint(5) unsigned NOT NULL,
  `message` text NOT NULL,
  PRIMARY KEY (`cluster`,`at`,`nanos`,`line`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `oidc_accounts` (
  `account` binary(32) NOT NULL,
  `tenant_id` uuid NOT NULL,
  `user_id` uuid NOT NULL,
  `linked_at` datetime(3) NOT NULL,
  PRIMARY KEY (`account`),
  UNIQUE KEY `user` (`user_id`),
  KEY `tenant` (`tenant_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `oidc_logins` (
  `state_hash` binary(32) NOT NULL,
  `nonce` varchar(64) NOT NULL,
  `challenge` varbinary(64) NOT NULL,
  `expires_at` datetime(3) NOT NULL,
  PRIMARY KEY (`state_hash`),
  KEY `age` (`expires_at`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `outbox` (
  `delivery_id` uuid NOT NULL,
  `tenant_id` uuid NOT NULL,
  `channel_id` uuid NOT NULL,
  `cluster_name` varchar(128) DEFAULT NULL,
  `event` varchar(32) NOT NULL,
  `title` varchar(1000) NOT NULL,
  `body` mediumblob NOT NULL,
  `created_at` datetime(3) NOT NULL,
  `position` bigint(20) NOT NULL,
  `state` varchar(16) NOT NULL,
  `attempts` int(10) unsigned NOT NULL DEFAULT 0,
  `next_attempt_at` datetime(3) DEFAULT NULL,
  `lease_owner` uuid DEFAULT NULL,
  `lease_until` datetime(3) DEFAULT NULL,
  `last_attempt_at` datetime(3) DEFAULT NULL,
  `last_status` smallint(6) DEFAULT NULL,
  `last_error` varchar(500) NOT NULL DEFAULT '',
  PRIMARY KEY (`delivery_id`),
  KEY `due` (`state`,`next_attempt_at`,`channel_id`),
  KEY `channel` (`channel_id`,`state`,`position`),
  KEY `tenant` (`tenant_id`,`created_at`,`delivery_id`),
  KEY `cluster` (`tenant_id`,`cluster_name`,`created_at`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `overrides` (
  `cluster` uuid NOT NULL,
  `until` datetime(3) NOT NULL,
  `override_id` uuid NOT NULL,
  `tenant_id` uuid NOT NULL,
  `namespace` varchar(255) NOT NULL,
  `reason` varchar(500) NOT NULL,
  `created_by` varchar(254) NOT NULL,
  `created_at` datetime(3) NOT NULL,
  `ended_by` varchar(254) NOT NULL DEFAULT '',
  `ended_at` datetime(3) DEFAULT NULL,
  PRIMARY KEY (`cluster`,`until`,`override_id`),
  KEY `id` (`override_id`),
  KEY `tenant` (`tenant_id`,`created_at`,`override_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `owed_ends` (
  `cluster` uuid NOT NULL,
  `rule_id` uuid NOT NULL,
  `channel_id` uuid NOT NULL,
  `tenant_id` uuid NOT NULL,
  PRIMARY KEY (`cluster`,`rule_id`,`channel_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `pushes` (
  `cluster` uuid NOT NULL,
  `push` binary(16) NOT NULL,
  `tenant_id` uuid NOT NULL,
  `received_at` datetime(3) NOT NULL,
  `digest` binary(16) NOT NULL,
  `answer` mediumtext NOT NULL,
  PRIMARY KEY (`cluster`,`push`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `rate_limit` (
  `class` varchar(16) NOT NULL,
  `subject` varchar(254) NOT NULL,
  `since` datetime(3) NOT NULL,
  `attempts` int(10) unsigned NOT NULL,
  PRIMARY KEY (`class`,`subject`),
  KEY `since` (`since`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `recovery_codes` (
  `user_id` uuid NOT NULL,
  `code_hash` binary(32) NOT NULL,
  `tenant_id` uuid NOT NULL,
  PRIMARY KEY (`user_id`,`code_hash`),
  KEY `tenant` (`tenant_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `risks` (
  `cluster` uuid NOT NULL,
  `risk_id` char(16) NOT NULL,
  `tenant_id` uuid NOT NULL,
  `check_id` varchar(64) NOT NULL,
  `severity` varchar(16) NOT NULL,
  `namespace` varchar(255) NOT NULL,
  `resource` varchar(512) NOT NULL,
  `container` varchar(255) NOT NULL,
  `message` varchar(2000) NOT NULL,
  `content` bigint(20) NOT NULL,
  `first_seen` datetime(3) NOT NULL,
  `closed_at` datetime(3) DEFAULT NULL,
  `category` varchar(16) NOT NULL DEFAULT '',
  `places` int(10) unsigned NOT NULL DEFAULT 1,
  `absorbed_by` varchar(64) NOT NULL DEFAULT '',
  `exempt_reason` varchar(512) DEFAULT NULL,
  `would_cost` int(10) unsigned NOT NULL DEFAULT 0,
  `exemption_id` uuid DEFAULT NULL,
  PRIMARY KEY (`cluster`,`risk_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `rules` (
  `rule_id` uuid NOT NULL,
  `tenant_id` uuid NOT NULL,
  `kind` varchar(16) NOT NULL,
  `threshold` tinyint(3) unsigned DEFAULT NULL,
  `cluster_name` varchar(128) DEFAULT NULL,
  `channel_ids` varchar(2000) DEFAULT NULL,
  `enabled` tinyint(4) NOT NULL,
  `created_at` datetime(3) NOT NULL,
  PRIMARY KEY (`rule_id`),
  KEY `tenant` (`tenant_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `score_chunks` (
  `cluster` uuid NOT NULL,
  `hour_at` datetime(3) NOT NULL,
  `tenant_id` uuid NOT NULL,
  `points` int(10) unsigned NOT NULL,
  `body` mediumblob NOT NULL,
  PRIMARY KEY (`cluster`,`hour_at`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `score_history` (
  `cluster` uuid NOT NULL,
  `taken_at` datetime(3) NOT NULL,
  `tenant_id` uuid NOT NULL,
  `score` tinyint(3) unsigned NOT NULL,
  `score_exact` smallint(5) unsigned NOT NULL,
  `nodes` int(10) unsigned NOT NULL,
  `pods` int(10) unsigned NOT NULL,
  `risks` int(10) unsigned NOT NULL,
  `formula` tinyint(3) unsigned NOT NULL DEFAULT 1,
  PRIMARY KEY (`cluster`,`taken_at`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `score_hours` (
  `cluster` uuid NOT NULL,
  `hour_at` datetime(3) NOT NULL,
  `tenant_id` uuid NOT NULL,
  `points` int(10) unsigned NOT NULL,
  `score_min` smallint(5) unsigned NOT NULL,
  `worst_at` datetime(3) NOT NULL,
  `score_sum` bigint(20) unsigned NOT NULL,
  `score_last` smallint(5) unsigned NOT NULL,
  `last_at` datetime(3) NOT NULL,
  `nodes_min` int(10) unsigned NOT NULL,
  `pods_min` int(10) unsigned NOT NULL,
  `risks_max` int(10) unsigned NOT NULL,
  `formula` tinyint(3) unsigned NOT NULL,
  PRIMARY KEY (`cluster`,`hour_at`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `score_rollup` (
  `cluster` uuid NOT NULL,
  `step_at` datetime(3) NOT NULL,
  `tenant_id` uuid NOT NULL,
  `points` int(10) unsigned NOT NULL,
  `score_min` smallint(5) unsigned NOT NULL,
  `worst_at` datetime(3) NOT NULL,
  `score_sum` bigint(20) unsigned NOT NULL,
  `score_last` smallint(5) unsigned NOT NULL,
  `last_at` datetime(3) NOT NULL,
  `nodes_min` int(10) unsigned NOT NULL,
  `pods_min` int(10) unsigned NOT NULL,
  `risks_max` int(10) unsigned NOT NULL,
  `formula` tinyint(3) unsigned NOT NULL DEFAULT 1,
  PRIMARY KEY (`cluster`,`step_at`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `second_factors` (
  `user_id` uuid NOT NULL,
  `tenant_id` uuid NOT NULL,
  `secret` varbinary(128) NOT NULL,
  `created_at` datetime(3) NOT NULL,
  `confirmed_at` datetime(3) DEFAULT NULL,
  `last_step` bigint(20) NOT NULL DEFAULT 0,
  PRIMARY KEY (`user_id`),
  KEY `tenant` (`tenant_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `sessions` (
  `token_hash` binary(32) NOT NULL,
  `tenant_id` uuid NOT NULL,
  `user_id` uuid NOT NULL,
  `created_at` datetime(3) NOT NULL,
  `expires_at` datetime(3) NOT NULL,
  `revoked_at` datetime(3) DEFAULT NULL,
  `session_id` uuid NOT NULL DEFAULT uuid(),
  `began_at` datetime(3) NOT NULL DEFAULT utc_timestamp(3),
  `last_used_at` datetime(3) NOT NULL DEFAULT utc_timestamp(3),
  `address` varchar(64) NOT NULL DEFAULT '',
  `user_agent` varchar(200) NOT NULL DEFAULT '',
  `by_issuer` tinyint(4) NOT NULL DEFAULT 0,
  PRIMARY KEY (`token_hash`),
  KEY `user` (`user_id`),
  KEY `expiry` (`expires_at`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `silences` (
  `silence_id` uuid NOT NULL,
  `tenant_id` uuid NOT NULL,
  `cluster_name` varchar(128) DEFAULT NULL,
  `until` datetime(3) NOT NULL,
  `reason` varchar(500) NOT NULL,
  `created_by` varchar(254) NOT NULL,
  `created_at` datetime(3) NOT NULL,
  PRIMARY KEY (`silence_id`),
  KEY `tenant` (`tenant_id`,`until`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `snapshot_additions` (
  `cluster` uuid NOT NULL,
  `number` int(10) unsigned NOT NULL,
  `tenant_id` uuid NOT NULL,
  `base` varbinary(16) NOT NULL,
  `chunks` longblob NOT NULL,
  `body` longblob NOT NULL,
  PRIMARY KEY (`cluster`,`number`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `snapshot_bases` (
  `cluster` uuid NOT NULL,
  `tenant_id` uuid NOT NULL,
  `base` varbinary(16) NOT NULL,
  `chunks` longblob NOT NULL,
  `body` longblob NOT NULL,
  PRIMARY KEY (`cluster`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `snapshots` (
  `cluster` uuid NOT NULL,
  `tenant_id` uuid NOT NULL,
  `received_at` datetime(3) NOT NULL,
  `taken_at` datetime(3) NOT NULL,
  `body` longblob NOT NULL,
  `revision` bigint(20) unsigned NOT NULL DEFAULT 0,
  `base` varbinary(16) DEFAULT NULL,
  `delta` longblob DEFAULT NULL,
  `delta_count` bigint(20) NOT NULL DEFAULT 0,
  `delta_usual` bigint(20) NOT NULL DEFAULT 0,
  `delta_surplus` bigint(20) NOT NULL DEFAULT 0,
  PRIMARY KEY (`cluster`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `tenants` (
  `tenant_id` uuid NOT NULL,
  `company` varchar(200) NOT NULL,
  `plan` varchar(16) NOT NULL,
  `clusters` int(10) unsigned NOT NULL DEFAULT 0,
  `created_at` datetime(3) NOT NULL,
  `key_days_default` int(10) unsigned NOT NULL DEFAULT 0,
  `key_days_longest` int(10) unsigned NOT NULL DEFAULT 0,
  `second_factor_required` tinyint(4) NOT NULL DEFAULT 0,
  `alerting_revision` bigint(20) NOT NULL DEFAULT 1,
  PRIMARY KEY (`tenant_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `users` (
  `user_id` uuid NOT NULL,
  `tenant_id` uuid NOT NULL,
  `email` varchar(254) NOT NULL,
  `password` varchar(128) NOT NULL,
  `role` varchar(16) NOT NULL,
  `created_at` datetime(3) NOT NULL,
  `email_key` varchar(254) GENERATED ALWAYS AS (lcase(`email`)) STORED,
  `verified_at` datetime(3) DEFAULT NULL,
  PRIMARY KEY (`user_id`),
  UNIQUE KEY `email_key` (`email_key`),
  KEY `tenant` (`tenant_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
