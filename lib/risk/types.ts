import type { RiskRule as RuleRow } from '@/prisma/generated/client';
import type { RuleDefinition } from './rule-schema';

/** Who is counted, and acted upon. */
export const RISK_SUBJECTS = ['user', 'ip', 'device'] as const;
export type RiskSubject = (typeof RISK_SUBJECTS)[number];

/** Whom an event is about; what is unknown is empty. `ip` is an IPv4 address or the /64 of an IPv6 one. */
export type RiskSubjects = { user: string; ip: string; device: string };

/**
 * What can be counted. `distinct`: the same order or account counts once, however often it is told.
 */
export const RISK_METRICS = {
  /** Requests to the purchase interface with a valid token, whatever the answer. */
  purchase_requests: { isDistinct: false, subjects: ['user', 'ip', 'device'] },
  /** Those of them that were refused, other than for asking too often. */
  purchase_refusals: { isDistinct: false, subjects: ['user', 'ip', 'device'] },
  /** Those of them that were refused for asking too often. */
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

export type RiskRule = {
  ruleId: string;
  name: string;
  definition: RuleDefinition;
  state: RuleState;
  /** Lower ones first. */
  priority: number;
  version: number;
  changedBy: string;
  /** Epoch ms. */
  updatedAt: number;
};

/** What a rule found: more than it allows. */
export type RiskHit = {
  rule: RiskRule;
  kind: RiskSubject;
  value: string;
  /** What was counted within the rule's window. */
  count: number;
};

/** The row in the product's words. What it holds was checked when it was written. */
export const toRule = (row: RuleRow): RiskRule => ({
  ruleId: row.id,
  name: row.name,
  definition: row.definition as RuleDefinition,
  state: row.state as RuleState,
  priority: row.priority,
  version: row.version,
  changedBy: row.changedBy,
  updatedAt: row.updatedAt.getTime(),
});
