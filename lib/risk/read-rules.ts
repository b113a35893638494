import 'server-only';
import type { RiskRule } from '@/lib/contract/shapes/risk';
import { db } from '@/lib/db/client';
import { toRule } from './types';

/** Beyond this number, new rules are refused. */
export const MOST_RULES = 200;

/** Returns all rules, in the order in which they act. */
export async function readRules(): Promise<RiskRule[]> {
  const rows = await db().riskRule.findMany({
    where: { deletedAt: null },
    orderBy: [{ priority: 'asc' }, { id: 'asc' }],
    take: MOST_RULES,
  });
  return rows.map(toRule);
}
