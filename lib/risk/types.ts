import type { RiskRule, RuleDefinition } from '@/lib/contract/shapes/risk';
import type { RiskSubject, RuleState } from '@/lib/contract/words/risk';
import type { RiskRule as RuleRow } from '@/prisma/generated/client';

/** The subjects of an event; unknown ones are empty. `ip` is an IPv4 address or the /64 of an IPv6 one. */
export type RiskSubjects = { user: string; ip: string; device: string };

/** A hit of a rule: the count is above its threshold, or has reached it (`comparison`). */
export type RiskHit = {
  rule: RiskRule;
  kind: RiskSubject;
  value: string;
  /** The count within the rule's window. */
  count: number;
};

/** Turns a database row into a rule. Its contents were checked when it was written. */
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
