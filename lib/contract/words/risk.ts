/** The kinds of subjects that rules count and act on. */
export const RISK_SUBJECTS = ['user', 'ip', 'device'] as const;
export type RiskSubject = (typeof RISK_SUBJECTS)[number];

/** The metrics, each with its subjects. `isDistinct`: an order or account counts once, however often it is reported. */
export const RISK_METRICS = {
  /** Requests to the purchase interface with a valid token, whatever the answer. */
  purchase_requests: { isDistinct: false, subjects: ['user', 'ip', 'device'] },
  /** Purchase requests that were refused, except for asking too often. */
  purchase_refusals: { isDistinct: false, subjects: ['user', 'ip', 'device'] },
  /** Purchase requests that were refused for asking too often. */
  limited_requests: { isDistinct: false, subjects: ['user', 'ip', 'device'] },
  challenges_failed: { isDistinct: false, subjects: ['user', 'ip', 'device'] },
  /** Orders that ran out of time or were cancelled by the shopper. */
  unpaid_orders: { isDistinct: true, subjects: ['user', 'ip', 'device'] },
  /** Accounts that asked for entry. */
  accounts: { isDistinct: true, subjects: ['ip', 'device'] },
} as const satisfies Record<string, { isDistinct: boolean; subjects: readonly RiskSubject[] }>;
export type RiskMetric = keyof typeof RISK_METRICS;

export const RULE_STATES = ['enabled', 'dry_run', 'disabled'] as const;
export type RuleState = (typeof RULE_STATES)[number];
