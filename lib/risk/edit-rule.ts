import 'server-only';
import type { EditRuleInput, RiskRule } from '@/lib/contract/shapes/risk';
import { type Db, db } from '@/lib/db/client';
import { toRule } from './types';

export type EditRuleResult =
  | { status: 'edited'; before: RiskRule; rule: RiskRule }
  | { status: 'not_found' }
  /** The rule has changed since the editor saw it; `rule` is its present state. */
  | { status: 'conflict'; rule: RiskRule };

/** Changes a rule; all processes apply it within a second. Its hits keep the version that made them. @param by user id */
export async function editRule(
  ruleId: string,
  { version, ...change }: EditRuleInput,
  by: string,
  client: Db = db(),
): Promise<EditRuleResult> {
  return changeRow(client, ruleId, version, { ...change, changedBy: by });
}

/** Deletes a rule; its hits stay on record. @param by user id */
export async function deleteRule(
  ruleId: string,
  version: number,
  by: string,
  client: Db = db(),
): Promise<EditRuleResult> {
  return changeRow(client, ruleId, version, { deletedAt: new Date(), changedBy: by });
}

async function changeRow(
  client: Db,
  id: string,
  version: number,
  change: Omit<EditRuleInput, 'version'> & { changedBy: string; deletedAt?: Date },
): Promise<EditRuleResult> {
  const before = await client.riskRule.findUnique({ where: { id } });
  const { count } = await client.riskRule.updateMany({
    where: { id, version, deletedAt: null },
    data: { ...change, version: { increment: 1 } },
  });
  const row = await client.riskRule.findUnique({ where: { id } });
  if (count === 1 && before && row) return { status: 'edited', before: toRule(before), rule: toRule(row) };
  return row && !row.deletedAt ? { status: 'conflict', rule: toRule(row) } : { status: 'not_found' };
}
