import type { RiskRule, RuleDefinition } from '@/lib/contract/shapes/risk';
import type { RiskSubject, RuleState } from '@/lib/contract/words/risk';
import type { RiskRule as RuleRow } from '@/prisma/generated/client';

/** Whom an event is about; what is unknown is empty. `ip` is an IPv4 address or the /64 of an IPv6 one. */
export type RiskSubjects = { user: string; ip: string; device: string };

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
