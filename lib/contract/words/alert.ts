/** All rules, in the order in which they are shown; lib/alert/rules.ts has their default values. */
export const ALERT_RULE_IDS = [
  'held_not_released',
  'unpaid_share',
  'risk_hits_growth',
  'outbox_depth',
  'outbox_lag',
  'slice_dry',
  'message_lag',
  'executor_lag',
  'dead_letters',
  'payment_mismatch',
  'processing_delay',
  'error_rate',
  'lock_wait',
  'lock_hold',
  'log_heads_late',
  'sign_in_failures',
  'accounts_attacked',
  'process_not_ready',
  'side_feature_off',
  'store_down',
  'redis_node_down',
  'redis_memory',
  'redis_slots_lost',
  'redis_failover',
  'redis_replica_lag',
  'replica_acks_missing',
  'database_replica_down',
  'database_replica_lag',
  'database_connections',
  'mark_weeks',
] as const;
export type AlertRuleId = (typeof ALERT_RULE_IDS)[number];

export const isAlertRule = (id: string): id is AlertRuleId =>
  (ALERT_RULE_IDS as readonly string[]).includes(id);

/** The unit of a rule's value. */
export const ALERT_UNITS = ['units', 'percent', 'seconds', 'ms', 'count'] as const;
export type AlertUnit = (typeof ALERT_UNITS)[number];

/** The subjects of alerts. An alert about a sale is shown to its merchant. */
export const ALERT_SUBJECTS = [
  'sale',
  'rule',
  'topic',
  'consumer',
  'lock',
  'store',
  'feature',
  'server',
  'none',
] as const;

export const ALERT_STATES = ['pending', 'firing', 'resolved'] as const;
