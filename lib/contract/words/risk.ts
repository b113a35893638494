/** The kinds of subjects that rules count and act on. */
export const RISK_SUBJECTS = ['user', 'ip', 'device'] as const;
export type RiskSubject = (typeof RISK_SUBJECTS)[number];

/**
 * What can be counted, and for which subjects. `distinct`: the same order or account counts once, however often it is
 * reported.
 */
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
  /** How suspicious an account looks when it enters or joins, 0 to 100. Not a count: the highest within the window. */
  score: { isDistinct: false, subjects: ['user'] },
} as const satisfies Record<string, { isDistinct: boolean; subjects: readonly RiskSubject[] }>;
export type RiskMetric = keyof typeof RISK_METRICS;

export const RULE_STATES = ['enabled', 'dry_run', 'disabled'] as const;
export type RuleState = (typeof RULE_STATES)[number];

export const MAX_SCORE = 100;

/** What goes into the score. */
export const SCORE_INPUTS = [
  'account_new',
  'email_unverified',
  'device_unknown',
  'device_new',
  'device_accounts',
  'network_accounts',
  'network_new_accounts',
  'pace',
  'browser_odd',
] as const;
export type ScoreInput = (typeof SCORE_INPUTS)[number];

/** A calculation of this many bits takes 2^bits tries on average, of a thousand iterations each. */
export const WORK_BITS = { least: 6, most: 15 } as const;

/** Tells whether a rule's action is over with the request that it answers. */
export const isMomentary = <A extends { kind: string }>(
  action: A,
): action is Extract<A, { kind: 'work' | 'flag' }> => action.kind === 'work' || action.kind === 'flag';
